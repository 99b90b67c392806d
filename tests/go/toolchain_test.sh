#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# toolchain_test.sh GTRACE GOROOT [CACHE] - proves that `go tool trace` of a patched
# toolchain prints the reports of all testdata as it should, in each format byte
# for byte what the command GTRACE prints, and answers wrong use as the usage
# text and its own parser would.
set -euo pipefail

gtrace=$1
shift
goroot=$1
go=$(readlink -f "$goroot")/bin/go
small=testdata/go1.8-small/chan.trace
. tests/go/env.sh
# From Go 1.25 on the go command builds the tool when it is asked for.
[ $# -lt 2 ] || go_cache "$2"
failures=0

fail() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}

# expect STATUS STDERR ARG... - runs the tool, which prints no report. Not every
# go command passes on the tool's status.
expect() {
	local want=$1 message=$2 status=0
	shift 2
	"$tool" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
	[ "$status" -eq "$want" ] || fail "$*: exit $status, want $want"
	[ ! -s "$scratch/out" ] || fail "$*: printed $(head -c 200 "$scratch/out")"
	[ "$(head -n 1 "$scratch/err")" = "$message" ] ||
		fail "$*: says $(head -n 1 "$scratch/err"), want $message"
}

"$go" version
tests/golden/golden.sh testdata "$go" tool trace || fail testdata
# The go command takes longer to find the tool than the tool takes for a small
# trace, so it does it once.
tool=$("$go" tool -n trace)

# The text of all other traces is that of the command, of which command_test.sh
# proves that it is as it should be: all reports at once, as the tool takes
# longer to start than to read a small trace.
reports="-diagreedy=10 -stw=10 -wait=10 -delay=10 -block=10 -goroutines=10 -requests=10 -gctrace -schedtrace=1ms -dump"
texts=0
for trace in testdata/*-small/*.trace testdata/stops/*.trace; do
	"$gtrace" $reports -format=text "$trace" >"$scratch/want"
	"$tool" $reports "$trace" | cmp - "$scratch/want" ||
		fail "$trace"
	texts=$((texts + 1))
done
[ "$texts" -ge 80 ] || fail "$texts traces"

# JSON and CSV, of traces of every release.
formats=0
for trace in testdata/*-small/{idle,http,sys}.trace testdata/stops/*_{copy,sys}.trace; do
	[ -f "$trace" ] || continue
	"$gtrace" $reports -format=json "$trace" >"$scratch/want"
	"$tool" $reports -format=json "$trace" |
		cmp - "$scratch/want" || fail "-format=json $trace"
	for report in $reports; do
		"$gtrace" $report -format=csv "$trace" >"$scratch/want"
		# Not every trace has requests or collections.
		[ -s "$scratch/want" ] || fail "$report $trace: not even a header"
		"$tool" $report -format=csv "$trace" | cmp - "$scratch/want" ||
			fail "$report -format=csv $trace"
	done
	formats=$((formats + 1))
done
[ "$formats" -ge 15 ] || fail "$formats traces as JSON and CSV"
"$gtrace" -diagreedy=3 -stw=2 -wait=2 -dump -format=text "$small" >"$scratch/want"
"$tool" -dump -wait=2 -stw=2 -diagreedy=3 -format=text "$small" | cmp - "$scratch/want" ||
	fail "-format=text"

# Nothing on stderr, all reports in their order, from any folder, of a pipe.
"$go" tool trace -diagreedy=3 "$small" >"$scratch/greedy" 2>"$scratch/err"
"$go" tool trace -stw=2 "$small" >"$scratch/stops" 2>>"$scratch/err"
"$go" tool trace -wait=2 "$small" >"$scratch/waits" 2>>"$scratch/err"
"$go" tool trace -delay=2 "$small" >"$scratch/delays" 2>>"$scratch/err"
"$go" tool trace -block=2 "$small" >"$scratch/blocks" 2>>"$scratch/err"
"$go" tool trace -goroutines=2 -requests=2 "$small" >"$scratch/lives" 2>>"$scratch/err"
"$go" tool trace -gctrace -schedtrace=1ms "$small" >"$scratch/sched" 2>>"$scratch/err"
"$go" tool trace -dump "$small" >"$scratch/dump" 2>>"$scratch/err"
[ ! -s "$scratch/err" ] || fail "on stderr: $(cat "$scratch/err")"
cat "$scratch/greedy" "$scratch/stops" "$scratch/waits" "$scratch/delays" \
	"$scratch/blocks" "$scratch/lives" "$scratch/sched" "$scratch/dump" >"$scratch/all"
"$go" tool trace -dump -schedtrace 1ms -gctrace -requests=2 -goroutines 2 -block=2 -delay 2 -wait=2 -stw=2 -diagreedy 3 "$small" | cmp - "$scratch/all" ||
	fail "all reports at once differ from one after the other"
# shellcheck disable=SC2002 # a pipe is meant
cat "$small" | "$go" tool trace -dump -schedtrace=1ms -gctrace -requests=2 -goroutines=2 -block=2 -delay=2 -wait=2 -stw=2 -diagreedy=3 /dev/stdin |
	cmp - "$scratch/all" || fail "a trace from a pipe reads differently"
cp "$small" "$scratch/trace.out"
(cd "$scratch" && "$go" tool trace -diagreedy=3 trace.out) |
	cmp - "$scratch/greedy" || fail "another folder gives another report"

# head has seen enough after one line, which is no error worth words.
"$go" tool trace -dump "$small" 2>"$scratch/err" | head -n 1 >/dev/null || true
[ ! -s "$scratch/err" ] || fail "| head: $(cat "$scratch/err")"

echo "this text is no trace of a program" >"$scratch/text"
: >"$scratch/empty"
expect 1 "failed to open trace file: open $scratch/none: no such file or directory" \
	-diagreedy=1 "$scratch/none"
expect 1 "failed to parse trace: not a trace file" -dump "$scratch/text"
expect 1 "failed to parse trace: failed to read header: read 0, err EOF" \
	-diagreedy=1 -dump "$scratch/empty"
expect 1 "diagreedyFlag N must be bigger than 0" \
	-diagreedy=-1 "$small"
for flag in -stw -wait -delay -block -goroutines -requests; do
	expect 1 "$flag=N: N must not be below 0" $flag=-1 "$small"
done
flags="-diagreedy, -stw, -wait, -delay, -block, -goroutines, -requests, -gctrace, -schedtrace, -dump"
expect 2 "-pprof cannot be combined with reports ($flags)" \
	-pprof=net -diagreedy=1 "$small"
expect 2 "-http cannot be combined with reports ($flags)" \
	-http=localhost:0 -dump "$small"
expect 2 "-http cannot be combined with reports ($flags)" \
	-http=localhost:0 -wait=1 "$small"
expect 2 '-format="xml": want text, json or csv' \
	-format=xml -dump "$small"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-format=xml: $(cat "$scratch/err")"
expect 2 "-format is for reports ($flags)" \
	-format=json "$small"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-format=json: $(cat "$scratch/err")"
expect 2 "-format=csv is for one report at a time" \
	-format=csv -stw=1 -dump "$small"
printf 'go 1.99 trace\0\0\0' >"$scratch/future"
expect 1 "failed to parse trace: unsupported trace file version 1.99 (update Go toolchain) 1099" \
	-dump "$scratch/future"
[ "$(sed -n 2p "$scratch/err")" = "reports read traces of Go 1.5 to Go 1.27" ] ||
	fail "a later version: $(cat "$scratch/err")"

# A trace of Go 1.5, which later tools do not read otherwise, and its program.
"$go" tool trace -dump "$go" testdata/attack/start-pc-wraps.trace \
	>"$scratch/dump" || fail "a trace of Go 1.5: exit $?"
grep -q ' GoStart Ts: ' "$scratch/dump" || fail "a trace of Go 1.5: no event"

"$go" tool trace 2>"$scratch/usage" && fail "no arguments: exit 0"
grep -A 11 -- -pprof=type: "$scratch/usage" | tail -n 11 >"$scratch/lines"
printf '\t-dump: dump all traced out as format text to stdout\n' >"$scratch/want"
printf '\t-diagreedy=N: dump the top N greedy goroutines\n' >>"$scratch/want"
printf '\t-stw=N: who held up the stop-the-world pauses, the N that took longest\n' >>"$scratch/want"
printf '\t-wait=N: the N longest waits for a processor: behind whom\n' >>"$scratch/want"
printf '\t-delay=N: the N slices that made others wait longest\n' >>"$scratch/want"
printf '\t-block=N: the N places where goroutines were blocked longest\n' >>"$scratch/want"
printf '\t-goroutines=N: goroutines by function: where their time went\n' >>"$scratch/want"
printf '\t-requests=N: requests, tasks and regions: where their time went\n' >>"$scratch/want"
printf '\t-gctrace: garbage collections, as GODEBUG=gctrace=1 prints them\n' >>"$scratch/want"
printf '\t-schedtrace=time: the scheduler at these intervals, such as 100ms\n' >>"$scratch/want"
printf '\t-format=type: print these as text, json or csv\n' >>"$scratch/want"
cmp "$scratch/lines" "$scratch/want" || fail "usage: $(cat "$scratch/lines")"

# The pages, in a browser where the tool's viewer is another.
version=$(sed -n 1p "$goroot/VERSION")
browse=
case $version in
go1.8* | go1.19* | go1.27*) browse=browse ;;
esac
if ! command -v python3 >/dev/null; then
	echo "skipped: the pages: no python3"
elif ! GOROOT=$goroot python3 -B tests/go/pages_test.py \
	"$tool" "$version" "$scratch" $browse; then
	fail "the pages"
fi

[ "$failures" -eq 0 ]
