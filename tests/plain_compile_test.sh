#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# plain_compile_test.sh FILE... - the sources need no build system: one call of
# the C compiler, with two -I, makes the command of them.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sources=
for file in "$@"; do
	case $file in
	*.c) sources="$sources $file" ;;
	esac
done
# shellcheck disable=SC2086
cc -Ic -Ic/include $sources -pthread -o "$scratch/gtrace"
"$scratch/gtrace" -version | grep -q '^gtrace '
echo "plain_compile_test.sh: it compiles"
