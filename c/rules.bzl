"""The repository gtrace_rules: what the BUILD files load for C and for shell.

Bazel up to 7 has these rules built in. In Bazel 8 those for shell, and in
Bazel 9 all of them, are in modules instead, which MODULE.bazel can name and
WORKSPACE cannot. So there are two forms of the repository, and BUILD files are
the same with both.
"""

_BUILT_IN = """
load(
    "@bazel_tools//tools/build_defs/cc:action_names.bzl",
    _c_compile = "C_COMPILE_ACTION_NAME",
    _static_library = "CPP_LINK_STATIC_LIBRARY_ACTION_NAME",
)
load(
    "@bazel_tools//tools/cpp:toolchain_utils.bzl",
    _find_cc_toolchain = "find_cpp_toolchain",
)

cc_binary = native.cc_binary
cc_library = native.cc_library
cc_test = native.cc_test
sh_binary = native.sh_binary
sh_test = native.sh_test

cc_api = cc_common
cc_info = CcInfo
find_cc_toolchain = _find_cc_toolchain
CC_TOOLCHAIN = Label("@bazel_tools//tools/cpp:current_cc_toolchain")
C_COMPILE = _c_compile
STATIC_LIBRARY = _static_library
"""

_FROM_MODULES = """
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_binary.bzl", _cc_binary = "cc_binary")
load("@rules_cc//cc:cc_library.bzl", _cc_library = "cc_library")
load("@rules_cc//cc:cc_test.bzl", _cc_test = "cc_test")
load(
    "@rules_cc//cc:find_cc_toolchain.bzl",
    _find_cc_toolchain = "find_cc_toolchain",
)
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_shell//shell:sh_binary.bzl", _sh_binary = "sh_binary")
load("@rules_shell//shell:sh_test.bzl", _sh_test = "sh_test")

cc_binary = _cc_binary
cc_library = _cc_library
cc_test = _cc_test
sh_binary = _sh_binary
sh_test = _sh_test

cc_api = cc_common
cc_info = CcInfo
find_cc_toolchain = _find_cc_toolchain
CC_TOOLCHAIN = Label("@rules_cc//cc:current_cc_toolchain")
C_COMPILE = ACTION_NAMES.c_compile
STATIC_LIBRARY = ACTION_NAMES.cpp_link_static_library
"""

def _rules_repository_impl(repository_ctx):
    built_in = repository_ctx.attr.built_in
    repository_ctx.file("BUILD.bazel")
    repository_ctx.file("rules.bzl", _BUILT_IN if built_in else _FROM_MODULES)

rules_repository = repository_rule(
    implementation = _rules_repository_impl,
    attrs = {"built_in": attr.bool(mandatory = True)},
)
