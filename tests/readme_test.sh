#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# readme_test.sh GTRACE README PAGE... - README.md and the pages that it leads to
# are true: the table of versions has those that gtrace reads, no more and no less,
# and examples are what gtrace prints. readme.py runs the commands of README.md, and
# follows the links of all pages.
set -eu

gtrace=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 tests/readme.py "$gtrace" "$@"
shift

printf 'go 1.99 trace\0\0\0' >"$scratch/newer"
"$gtrace" -dump "$scratch/newer" 2>"$scratch/err" || true
sed -n 's/.*(trace versions \(.*\))$/\1/p' "$scratch/err" | tr ' ' '\n' >"$scratch/read"
sed -n 's/^| Go [^|]*| \([0-9.]*\) |$/\1/p' "$@" >"$scratch/table"
[ -s "$scratch/read" ]
diff "$scratch/table" "$scratch/read"

# An example is indented by one tab more than what is printed.
sed -n 's/^	//p' "$@" >"$scratch/examples"

# shows COUNT FLAG... TRACE - whether a page has the first COUNT lines that
# gtrace prints after those that BEFORE counts as one example.
before=0
shows() {
	count=$1
	shift
	"$gtrace" "$@" | grep . | tail -n "+$((before + 1))" | head -n "$count" \
		>"$scratch/printed"
	[ "$(wc -l <"$scratch/printed")" -eq "$count" ]
	found
}

# found - whether a page has the lines in $scratch/printed in this order.
found() {
	first=$(grep -nxF -m 1 "$(head -n 1 "$scratch/printed")" "$scratch/examples" |
		cut -d : -f 1)
	tail -n "+${first:-1}" "$scratch/examples" |
		head -n "$(wc -l <"$scratch/printed")" | diff - "$scratch/printed"
}

copy=testdata/stops/go1.27_copy.trace
shows 25 "$copy"
shows 16 -requests=1 -root='conn\).serve$' testdata/go1.27-small/http.trace
before=4 shows 8 -block=1 testdata/go1.19-small/lock.trace
shows 13 -critical-path=1 testdata/paths/pipeline.trace
before=1 shows 9 -critical-path=1 -format=text testdata/paths/fsync.trace
before=2 shows 6 -delay=1 testdata/before.trace
before=13 shows 7 -stw=1 "$copy"
shows 3 testdata/silences/stopped-go1.24.trace
shows 2 testdata/silences/sha1-go1.22.trace
shows 10 -diagreedy=10 testdata/before.trace
before=3 shows 3 -gctrace testdata/collections/run.trace
grep '^gc [234]' testdata/collections/run.godebug >"$scratch/printed"
found
shows 12 -delay=1 -format=text testdata/before.trace
"$gtrace" -wait=1 -format=text testdata/before.trace | sed -n '/^the 1 longest/,$p' >"$scratch/printed"
found
shows 11 -block=1 -format=text testdata/go1.19-small/lock.trace
before=12 shows 13 -stw=1 -format=text "$copy"
echo "readme_test.sh: the table and the examples are true"
