"""The repositories that Bazel's own tools load, for a Bazel that lacks them.

A release of Bazel fetches or carries the repositories that its embedded BUILD
files load. The bazel-bootstrap of Debian and its kin is built from source
without them, has no version number, and would try to download old releases of
them for any target. Of all that they hold, a build in C needs no
more than names that this Bazel has built in.
"""

# Debian's packages of repositories, by where releases of Debian have had them.
_SYSTEM_REPOSITORIES = {
    "bazel_skylib": ["/usr/share/bazel/tools/skylib"],
    "platforms": [
        "/usr/share/bazel/tools/platforms",
        "/usr/share/bazel/platforms",
    ],
    "rules_python": ["/usr/share/bazel/rules/python"],
}

# The rules that a repository's defs.bzl hands on, by repository.
_NATIVE_RULES = {
    "rules_cc": ["cc", [
        "cc_binary",
        "cc_import",
        "cc_library",
        "cc_proto_library",
        "cc_test",
        "cc_toolchain",
        "cc_toolchain_suite",
        "objc_library",
    ]],
    "rules_java": ["java", [
        "java_binary",
        "java_import",
        "java_library",
        "java_plugin",
        "java_proto_library",
        "java_runtime",
        "java_test",
        "java_toolchain",
    ]],
    "rules_proto": ["proto", [
        "proto_lang_toolchain",
        "proto_library",
    ]],
}

def _native_rules_impl(repository_ctx):
    lines = ["%s = native.%s" % (rule, rule) for rule in repository_ctx.attr.rules]
    repository_ctx.file("BUILD.bazel")
    repository_ctx.file(repository_ctx.attr.package + "/BUILD.bazel")
    repository_ctx.file(
        repository_ctx.attr.package + "/defs.bzl",
        "\n".join(lines) + "\n",
    )

_native_rules = repository_rule(
    implementation = _native_rules_impl,
    attrs = {
        "package": attr.string(mandatory = True),
        "rules": attr.string_list(mandatory = True),
    },
)

def _coverage_tools_impl(repository_ctx):
    repository_ctx.file(
        "BUILD.bazel",
        """filegroup(
    name = "coverage_report_generator",
    visibility = ["//visibility:public"],
)
""",
    )

_coverage_tools = repository_rule(implementation = _coverage_tools_impl)

def _system_repository_impl(repository_ctx):
    for path in repository_ctx.attr.paths:
        system = repository_ctx.path(path)
        if system.get_child("WORKSPACE").exists:
            for entry in system.readdir():
                repository_ctx.symlink(entry, entry.basename)
            return
    fail("This Bazel has no version number, so it was not released by the " +
         "Bazel project, and there is no %s, so it is not Debian's either. " %
         " or ".join(repository_ctx.attr.paths) + "Install the packages " +
         "bazel-platforms and bazel-skylib, or use a release of Bazel.")

_system_repository = repository_rule(
    implementation = _system_repository_impl,
    attrs = {"paths": attr.string_list(mandatory = True)},
    local = True,
)

def unbundled_repositories():
    """Declares the repositories above, unless this Bazel is a release."""
    if native.bazel_version:
        return
    for name, (package, rules) in _NATIVE_RULES.items():
        _native_rules(name = name, package = package, rules = rules)
    _coverage_tools(name = "remote_coverage_tools")
    for name, paths in _SYSTEM_REPOSITORIES.items():
        _system_repository(name = name, paths = paths)
