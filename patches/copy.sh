#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# copy.sh GOROOT - puts the library and its Go package into a Go source tree,
# as src/cmd/trace/internal/gtrace.
#
# cgo compiles the C files of a package's own folder and of no other, and the
# go command rebuilds a package when a file in its folder changes. So the
# library is one file there (c/amalgamate.sh).
set -eu

usage="usage: copy.sh GOROOT"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
1:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
if ! [ -d "$1/src/cmd/trace" ]; then
	echo "copy.sh: $1 has no src/cmd/trace" >&2
	exit 2
fi
from=$(cd "$(dirname "$0")/.." && pwd)
to=$(cd "$1" && pwd)/src/cmd/trace/internal/gtrace

rm -rf "$to"
mkdir -p "$to"
"$from/go/package.sh" "$to"
