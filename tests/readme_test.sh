#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# readme_test.sh GTRACE README - README.md is true: its table has the versions
# that gtrace reads, no more and no less, and its examples are what gtrace
# prints.
set -eu

gtrace=$1
readme=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf 'go 1.99 trace\0\0\0' >"$scratch/newer"
"$gtrace" -dump "$scratch/newer" 2>"$scratch/err" || true
sed -n 's/.*(trace versions \(.*\))$/\1/p' "$scratch/err" | tr ' ' '\n' >"$scratch/read"
sed -n 's/^| Go [^|]*| \([0-9.]*\) |$/\1/p' "$readme" >"$scratch/table"
[ -s "$scratch/read" ]
diff "$scratch/table" "$scratch/read"

# An example is indented by one tab more than what is printed.
sed -n 's/^	//p' "$readme" >"$scratch/examples"

# shows FIRST - whether README.md has the lines in $scratch/printed as an
# example, of which FIRST is in the first line.
shows() {
	first=$(grep -nF "$1" "$scratch/examples" | cut -d : -f 1)
	tail -n "+$first" "$scratch/examples" | head -n "$(wc -l <"$scratch/printed")" |
		diff - "$scratch/printed"
}

"$gtrace" testdata/stops/go1.27_copy.trace | grep . >"$scratch/printed"
shows "main.copyOnce (main.go:89) held up"
"$gtrace" -diagreedy=10 testdata/before.trace | sed -n '1,10p' >"$scratch/printed"
shows "toppest 10 greedy"
"$gtrace" -delay=1 testdata/before.trace >"$scratch/printed"
shows "delay: goroutines waited"
"$gtrace" -wait=1 testdata/before.trace | sed -n '/^the 1 longest/,$p' >"$scratch/printed"
shows "the 1 longest"
"$gtrace" -block=1 testdata/go1.19-small/lock.trace >"$scratch/printed"
shows "blocked 1 time"
"$gtrace" -stw=1 testdata/stops/go1.27_copy.trace | sed -n '13,26p' >"$scratch/printed"
shows "stopping 4077.888us"
"$gtrace" -gctrace testdata/collections/run.trace | grep '^gc [123]' >"$scratch/printed"
shows "gc 1 @0.000s"
grep '^gc [123]' testdata/collections/run.godebug >"$scratch/printed"
shows "gc 1 @0.001s"
echo "readme_test.sh: the table and the examples are true"
