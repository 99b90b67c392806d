#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# began_test.sh GTRACE - reports say when a trace began, if it tells, once, and only
# where their form is that for people; and times of day select what times since the
# first event do. The command to read next can be run.
set -eu

gtrace=$1
trace=testdata/go1.27-small/http.trace
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
out=$scratch/out

fail() {
	echo "began_test.sh: $*"
	exit 1
}

began='the trace began at 2026-11-21 19:27:52.571 UTC'
all="-stw=2 -wait=2 -delay=2 -block=2 -goroutines=2 -requests=2"
for reports in $all -diagreedy=2 -critical-path=2 "$all"; do
	# shellcheck disable=SC2086
	"$gtrace" $reports -format=short "$trace" >"$out"
	[ "$(head -n 1 "$out")" = "$began" ] || fail "$reports: $(head -n 1 "$out")"
	[ "$(grep -c "$began" "$out")" -eq 1 ] || fail "$reports says it again"
	# shellcheck disable=SC2086
	"$gtrace" $reports -format=text "$trace" | grep -q " UTC" && fail "$reports has another form"
	# Up to Go 1.24 it is not known.
	# shellcheck disable=SC2086
	"$gtrace" $reports -format=short testdata/go1.22-small/http.trace | grep -q " began at " && fail "$reports: Go 1.22"
done
for reports in -diagreedy=2 -dump -gctrace -schedtrace=10ms "-gctrace -schedtrace=10ms"; do
	# shellcheck disable=SC2086
	"$gtrace" $reports "$trace" | grep -q " UTC" && fail "$reports has another form"
done
"$gtrace" -stw=2 "$trace" testdata/go1.22-small/http.trace testdata/go1.27-small/stw.trace >"$out"
grep -c '^the trace began at ' "$out" | grep -qx 2 || fail "of several traces"
grep -q "^trace: testdata/go1.27-small/stw.trace$" "$out" || fail "the names of several traces"
"$gtrace" -timeline "$trace" | grep -q '"began":"2026-11-21 19:27:52.571 UTC"' || fail "timeline"
"$gtrace" -html="$scratch/page" "$trace"
grep -q '>2026-11-21 19:27:52.571 UTC<' "$scratch/page" || fail "page"

# The next command is one that can be run: standard input cannot be read again.
cat "$trace" | "$gtrace" - >"$out"
grep -qx "Next, with the trace saved as FILE: gtrace -wait=10 FILE" "$out" || fail "a command without a file"
cat "$trace" | "$gtrace" -html="$scratch/page" -
grep -q '>gtrace -wait=10 FILE</code>' "$scratch/page" || fail "a command without a file in a page"
cp "$trace" "$scratch/it's"
"$gtrace" "$scratch/it's" | grep -q "^Next, with .* FILE$" || fail "a command without a name"
"$gtrace" "$trace" | grep -qx "Next: gtrace -wait=10 $trace" || fail "a command with a file"

# From 10 to 20 ms after the first event.
start=$("$gtrace" -format=json "$trace" | sed 's/.*"began":\([0-9]*\).*/\1/')
clock() {
	at=$(((start + $1) / 1000 % 86400000000))
	printf '%d:%02d:%02d.%06d' $((at / 3600000000)) $((at / 60000000 % 60)) $((at / 1000000 % 60)) $((at % 1000000))
}
for reports in -stw=9 -wait=9 -block=9 -goroutines=9 "-format=json" -diagreedy=9; do
	from=$(clock 10000000) to=$(clock 20000000)
	rest=$((start % 1000))
	# shellcheck disable=SC2086
	"$gtrace" $reports -from=$((10000000 - rest))ns -to=$((20000000 - rest))ns "$trace" >"$scratch/want"
	# shellcheck disable=SC2086
	"$gtrace" $reports -from="$from" -to="$to" "$trace" >"$out"
	cmp "$out" "$scratch/want" || fail "$reports -from=$from -to=$to"
done
echo "began_test.sh: when traces began is told"
