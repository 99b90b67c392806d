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
for example in "before 10 1,10" "after 1 1,9" "go1.27-small/stw 2 1,8"; do
	# shellcheck disable=SC2086
	set -- $example
	"$gtrace" -diagreedy="$2" "testdata/$1.trace" | sed -n "$3p" >"$scratch/printed"
	sed -n 's/^	//p' "$readme" >"$scratch/examples"
	first=$(grep -nF "toppest $2 greedy" "$scratch/examples" | cut -d : -f 1)
	count=$(wc -l <"$scratch/printed")
	tail -n "+$first" "$scratch/examples" | head -n "$count" |
		diff - "$scratch/printed"
done
"$gtrace" -stw=1 testdata/stops/go1.27_copy.trace | sed -n '13,26p' >"$scratch/printed"
first=$(grep -nF "stopping 4077.888us" "$scratch/examples" | cut -d : -f 1)
tail -n "+$first" "$scratch/examples" | head -n "$(wc -l <"$scratch/printed")" |
	diff - "$scratch/printed"
echo "readme_test.sh: the table and the examples are true"
