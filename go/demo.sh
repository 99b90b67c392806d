#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# demo.sh [TRACE] - installs what is missing, makes a patched Go toolchain, and
# prints with it the ten longest slices of a trace: testdata/before.trace, or the
# one given.
set -eu

usage="usage: demo.sh [TRACE]"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
0:) set -- ;;
1:-*)
	echo "$usage" >&2
	exit 2
	;;
1:/*) ;;
1:*) set -- "$PWD/$1" ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
# Checks the trace before the build, which takes minutes. A pipe is not read: it
# cannot be read twice.
if [ $# -eq 1 ]; then
	wrong=
	if ! [ -r "$1" ]; then
		wrong="cannot read $1"
	elif [ -d "$1" ]; then
		wrong="$1 is a directory"
	elif [ -f "$1" ] && [ "$(head -c 5 "$1" | tr -d '\0')" != "go 1." ]; then
		wrong="$1 is not a trace of Go"
	fi
	if [ -n "$wrong" ]; then
		echo "demo.sh: $wrong" >&2
		exit 1
	fi
fi
# Bazel runs in another directory, so it needs an absolute path.
case ${GTRACE_GOROOT:-/} in
/*) ;;
*) export GTRACE_GOROOT="$PWD/$GTRACE_GOROOT" ;;
esac
cd "$(dirname "$0")/.."
. tests/step.sh
check_goroot GTRACE_GOROOT
sh tests/setup.sh demo
check_series

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! step "bazel build //go:goroot (20 seconds to two minutes the first time)" \
	"$log" bazel build --color=no --curses=no --show_progress_rate_limit=2 \
	//go:goroot; then
	# What the failed step says, without Bazel's own lines about it.
	grep -v -e '^\[' -e '^Loading' -e '^Analyzing' -e '^INFO: ' -e '^FAILED: ' \
		-e '^Use --' -e '^Target ' -e '^$' \
		-e '^ERROR: .* GoRoot go/goroot failed: ' "$log" >&2
	exit 1
fi
# The links to it are missing in a folder that cannot be written to.
go=$(bazel info bazel-bin 2>/dev/null)/go/goroot/bin/go
cat >&2 <<END
demo.sh: $("$go" version), patched; "bazel shutdown" ends the Bazel server that
	is left, "bazel clean --expunge" also removes what was built
demo.sh: go tool trace -diagreedy=10 ${1:-testdata/before.trace}
END
rm -f "$log"
exec "$go" tool trace -diagreedy=10 "${1:-testdata/before.trace}"
