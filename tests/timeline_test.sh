#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# timeline_test.sh GTRACE GENERATE - timelines by the rules of the format and against the
# reports as JSON, by timeline_test.py, which takes python3; and in the trace
# viewer that the sources of Go contain, in headless Chromium, if both are
# installed. What is said of a timeline of more than 100 MB, of a trace that
# GENERATE (tests/bench/generate.c) makes.
set -eu

gtrace=$1
generate=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# said ARGUMENT... - prints the size of a timeline; what is said is in err.
said() {
	"$gtrace" -timeline "$@" "$scratch/big.trace" 2>"$scratch/err" | wc -c
}

"$generate" -version=1026 -events=1800000 -out="$scratch/big.trace" >"$scratch/null"
size=$(said)
want="gtrace: the timeline has $((size / 1000000)) MB; -min leaves out shorter slices and pauses, such as -min=100us"
if [ "$size" -le 100000000 ] || [ "$(cat "$scratch/err")" != "$want" ]; then
	echo "timeline_test.sh: of $size bytes: $(cat "$scratch/err"), not: $want"
	exit 1
fi
size=$(said -min=100us)
if [ "$size" -gt 100000000 ] || [ -s "$scratch/err" ]; then
	echo "timeline_test.sh: of $size bytes: $(cat "$scratch/err")"
	exit 1
fi
rm "$scratch/big.trace"

if ! command -v python3 >/dev/null; then
	echo "skipped: no python3"
	exit
fi
HOME=$scratch python3 -B tests/timeline_test.py "$gtrace" "$scratch"
