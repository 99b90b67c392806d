#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# module.sh FOLDER [MODULE [WASM]] - writes package gtrace to the empty folder FOLDER
# as a module that the go command and a C compiler build: with the library's C
# code, the licence, and the examples with the traces that they read. MODULE is
# the path that others import it by, gtrace if it is not given. With WASM, which
# `c/web/build.sh gtrace.wasm` makes, FOLDER/cmd/gtrace is a module of its own that
# Go alone builds: the command, which runs that file, and also its C code, for the
# build tag gtrace_native. The go command fetches what runs it, and records its sums.
set -eu

usage="usage: module.sh FOLDER [MODULE [WASM]]"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
[123]:[!-]*) ;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
here=$(cd "$(dirname "$0")" && pwd)
module=${2:-gtrace}
case $module in
*[!A-Za-z0-9./_~-]* | "")
	echo "module.sh: $module is no path of a module" >&2
	exit 2
	;;
esac
case ${3:-} in
"" | /*) wasm=${3:-} ;;
*) wasm=$PWD/$3 ;;
esac
mkdir -p "$1"
to=$(cd "$1" && pwd)
if [ -n "$(ls -A "$to")" ]; then
	echo "module.sh: $1 is not empty" >&2
	exit 2
fi

"$here/package.sh" "$to"
cp "$here/../LICENSE" "$to"
sed "s,^module gtrace$,module $module," "$here/gtrace/go.mod" >"$to/go.mod"
for file in "$here"/gtrace/example*_test.go; do
	sed "s,\"gtrace\",\"$module\",; s,\"\.\./\.\./testdata/,\"testdata/," \
		"$file" >"$to/${file##*/}"
	sed -n 's,.*"\.\./\.\./testdata/\([^"]*\)".*,\1,p' "$file"
done | sort -u | while read -r trace; do
	mkdir -p "$to/testdata/$(dirname "$trace")"
	cp "$here/../testdata/$trace" "$to/testdata/$trace"
done
[ -n "${3:-}" ] || exit 0

cd "$here/.."
mkdir -p "$to/cmd/gtrace/native"
cp LICENSE go/command/*.go "$to/cmd/gtrace"
cp "$wasm" "$to/cmd/gtrace/gtrace.wasm"
sed "s,^module gtrace/,module $module/," go/command/go.mod >"$to/cmd/gtrace/go.mod"
# cgo compiles the C files of one folder, and these are in several: each has one
# there that includes it. None has the name of another.
for file in c/*.c c/base/*.c c/analysis/*.c c/feed/*.c c/v1/*.c c/v2/*.c c/edit/*.c \
	c/report/*.c c/tables/*.c c/tools/*.c; do
	copy=$to/cmd/gtrace/native/$file
	mkdir -p "$(dirname "$copy")"
	cp "$file" "$copy"
	main=
	[ "$file" != c/tools/gtrace.c ] || main='#define main gtrace_main\n'
	printf "//go:build gtrace_native\n\n$main"'#include "native/%s"\n' "$file" \
		>"$to/cmd/gtrace/$(echo "${file#c/}" | tr / _)"
done
find c -name '*.h' -o -name '*.inc' | while read -r file; do
	mkdir -p "$to/cmd/gtrace/native/$(dirname "$file")"
	cp "$file" "$to/cmd/gtrace/native/$file"
done
cd "$to/cmd/gtrace"
GOFLAGS=-mod=mod GOWORK=off go mod tidy
