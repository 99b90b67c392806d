#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# amalgamation_test.sh COMPILER LEVEL GTRACE.C GTRACE.H TOOLS... - the library in
# one file compiles with LEVEL, which is -O0 or -O2, -fPIC and -c alone, and
# without a warning; it defines what the archive defines; and the command, built
# on it from TOOLS, prints what it should of all testdata. symbols_test.sh lets
# memory.o alone use malloc, so the object has that name.
set -eu

compiler=$1
level=$2
source=$3
header=$4
shift 4
if ! command -v "$compiler" >/dev/null; then
	echo "skipped: no $compiler"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/gtrace"
cp "$source" "$header" "$scratch/gtrace"

(
	cd "$scratch/gtrace"
	"$compiler" "$level" -fPIC -c gtrace.c -o "$scratch/memory.o"
	# What c/copts.bzl asks of each file.
	"$compiler" -std=c11 -pedantic-errors -Wall -Wextra -Wconversion \
		-Wimplicit-fallthrough -Wmissing-declarations \
		-Wmissing-prototypes -Wshadow -Wsign-compare \
		-Wstrict-prototypes -Wundef -Wvla -Werror \
		-fsyntax-only gtrace.c
)
ar rc "$scratch/libgtrace.a" "$scratch/memory.o"
sh tests/symbols_test.sh "$scratch/libgtrace.a" "$scratch/gtrace/gtrace.h"

tools=
for file in "$@"; do
	case $file in
	*.c) tools="$tools $file" ;;
	esac
done
# shellcheck disable=SC2086
"$compiler" -Ic -I"$scratch" $tools "$scratch/memory.o" -pthread \
	-o "$scratch/command"
for folder in testdata testdata/*-small; do
	sh tests/golden/golden.sh "$folder" "$scratch/command"
done
echo "amalgamation_test.sh: $compiler $level, $(wc -l <"$source") lines"
