"""The Go that //go:goroot is made from, found on this machine."""

_RELEASES = {
    "1.8.3": struct(
        url = "https://storage.googleapis.com/golang/go1.8.3.linux-amd64.tar.gz",
        sha256 = "1862f4c3d3907e59b04a757cfda0ea7aa9ef39274af99a784f5be843c80c6772",
    ),
}

def _fit(repository_ctx, goroot):
    """Says whether the reports can be put into the Go in goroot.

    Returns:
      A struct with the folder of the series for it, or with what is missing.
    """
    if not goroot.get_child("bin").get_child("go").exists:
        return struct(series = "", problem = "%s has no bin/go" % goroot)
    if not goroot.get_child("src").get_child("cmd").get_child("trace").exists:
        return struct(
            series = "",
            problem = "%s has no sources of cmd/trace (Debian's package: golang-VERSION-src)" % goroot,
        )
    apply = repository_ctx.path(repository_ctx.attr._apply)
    which = repository_ctx.execute([apply, "-which", goroot])
    if which.return_code != 0:
        return struct(series = "", problem = which.stderr.strip())
    return struct(series = which.stdout.strip(), problem = "")

def _go_on_path(repository_ctx):
    go = repository_ctx.which("go")
    if not go:
        return []
    result = repository_ctx.execute(
        [go, "env", "GOROOT"],
        environment = {"GOROOT": "", "GOTOOLCHAIN": "local"},
    )
    if result.return_code != 0 or not result.stdout.strip():
        return []
    return [repository_ctx.path(result.stdout.strip())]

def _minor(folder):
    """Sorts go-1.9 before go-1.19."""
    number = folder.basename[len("go-"):].split(".")[-1]
    return int(number) if number.isdigit() else 0

def _installed(repository_ctx):
    """The folders /usr/lib/go-*, newest first."""
    lib = repository_ctx.path("/usr/lib")
    if not lib.exists:
        return []
    folders = [f for f in lib.readdir() if f.basename.startswith("go-")]
    return sorted(folders, key = _minor, reverse = True)

def _find(repository_ctx):
    """Returns a struct of goroot, series and problem, the last of them if
    there is no Go that fits."""
    environ = repository_ctx.os.environ
    release = environ.get("GTRACE_GO", "")
    named = environ.get("GTRACE_GOROOT", "")
    if named and not named.startswith("/"):
        return struct(
            goroot = None,
            series = "",
            problem = "GTRACE_GOROOT=%s is not an absolute path" % named,
        )
    if named:
        candidates = [repository_ctx.path(named)]
    elif release:
        if release not in _RELEASES:
            fail("GTRACE_GO=%s: known are %s" % (release, ", ".join(_RELEASES.keys())))
        repository_ctx.download_and_extract(
            url = _RELEASES[release].url,
            sha256 = _RELEASES[release].sha256,
        )
        candidates = [repository_ctx.path("go")]
    else:
        candidates = _go_on_path(repository_ctx) + _installed(repository_ctx)

    problems = []
    for goroot in candidates:
        fit = _fit(repository_ctx, goroot)
        if fit.series:
            return struct(goroot = goroot, series = fit.series, problem = "")
        problems.append(fit.problem)
    if not candidates:
        problems.append("no Go on PATH, none in /usr/lib/go-*, and GTRACE_GOROOT is not set")
    return struct(goroot = None, series = "", problem = "\n".join(problems))

def _go_toolchain_impl(repository_ctx):
    # Bazel 8 and later do not watch a file only because its path was asked for.
    if hasattr(repository_ctx, "watch"):
        repository_ctx.watch(repository_ctx.attr._apply)
    found = _find(repository_ctx)
    if found.goroot:
        # What an upgrade of that Go changes, so that it is built anew.
        repository_ctx.symlink(found.goroot.get_child("bin").get_child("go"), "marks/go")
        repository_ctx.symlink(found.goroot.get_child("VERSION"), "marks/VERSION")
    repository_ctx.file("BUILD.bazel", """filegroup(
    name = "marks",
    srcs = glob(["marks/**"], allow_empty = True),
    visibility = ["//visibility:public"],
)
""")
    repository_ctx.file("go.bzl", "GOROOT = %r\nSERIES = %r\nPROBLEM = %r\n" % (
        str(found.goroot or ""),
        found.series,
        found.problem,
    ))

go_toolchain = repository_rule(
    implementation = _go_toolchain_impl,
    doc = """Finds a Go with its sources: the one in $GTRACE_GOROOT; the release
$GTRACE_GO, which is downloaded; the go on PATH; or the newest /usr/lib/go-*.
Those of the last two that there are no patches for are passed over. Having
none is an error of the targets that need one, and not of the others.""",
    attrs = {
        "_apply": attr.label(default = "//patches:apply.sh"),
    },
    configure = True,
    environ = [
        "GTRACE_GO",
        "GTRACE_GOROOT",
        "PATH",
    ],
    local = True,
)
