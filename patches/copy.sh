#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# copy.sh GOROOT - puts the library and its Go package into a Go source tree,
# as src/cmd/trace/internal/gtrace.
#
# cgo compiles the C files of a package's own folder and of no other, and the
# go command rebuilds a package when a file in its folder changes. So the
# folders of the library become parts of the file names (base/fail.c is
# base_fail.c there), and the includes follow.
set -eu

if [ $# -ne 1 ] || [ ! -d "$1/src/cmd/trace" ]; then
	echo "usage: copy.sh GOROOT, a folder that has src/cmd/trace" >&2
	exit 2
fi
from=$(cd "$(dirname "$0")/.." && pwd)
to=$(cd "$1" && pwd)/src/cmd/trace/internal/gtrace

# Includes of the library's own headers, by their names in the package.
includes='
	s,^\( *# *include  *\)"\([a-z0-9]*\)/\([^"]*\)",\1"\2_\3",
	s,^\( *# *include  *\)<gtrace/\([^>]*\)>,\1"\2",
'

rm -rf "$to"
mkdir -p "$to"
for file in "$from"/go/gtrace/*.go; do
	case ${file##*/} in
	# The place of the library in this repository, and what tests it there.
	cgo.go | *_test.go) ;;
	*) sed "$includes" "$file" >"$to/${file##*/}" ;;
	esac
done

cd "$from/c"
for file in include/gtrace/*.h *.[ch] */*.[ch]; do
	case $file in
	include/*) name=${file##*/} ;;
	tools/* | fuzz/*) continue ;;
	*/*) name=${file%%/*}_${file#*/} ;;
	*) name=$file ;;
	esac
	case $name in
	*.c)
		# C is not allowed in a build without cgo, so it is built
		# where print.go is.
		sed -n '/^\/\/go:build/p; /^\/\/ +build/p' \
			"$from/go/gtrace/print.go"
		echo
		;;
	esac >"$to/$name"
	sed "$includes" "$file" >>"$to/$name"
done
