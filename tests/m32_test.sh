#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# m32_test.sh GTRACE FILE... - compiled for 32 bits, with AddressSanitizer and
# UndefinedBehaviorSanitizer, the command of the sources FILE prints what GTRACE
# does of all traces. Takes a 32-bit C library (gcc-multilib).
set -eu

gtrace=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo 'int main(void) { return 0; }' >"$scratch/main.c"
if ! gcc -m32 -fsanitize=address "$scratch/main.c" -o "$scratch/main" 2>/dev/null; then
	echo "skipped: no 32-bit C library (apt-get install gcc-multilib)"
	exit
fi
sources=
for file in "$@"; do
	case $file in
	*.c) sources="$sources $file" ;;
	esac
done
# SSE2, as x87 computes with other precision, which shows in pictures.
# shellcheck disable=SC2086
gcc -m32 -msse2 -mfpmath=sse -std=c11 -g -O1 -DSANITIZED -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined -Ic -Ic/include $sources -pthread -o "$scratch/gtrace"
all="-diagreedy=10 -stw=10 -wait=10 -delay=10 -block=10 -goroutines=10 -requests=10 -gctrace -schedtrace=1ms"
runs=0
for trace in testdata/*-small/*.trace testdata/stops/*.trace testdata/attack/*.trace; do
	for flags in "" "$all" "$all -format=json" -dump -html=-; do
		# shellcheck disable=SC2086
		"$gtrace" $flags "$trace" >"$scratch/want" 2>&1 || true
		# shellcheck disable=SC2086
		"$scratch/gtrace" $flags "$trace" >"$scratch/got" 2>&1 || true
		# Events have addresses, of 32 or 64 bits.
		sed -i 's/0x[0-9a-f]*//g' "$scratch/want" "$scratch/got"
		cmp "$scratch/want" "$scratch/got" || { echo "m32_test.sh: $flags $trace" && exit 1; }
		runs=$((runs + 1))
	done
done
echo "m32_test.sh: $runs runs"
[ "$runs" -ge 500 ]
