#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# module.sh FOLDER [MODULE] - writes package gtrace to the empty folder FOLDER as
# a module that the go command and a C compiler build: with the library's C
# code, the licence, and the examples with the traces that they read. MODULE is
# the path that others import it by, gtrace if it is not given.
set -eu

usage="usage: module.sh FOLDER [MODULE]"
case $#:${1:-} in
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
[12]:[!-]*) ;;
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
