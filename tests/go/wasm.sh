# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# wasm.sh - sourced by the tests of the command for Go alone, which have its own name
# in test and its module of WebAssembly, or nothing, in wasm: finds a Go, makes that
# module if it is not given, and writes the Go module to $scratch/module. Sets go and
# module, the path of that. Exits where something for it is missing.
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

skip() {
	echo "skipped: $*"
	exit
}
fail() {
	echo "$test: $*"
	exit 1
}

go=
for found in "$(command -v go || true)" /usr/local/go/bin/go /usr/lib/go-1.2[2-9]/bin/go; do
	if [ -z "$go" ] && [ -x "$found" ] &&
		"$found" version | grep -Eq 'go1\.(2[2-9]|[3-9][0-9])'; then
		go=$found
	fi
done
[ -n "$go" ] || skip "no Go 1.22 or later"
if [ -n "$wasm" ]; then
	wasm=$(realpath "$wasm")
elif command -v clang >/dev/null && sh c/web/build.sh "$scratch/gtrace.wasm" 2>"$scratch/err"; then
	wasm=$scratch/gtrace.wasm
else
	skip "no clang with lld and wasi-libc: $(tail -n 1 "$scratch/err" 2>/dev/null)"
fi
export HOME=$scratch/home XDG_CACHE_HOME=$scratch/home/cache GOTOOLCHAIN=local
unset GOROOT GOFLAGS
export PATH=${go%/*}:$PATH
mkdir "$HOME"
# What was built is kept for other tests, where Bazel runs them.
[ -z "${TEST_TMPDIR:-}" ] || export GOCACHE=${TEST_TMPDIR%/execroot/*}/go_cache

module=example.com/Test/gtrace
if ! timeout 100 sh go/module.sh "$scratch/module" $module "$wasm" 2>"$scratch/err"; then
	grep -q 'dial tcp\|no such host\|unreachable\|proxy' "$scratch/err" &&
		skip "the go command cannot fetch wazero: $(tail -n 1 "$scratch/err")"
	fail "module.sh: $(cat "$scratch/err")"
fi
