"""What WORKSPACE declares, for MODULE.bazel."""

load("//c:rules.bzl", "rules_repository")
load("//go:toolchain.bzl", "go_toolchain")

def _repositories_impl(_module_ctx):
    rules_repository(name = "gtrace_rules", built_in = False)
    go_toolchain(name = "gtrace_go")

repositories = module_extension(implementation = _repositories_impl)
