#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# collections_test.sh GTRACE - -gctrace and -schedtrace on traces of each release,
# against what another program makes of them; their flags; and programs that were
# written for the lines of GODEBUG, over these lines and over those of a trace of
# the same run.
set -eu

gtrace=$1
data=testdata/collections
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trace=testdata/go1.22-small/gc.trace

fail() {
	echo "collections_test.sh: $*"
	exit 1
}

# -- against another program --

cat >"$scratch/same.py" <<'PYTHON'
"""same.py GOT WANT - the lines of WANT have the members of those of GOT."""
import json
import sys

got, want = ([json.loads(line) for line in open(path, encoding="utf-8")]
             for path in sys.argv[1:])
assert len(got) == len(want), (len(got), len(want))
for number, (one, other) in enumerate(zip(got, want), 1):
    for name in other:
        assert one.get(name) == other[name], (
            number, name, one.get(name), other[name])
    # tests/invariants.py has those of sweeps.
    more = {name for name in set(one) - set(other)
            if not name.startswith("sweep")}
    assert more == {"trace"}, (number, more)
PYTHON

count=0
tail -n +2 $data/list.tsv | while read -r name path interval; do
	for flag in gctrace schedtrace=$interval; do
		want=$data/$name.${flag%=*}
		"$gtrace" "-$flag" "testdata/$path" >"$scratch/got"
		cmp "$scratch/got" "$want" || fail "$name: -$flag"
		command -v python3 >"$scratch/null" || continue
		"$gtrace" "-$flag" -format=json "testdata/$path" \
			>"$scratch/got"
		python3 -B "$scratch/same.py" "$scratch/got" "$want.json" ||
			fail "$name: -$flag as JSON"
	done
	count=$((count + 1))
	echo $count >"$scratch/count"
done
[ "$(cat "$scratch/count")" -ge 11 ] || fail "only some of the traces"

# -- summaries --

# summary WORDS TRACE [FLAG] - its summary says so of the collections.
summary() {
	"$gtrace" ${3:-} "testdata/$2" | tr '\n' ' ' |
		grep -qF ": $1; the tracer itself: " || fail "$2 ${3:-}: not $1"
}
summary "93 % of the time, at most 57 % of processor time; assists did about \
33 % of the marking and held main.tree for 1.80 s" collections/go1.22_trees.trace
summary "19 % of the time, at most 4 % of processor time; assists did about \
20 % of the marking and held goroutines for 72.8 ms" go1.22-small/wide.trace
summary "58 % of the time, at most 18 % of processor time; assists did about \
21 % of the marking and held main.chans.func2, in time.NewTimer, for 318 ms" \
	go1.27-small/wide.trace
summary "27 % of the time, at most 11 % of processor time" stops/go1.27_copy.trace
summary "93 % of the time" collections/go1.22_trees.trace -min=1us

# finding WORDS TRACE - they are in its first finding.
finding() {
	"$gtrace" "testdata/$2" | tr '\n' ' ' | sed 's/Next:.*//' |
		grep -qF "$1" || fail "$2: no finding says: $1"
}
finding "most by mark assists (353 ms): 11 collections, 90 % of the trace; \
main.main (main.go:137) waited or helped longest; the goal is 1.06 \
times what lives: GOMEMLIMIT or GOGC" collections/go1.27_limit.trace

# -- flags --

"$gtrace" -gctrace=1 $trace | cmp - $data/go1.22_gc.gctrace || fail "-gctrace=1"
[ "$("$gtrace" -gctrace -rows=0 $trace | wc -l)" -eq 7 ] || fail "-rows=0"
"$gtrace" -gctrace -rows=2 $trace >"$scratch/got"
sed -n '/^ *gc  stopped/,/^ *all/p' "$scratch/got" | wc -l | grep -q '^ *4$' ||
	fail "-rows=2"
"$gtrace" -schedtrace=2ms -gctrace -stw=1 $trace >"$scratch/got"
grep -n '^stop-the-world\|^collections:\|^SCHED  2.000ms' "$scratch/got" |
	sed 's/[0-9]*:\(.....\).*/\1/' | tr '\n' ' ' |
	grep -q '^stop- colle SCHED $' || fail "the order of reports"
for flag in -rows=9 -block=1 -goroutines=1 -wait=1; do
	"$gtrace" -schedtrace=2ms -gctrace $flag $trace |
		grep '^SCHED\|^gc ' >"$scratch/got$flag"
	cmp "$scratch/got-rows=9" "$scratch/got$flag" ||
		fail "$flag changes -schedtrace or -gctrace"
done
"$gtrace" -gctrace -schedtrace=0 $trace | cmp - $data/go1.22_gc.gctrace ||
	fail "-schedtrace=0"
"$gtrace" -gctrace -from=3ms -to=7ms $trace >"$scratch/got"
grep '^gc ' "$scratch/got" | sed -E 's/gc +([0-9]+) .*%: .*/\1/' | tr '\n' ' ' |
	grep -q '^3 4 $' || fail "-from and -to"
grep -q '^gc 3 @0.003s 19%: ' "$scratch/got" ||
	fail "a filter changes a percentage"
grep -q outside "$scratch/got" && fail "a filter leaves the rest of the trace"
[ "$("$gtrace" -schedtrace=2ms -from=5ms -to=8ms $trace |
	sed -E 's/SCHED +([0-9.]+)ms.*/\1/' | tr '\n' ' ')" = "6.000 8.000 " ] ||
	fail "-from and -to of -schedtrace"
"$gtrace" -gctrace -rows=0 $trace testdata/go1.8-small/gc.trace |
	grep -n '^==> .* <==$' | cut -d : -f 1 | tr '\n' ' ' |
	grep -q '^1 9 $' || fail "two traces"
[ "$("$gtrace" -gctrace testdata/go1.27-small/cgo.trace)" = "collections: 0" ] ||
	fail "a trace without collections"
[ -z "$("$gtrace" -gctrace -format=json testdata/go1.27-small/cgo.trace)" ] ||
	fail "a trace without collections as JSON"
"$gtrace" -gctrace -format=csv $trace | tr -d '\r' >"$scratch/got"
head -n 1 "$scratch/got" | grep -q '^trace,unit,n,reason,g,' || fail "CSV"
[ "$(wc -l <"$scratch/got")" -eq 6 ] || fail "CSV has other records"

# usage FLAGS... - they do not go together.
usage() {
	status=0
	"$gtrace" "$@" $trace >"$scratch/out" 2>"$scratch/error" || status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status"
	[ ! -s "$scratch/out" ] || fail "$*: there is output"
	grep -q '^gtrace: ' "$scratch/error" || fail "$*: no message"
}
usage -gctrace -g=1
usage -gctrace -p=1
usage -gctrace -user
usage -gctrace -min=1ms
usage -gctrace -func=main
usage -schedtrace=1ms -g=1
usage -gctrace -schedtrace=1ms -format=csv
usage -gctrace -rows=-1
usage -schedtrace=-1ms
usage -schedtrace=100
grep -q 100ms "$scratch/error" || fail "GODEBUG's 100 is 100ms"

# -- programs for GODEBUG --

# over COMMAND... - it finds the same in both files.
over() {
	"$@" <$data/run.godebug >"$scratch/want"
	"$@" <"$scratch/plain" >"$scratch/found"
	[ -s "$scratch/want" ] || fail "$*: nothing"
	cmp "$scratch/found" "$scratch/want" || fail "$*"
}

# Blanks pad values; without them the lines are those of the runtime.
"$gtrace" -gctrace -rows=0 -schedtrace=5ms $data/run.trace |
	sed -E 's/([@+\/>]) +/\1/g; s/  +/ /g' >"$scratch/plain"
over awk '/^gc / { split($11, heap, "->"); print $2, heap[1], heap[2], heap[3], $13 }'
over grep -c '(forced)'
over awk '/^gc / { split($5, clock, "+"); if (clock[2] > 0.5) print $2 }'
over sh -c "grep -o '^SCHED [0-9.]*ms: gomaxprocs=[0-9]*' | sed 's/.*=//' | sort -u"
echo "ok"
