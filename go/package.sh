#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# package.sh FOLDER - writes package gtrace to FOLDER so that the go command
# alone can build it: its Go files without their tests, and the library as
# gtrace.c and gtrace.h, which cgo compiles.
set -eu

usage="usage: package.sh FOLDER"
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
if ! [ -d "$1" ]; then
	echo "package.sh: $1 is not a folder" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
to=$(cd "$1" && pwd)
if [ -e "$to/cgo.go" ]; then
	echo "package.sh: $1 has the files that would be copied to it" >&2
	exit 2
fi

# Not in quotes: for these the compiler looks first in the folder of the file
# that it compiles, and cgo has that in the folder for temporary files.
for file in "$here"/gtrace/*.go; do
	case ${file##*/} in
	# The place of the library in this repository, and what tests it there.
	cgo.go | *_test.go) ;;
	*)
		sed 's,^#include <gtrace/gtrace\.h>,#include <gtrace.h>,' \
			"$file" >"$to/${file##*/}"
		;;
	esac
done

# C is not allowed in a build without cgo, so it is built where print.go is.
"$here/../c/amalgamate.sh" "$to"
{
	sed -n '/^\/\/go:build/p; /^\/\/ +build/p' "$here/gtrace/print.go"
	echo
	cat "$to/gtrace.c"
} >"$to/gtrace.c.new"
mv "$to/gtrace.c.new" "$to/gtrace.c"
