"""static_archive: the objects of several cc_library targets in one archive.

A cc_library makes an archive of its own sources only. Each layer of the library
is a target, so that Bazel checks its includes against its dependencies, but
programs that link the library without Bazel need one file.
"""

load(
    "@gtrace_rules//:rules.bzl",
    "CC_TOOLCHAIN",
    "STATIC_LIBRARY",
    "cc_api",
    "cc_info",
    "find_cc_toolchain",
)

# Bazel before 3.2 has no linker inputs: what they hold is the context's own.

def _inputs_of(context):
    """The libraries and the linker's flags in CONTEXT."""
    if not hasattr(context, "linker_inputs"):
        libraries = context.libraries_to_link
        if type(libraries) == "depset":
            libraries = libraries.to_list()
        return libraries, context.user_link_flags
    libraries = []
    link_flags = []
    for linker_input in context.linker_inputs.to_list():
        libraries += linker_input.libraries
        link_flags += linker_input.user_link_flags
    return libraries, link_flags

def _linking_context(owner, library, link_flags):
    if not hasattr(cc_api, "create_linker_input"):
        return cc_api.create_linking_context(
            libraries_to_link = [library],
            user_link_flags = link_flags,
        )
    return cc_api.create_linking_context(
        linker_inputs = depset([cc_api.create_linker_input(
            owner = owner,
            libraries = depset([library]),
            user_link_flags = depset(link_flags),
        )]),
    )

def _static_archive_impl(ctx):
    toolchain = find_cc_toolchain(ctx)
    features = cc_api.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    merged = cc_api.merge_cc_infos(
        cc_infos = [dep[cc_info] for dep in ctx.attr.deps],
    )

    # Position-independent where there is a choice: such an archive can be
    # linked into programs and shared objects alike.
    libraries, link_flags = _inputs_of(merged.linking_context)
    objects = []
    for library in libraries:
        objects += library.pic_objects or library.objects or []

    archive = ctx.actions.declare_file(ctx.label.name + ".a")
    variables = cc_api.create_link_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        output_file = archive.path,
        is_using_linker = False,
    )
    arguments = ctx.actions.args()
    arguments.add_all(cc_api.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = STATIC_LIBRARY,
        variables = variables,
    ))
    arguments.add_all(objects)
    ctx.actions.run(
        executable = cc_api.get_tool_for_action(
            feature_configuration = features,
            action_name = STATIC_LIBRARY,
        ),
        arguments = [arguments],
        env = cc_api.get_environment_variables(
            feature_configuration = features,
            action_name = STATIC_LIBRARY,
            variables = variables,
        ),
        inputs = depset(objects, transitive = [toolchain.all_files]),
        outputs = [archive],
        mnemonic = "StaticArchive",
    )

    library = cc_api.create_library_to_link(
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        pic_static_library = archive,
        static_library = archive,
    )
    return [
        DefaultInfo(
            files = depset([archive]),
            runfiles = ctx.runfiles(files = [archive]),
        ),
        cc_info(
            compilation_context = cc_api.merge_cc_infos(
                cc_infos = [header[cc_info] for header in ctx.attr.headers],
            ).compilation_context,
            linking_context = _linking_context(ctx.label, library, link_flags),
        ),
    ]

static_archive = rule(
    implementation = _static_archive_impl,
    doc = "Makes NAME.a of all objects that deps consist of.",
    attrs = {
        "deps": attr.label_list(
            doc = "The targets in the archive, with their dependencies.",
            providers = [cc_info],
        ),
        "headers": attr.label_list(
            doc = "The targets whose headers dependents of the archive may include.",
            providers = [cc_info],
        ),
        "_cc_toolchain": attr.label(default = CC_TOOLCHAIN),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
