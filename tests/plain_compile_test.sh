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

# For 32 bits it does not, and says so. A machine without a 32-bit C library
# has its headers but for one file, which is empty for this purpose.
include=/usr/include/$(cc -print-multiarch 2>/dev/null)
mkdir "$scratch/gnu"
: >"$scratch/gnu/stubs-32.h"
cc32() {
	cc -m32 -std=c11 -I"$scratch" -isystem "$include" -fsyntax-only "$@" 2>&1
}
printf '#include <stdlib.h>\n#include <string.h>\n' >"$scratch/control.c"
if ! cc32 "$scratch/control.c" >/dev/null; then
	echo "skipped: this compiler makes no 32-bit code"
	exit 0
fi
if cc32 -Ic -Ic/include c/base/memory.c >"$scratch/said"; then
	echo "plain_compile_test.sh: it compiles for 32 bits too"
	exit 1
fi
grep -q 'error.*gtrace is for 64-bit systems' "$scratch/said"
echo "plain_compile_test.sh: for 32 bits it says why it does not"
