"""goroot: a copy of the machine's Go whose `go tool trace` has the reports."""

load("@gtrace_go//:go.bzl", "GOROOT", "PROBLEM")
load("@gtrace_rules//:rules.bzl", "CC_TOOLCHAIN", "C_COMPILE", "cc_api", "find_cc_toolchain")

def _c_compiler(ctx, toolchain):
    """The path of the compiler that the C targets are built with."""
    path = cc_api.get_tool_for_action(
        action_name = C_COMPILE,
        feature_configuration = cc_api.configure_features(
            ctx = ctx,
            cc_toolchain = toolchain,
            requested_features = ctx.features,
            unsupported_features = ctx.disabled_features,
        ),
    )

    # cgo runs it in folders of its own.
    return path if path.startswith("/") else "$PWD/" + path

def _goroot_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    cache = ctx.actions.declare_directory(ctx.label.name + "_cache")
    info = [
        DefaultInfo(
            files = depset([out]),
            runfiles = ctx.runfiles(files = [out]),
        ),
        OutputGroupInfo(cache = depset([cache])),
    ]
    if PROBLEM:
        # An action that fails, and not an error here, so that other targets
        # can be built. Bazel prints its command, which is short therefore.
        problem = ctx.actions.declare_file(ctx.label.name + "_problem")
        ctx.actions.write(
            problem,
            "A Go toolchain with the reports needs a Go to start from:\n%s\n" % PROBLEM,
        )
        ctx.actions.run_shell(
            command = 'cat "$1" >&2; exit 1',
            arguments = [problem.path],
            inputs = [problem],
            outputs = [out, cache],
            mnemonic = "GoRoot",
        )
        return info

    toolchain = find_cc_toolchain(ctx)
    ctx.actions.run_shell(
        command = 'CC="%s" exec "$@"' % _c_compiler(ctx, toolchain),
        arguments = [ctx.file._script.path, ctx.file._apply.path, GOROOT, out.path, cache.path],
        inputs = depset(
            ctx.files.srcs + [ctx.file._script, ctx.file._apply],
            transitive = [toolchain.all_files],
        ),
        outputs = [out, cache],
        use_default_shell_env = True,
        # The Go is one of this machine.
        execution_requirements = {"no-remote": "1"},
        mnemonic = "GoRoot",
        progress_message = "Putting the reports into a copy of %s, and building its go tool trace" % GOROOT,
    )
    return info

goroot = rule(
    implementation = _goroot_impl,
    doc = """Makes the folder NAME, a complete GOROOT. The output group cache is
what the go command built for it.""",
    attrs = {
        "srcs": attr.label_list(
            doc = "The patches, the C sources and the Go package.",
            allow_files = True,
        ),
        "_apply": attr.label(
            default = "//patches:apply.sh",
            allow_single_file = True,
        ),
        "_cc_toolchain": attr.label(default = CC_TOOLCHAIN),
        "_script": attr.label(
            default = "//go:goroot.sh",
            allow_single_file = True,
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
