#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# command_test.sh GTRACE - the gtrace command: its flags, its exit status, and
# what it says of wrong use; and that it prints what testdata says, from files
# and pipes, by all ways through a trace.
set -eu

gtrace=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trace=testdata/go1.8-small/idle.trace
tests=0

fail() {
	echo "command_test.sh: $*"
	exit 1
}

# expect STATUS LINE ARGUMENT... - the exit status, and the first line of what
# is printed, beside that of when the trace began: to standard output if the status is 0, else to standard error,
# nothing being on standard output then.
expect() {
	want=$1
	line=$2
	shift 2
	got=0
	"$gtrace" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || got=$?
	[ "$got" -eq "$want" ] || fail "gtrace $*: status $got, want $want"
	text=$scratch/out
	if [ "$want" -ne 0 ]; then
		text=$scratch/err
		[ ! -s "$scratch/out" ] || fail "gtrace $*: output"
	fi
	first=$(grep -a -m 1 -v '^the trace began at ' "$text" || :)
	[ "$first" = "$line" ] || fail "gtrace $*: printed '$first', want '$line'"
	tests=$((tests + 1))
}

stw=testdata/stops/go1.21_sleep.trace
three="finally the found toppest 3 greedy goroutines info"
expect 0 "$three" -diagreedy=3 $trace
expect 0 "$three" -diagreedy 3 $trace
expect 0 "$three" --diagreedy=3 $trace
expect 0 "$three" -diagreedy=0x3 $trace
expect 0 "$three" -diagreedy=0X3 $trace
expect 0 "finally the found toppest 5 greedy goroutines info" -diagreedy=0XA $trace
expect 0 "$three" -diagreedy=+03 $trace
expect 0 "finally the found toppest 8 greedy goroutines info" -diagreedy=010 testdata/before.trace
expect 0 "$three" -diagreedy=3 -- $trace
# Flags after files; N is 10 if it is left out, and never taken for a file.
expect 0 "$three" $trace -diagreedy=3
expect 0 "$three" $trace -diagreedy 3
expect 0 "dump" $trace --dump
"$gtrace" -diagreedy=10 -stw=10 -dump testdata/before.trace >"$scratch/each"
for arguments in "-diagreedy -stw -dump testdata/before.trace" "testdata/before.trace -dump -stw -diagreedy" \
	"-diagreedy testdata/before.trace -stw=10 -dump" "-dump -diagreedy -stw -- testdata/before.trace"; do
	# shellcheck disable=SC2086 # words
	"$gtrace" $arguments >"$scratch/out"
	cmp "$scratch/each" "$scratch/out" || fail "$arguments"
done
"$gtrace" - -stw <testdata/before.trace >"$scratch/out" || fail "- before -stw"
"$gtrace" -stw - <testdata/before.trace | cmp - "$scratch/out" || fail "-stw -"
cp $trace "$scratch/-stw"
gtrace_path=$(readlink -f "$gtrace")
(cd "$scratch" && "$gtrace_path" -diagreedy=3 -- -stw) >"$scratch/out" || fail "a file -stw after --"
expect 1 "-x: no such file or directory" -- -x
# Several files keep their order, wherever flags are.
"$gtrace" -diagreedy=1 $trace testdata/before.trace $stw >"$scratch/each"
"$gtrace" $trace -diagreedy testdata/before.trace -diagreedy=1 $stw >"$scratch/out"
cmp "$scratch/each" "$scratch/out" || fail "files around flags"
expect 0 "$three" -diagreedy=3 -dump $trace
grep -q '^dump$' "$scratch/out" || fail "no dump after the report"
expect 0 "$three" -diagreedy=3 -dump=false $trace
! grep -q '^dump$' "$scratch/out" || fail "a dump that was not wanted"
printf '\177ELF, and so on.' >"$scratch/program"
expect 0 "$three" -diagreedy=3 "$scratch/program" $trace
expect 0 "$three" -diagreedy=3 -binary="$scratch/program" $trace
expect 0 "$three" -partial -diagreedy=3 $trace
[ ! -s "$scratch/err" ] || fail "-partial speaks of an undamaged trace"
expect 0 "dump" -dump $trace
expect 0 "dump" -diagreedy=0 -dump=T $trace
stops="stop-the-world pauses: 7 measured, 0 not measured, 0 inferred"
expect 0 "$stops" -stw=10 $stw
expect 0 "stops of the world: 7 measured, 0 not measured, 0 inferred" -partial -stw 10 -format text $stw
expect 0 "$stops" -diagreedy=0 -stw=10 -dump $stw
expect 0 "$three" -diagreedy=3 -stw=0 $stw
expect 0 "$three" -diagreedy=3 -stw=10 -dump $stw
# One report after the other.
{
	"$gtrace" -diagreedy=3 $stw
	"$gtrace" -stw=10 $stw
	"$gtrace" -dump $stw
} >"$scratch/each"
cmp "$scratch/each" "$scratch/out" || fail "the reports together differ"
# Without -format, the text of lists is short, but for that of the proposal.
for report in -stw -wait -delay -block -goroutines -requests -critical-path; do
	"$gtrace" $report=3 testdata/go1.27-small/http.trace >"$scratch/out"
	"$gtrace" $report=3 -format=short testdata/go1.27-small/http.trace | cmp - "$scratch/out" ||
		fail "$report: the text without -format is not short"
	! grep -q 'G: [0-9]' "$scratch/out" || fail "$report: a goroutine as in full text"
	! grep -q '[0-9]us' "$scratch/out" || fail "$report: times are not rounded"
	"$gtrace" $report=3 -format=text testdata/go1.27-small/http.trace >"$scratch/each"
	! grep -qx "	stopping .*" "$scratch/out" || fail "$report: not short"
	! cmp -s "$scratch/each" "$scratch/out" || fail "$report: the text in full is the same"
done
for report in -diagreedy=3 -gctrace -schedtrace=10ms; do
	"$gtrace" $report $stw >"$scratch/out"
	"$gtrace" $report -format=text $stw | cmp - "$scratch/out" || fail "$report: without -format another text"
done
"$gtrace" -dump $stw >"$scratch/out"
"$gtrace" -dump -format=text $stw | cmp - "$scratch/out" || fail "-dump: without -format another text"
expect 0 "gtrace 0.4.0" -version

# Without a report: a summary that fits a screen; of several traces, each under
# its name.
held="main.copyOnce (main.go:89) delayed stop-the-world pauses; it cost 56.0 ms, 19 %"
copy=testdata/stops/go1.27_copy.trace
expect 0 "$held" $copy
cp "$scratch/out" "$scratch/summary"
"$gtrace" testdata/go1.27-small/mix.trace | grep -q "^waits cut off  *78  *8.05 s  .* 110 ms$" ||
	fail "waits that the trace cuts off are not in the summary"
for trace in go1.8-small/spin go1.19-small/spin; do
	"$gtrace" testdata/$trace.trace | tr -s '\n' ' '
done | grep -o "this release does not show when no thread had a CPU" | wc -l >"$scratch/out"
[ "$(cat "$scratch/out")" -eq 1 ] || fail "which releases do not show silences: $(cat "$scratch/out")"
[ "$(wc -l <"$scratch/out")" -le 24 ] || fail "the summary does not fit a screen"
expect 0 "$held" -diagreedy=0 -stw=0 -dump=false -format=text $copy
cmp "$scratch/out" "$scratch/summary" || fail "no report is not a summary"
expect 0 "==> $copy <==" $copy $trace
sed '1d; /^==>/,$d' "$scratch/out" | cmp - "$scratch/summary" ||
	fail "of several traces the summary differs"
expect 0 "==> $trace <==" $trace $copy
"$gtrace" -format=json $copy $trace >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 2 ] || fail "JSON: not a line for each summary"
"$gtrace" -format=csv $copy $trace >"$scratch/out"
"$gtrace" -format=csv $copy >"$scratch/one"
"$gtrace" -format=csv $trace | sed 1d >>"$scratch/one"
cmp "$scratch/out" "$scratch/one" || fail "CSV: not one table of two summaries"
got=0
"$gtrace" -dump -format=csv none $copy $trace >"$scratch/out" 2>"$scratch/err" || got=$?
[ $got -eq 1 ] || fail "none: status $got"
"$gtrace" -dump -format=csv $copy >"$scratch/one"
"$gtrace" -dump -format=csv $trace | sed 1d >>"$scratch/one"
cmp "$scratch/out" "$scratch/one" || fail "CSV: not one table of two dumps"
"$gtrace" -pprof=greedy $copy >"$scratch/out"
[ -s "$scratch/out" ] || fail "no profile"
expect 0 "main.godeadloop1.func1 (x.go:105) holds goroutines up more: 710 ms a second," \
	-compare testdata/before.trace testdata/after.trace
# A finding that names no function is told of both traces.
expect 0 "Before: Work is cut too fine: 238 474 slices, half of them shorter than 74 ns," \
	-compare testdata/before.trace testdata/before.trace
expect 1 "none: no such file or directory" -compare $trace none

# Lists in the form for people: what there is in all, then a line each, facts,
# stacks without addresses.
# short HEAD ITEM ARGUMENT... - the first line of what is printed, and one of it.
short() {
	head=$1
	item=$2
	shift 2
	expect 0 "$head" "$@"
	grep -qx "$item" "$scratch/out" || fail "short: gtrace $*: no '$item'"
}
short "the 2 longest slices" "10.0 ms  main.godeadloop1.func1 (x.go:105)" \
	-diagreedy=2 -format=short testdata/before.trace
[ "$(grep -c '^$' "$scratch/out")" -eq 3 ] || fail "short: no empty line after an item"
! grep -q '[0-9]\{7\}' "$scratch/out" || fail "short: an address"
expect 0 "no slice" -diagreedy=2 -format=short -g=99999 $copy
short "delay: goroutines waited 133 ms while all processors were busy: 107 ms behind slices, 26.6 ms in scheduling" \
	"11.4 ms  main.godeadloop2.func1 (x.go:124)" -delay=1 testdata/before.trace
stops="stop-the-world pauses: 9 measured, 1 not measured, 0 inferred"
short "$stops" "4.08 ms  main.copyOnce (main.go:89)" -stw=1 $copy
grep -q '^GC mark termination  *2  3.47 ms     0 ns  3.47 ms  3.47 ms  99.0 ..*s  3.50 ms$' "$scratch/out" ||
	fail "short: no table of pauses by kind"
grep -qx "	also late: P1 after 47.2 µs" "$scratch/out" || fail "short: who else was late"
grep -q ': 4.08 ms to stop, 199 ..*s stopped, 4.28 ms in all$' "$scratch/out" || fail "short: parts of a stop"
none=testdata/go1.27-small/gc.trace
expect 0 "stop-the-world pauses: 0 measured, 0 not measured, 0 inferred" -stw=1 -g=99999 $copy
short "stop-the-world pauses: 8 measured, 1 not measured, 0 inferred" \
	"7.22 ms  no goroutine (scheduler, or the thread had no CPU)" -stw=1 $none
short "waits for a processor: 10693 whole, 0 began before the trace, 0 not over" \
	"11.0 ms  behind runtime.gcBgMarkWorker (mgc.go:1807)" -wait=1 $copy
grep -q '^after GoUnblock  *29  39.6 ms ' "$scratch/out" || fail "short: no table of waits by event"
grep -q '; behind G18 for 3.35 ms, G8 for 3.33 ms, G3 for ' "$scratch/out" || fail "short: a wait behind several"
short "blocked 1 time 3.99 ms" "3.99 ms  main.locks.func1 (workload.go:88)" \
	-block=1 testdata/go1.19-small/lock.trace
grep -qx "lock  *1  3.99 ms  3.99 ms" "$scratch/out" || fail "short: no table of blocks by kind"
grep -qx "at rest 8 times 105 ms" "$scratch/out" || fail "short: nothing at rest"
grep -qx "sleep  *2  30.0 ms  15.0 ms" "$scratch/out" || fail "short: no table of what is at rest"
"$gtrace" -format=json testdata/go1.27-small/gc.trace >"$scratch/out"
grep -q '"fn":"runtime.gcBgMarkWorker",[^{}]*"work":"GC fractional","count":5,"sum":62080,' \
	"$scratch/out" || fail "no mode of a worker in Go 1.27"
"$gtrace" -func=gcBgMarkWorker testdata/go1.8-small/gc.trace >"$scratch/out"
grep -q ' GC idle       runtime.gcBgMarkWorker (mgc.go:' "$scratch/out" ||
	fail "no mode of a worker in Go 1.8"
# Where no thread wrote an event is a fact; a finding is what is most likely.
"$gtrace" testdata/go1.27-small/mix.trace >"$scratch/out"
grep -qx "without a CPU: 202 ms undecided" "$scratch/out" || fail "a silence is no fact"
"$gtrace" testdata/silences/copy-go1.22.trace >"$scratch/out"
grep -qx "without a CPU: 648 ms undecided" "$scratch/out" || fail "nothing is undecided"
grep -q "^main.loop (main.go:68) kept a processor for up to 160 ms" "$scratch/out" || fail "a function that copies"
! grep -q "machine" "$scratch/out" || fail "an undecided silence is the machine"
"$gtrace" testdata/silences/tickers-go1.22.trace >"$scratch/out"
grep -q "^The scheduler held processors without a goroutine" "$scratch/out" || fail "a storm of timers"
"$gtrace" testdata/go1.22-small/idle.trace >"$scratch/out"
! grep -q "a CPU" "$scratch/out" || fail "idle.trace: threads without a CPU"
for path in testdata/go1.21-small/gc.trace testdata/stops/go1.27_copy.trace; do
	"$gtrace" -compare $path $path >"$scratch/out"
	! grep -q "^where\|^what" "$scratch/out" || fail "$path changes"
done
# One of what is listed.
one=testdata/go1.27-small/http.trace
expect 0 "the 1 kind of requests that took longest" -requests=1 -format=text $one
expect 0 "the 5 kinds of requests that took longest" -requests=9 -format=text $one
short "the kind of requests that took longest" \
	"	24 times, median 1.23 ms, p99 8.72 ms, longest 8.72 ms" \
	-requests=1 -root='conn\).serve$' $one
grep -q "^	all together: ready 40.2 ms, ran 8.02 ms, " "$scratch/out" || fail "short: parts of requests"
expect 0 "no requests" -requests=1 -root=nowhere $one
short "130 goroutines lived 3.55 s: select 1.44 s, network 917 ms, ready 659 ms, other 239 ms, channel receive 96.4 ms, collection 96.0 ms, ran 63.2 ms, sleep 40.2 ms, system call 5.87 ms, condition 45.1 µs" \
	"	16 goroutines: select 708 ms, ran 43.6 ms, ready 11.8 ms, channel receive 1.23 ms" -goroutines=1 $one
grep -qx "	longest wait 3.19 ms, for a processor, G36 at 40.9 ms" "$scratch/out" || fail "short: the longest wait"
"$gtrace" -block=1 -format=text $one | grep -qx "the 1 place where goroutines were blocked longest" ||
	fail "not 1 place"
"$gtrace" -timeline $copy >"$scratch/out"
grep -q '^{"displayTimeUnit":"ns",' "$scratch/out" || fail "no timeline"

# What critical paths did not keep is said, on standard error and in the report.
"$gtrace" -critical-path=1 -rows=100 testdata/go1.27-small/http.trace \
	>"$scratch/out" 2>"$scratch/err" || fail "-rows: failed"
grep -q '^gtrace: parts of critical paths are unknown: [0-9]* transitions' "$scratch/err" ||
	fail "-rows: $(cat "$scratch/err")"
grep -q '; what it needs of the first .* was dropped$' "$scratch/out" ||
	fail "-rows: not said of a path"
"$gtrace" -critical-path=1 testdata/go1.27-small/http.trace >"$scratch/out" 2>"$scratch/err"
[ ! -s "$scratch/err" ] || fail "-critical-path: $(cat "$scratch/err")"

# none WHAT ARGUMENT... - the filters leave nothing, which is said.
none() {
	want="gtrace: no $1"
	[ "$want" != "${want#* passes }" ] || want="$want passes the filters"
	shift
	"$gtrace" "$@" >"$scratch/out" 2>"$scratch/err" || fail "gtrace $*: failed"
	[ "$(cat "$scratch/err")" = "$want" ] || fail "gtrace $*: '$(cat "$scratch/err")'"
}
none slice -diagreedy=1 -g=99999 $copy
none slice -diagreedy=1 -g=99999 $copy $trace
none slice -diagreedy=1 -func=nowhere -format=json $copy
none "stop-the-world pause" -stw=1 -g=99999 $copy
none event -dump -g=99999 $copy
none event -dump -g=99999 $copy $trace
none event -dump -p=-9223372036854775808 $copy
none event -dump -g=18446744073709551614 $copy
none event -dump -g=99999 -format=csv $copy $trace
none event -dump -g=99999 -format=json $copy
none goroutine -goroutines=1 -g=99999 $copy
none request -requests=1 -root=nowhere $copy
none request -requests=1 -requests-over=1h $copy
none slice -diagreedy=1 -requests-over=1h $copy
none request -requests=1 -at=nowhere -format=json $copy $trace
# A time after the end of the trace, which is said, unless that came from a pipe.
for report in "slice:-diagreedy=1" "stop-the-world pause:-stw=1" event:-dump; do
	none "${report%:*} passes the filters: the trace ends at 83.863681ms" \
		"${report#*:}" -from=50s $copy
done
none "slice passes the filters: the longest trace ends at 83.863681ms" \
	-diagreedy=1 -from=50s $trace $copy
none "slice passes the filters: the trace ends at 83.863681ms" \
	-max-slice=1s -from=50s $copy
none "stop-the-world pause passes the filters: the trace ends at 83.863681ms" \
	-max-stop=1s -from=50s $copy
none "slice, stop-the-world pause, wait or block passes the filters: the longest trace ends at 83.863681ms" \
	-max-slice=1s -max-stop=1s -from=50s $trace $copy
none "wait for a processor passes the filters: the trace ends at 83.863681ms" \
	-max-wait=1s -from=50s $copy
none "slice, stop-the-world pause, wait or block passes the filters: the trace ends at 83.863681ms" \
	-max-stop=1s -max-wait=1s -from=50s $copy
none "block at a lock passes the filters: the trace ends at 83.863681ms" \
	-max-block=1s -from=50s $copy
none "slice, stop-the-world pause, wait or block passes the filters: the trace ends at 83.863681ms" \
	-max-stop=1s -max-block=1s -from=50s $copy
expect 0 "" -max-slice=1s -from=10ms $copy
[ ! -s "$scratch/err" ] || fail "-max-slice -from=10ms: '$(cat "$scratch/err")'"
# A limit passes no slice that computed for longer, whatever its silences are. The
# line says what they are, and what decides.
sed 1d testdata/silences/truth.tsv >"$scratch/truth"
while read -r name _ computed _; do
	got=0
	"$gtrace" -max-slice=30ms "testdata/silences/$name.trace" >"$scratch/$name" || got=$?
	[ "${computed%.*}" -lt 32 ] || [ $got -eq 3 ] || fail "$name: -max-slice passes a slice that computed"
done <"$scratch/truth"
# Who calls C is named, not what cgo generates; and what it calls, which may compute.
"$gtrace" testdata/silences/in_c-go1.27.trace >"$scratch/out"
grep -qx "them, 48 % of the total time: it was in C (cwork) 4.11 s" "$scratch/out" &&
	grep -qx ".* main.init.0.func1.6 (cgo.go:32), in C (cwork)" "$scratch/out" ||
	fail "nothing is in C"
# Its threads take the CPUs, so the machine may be the program itself.
"$gtrace" testdata/silences/c_threads-go1.22.trace >"$scratch/out"
grep -qx "process, or C code of this one" "$scratch/out" || fail "C code is not suspected"
decides="a CPU profile in the same run, or -sched, decides"
for line in \
	"busy-go1.27 perhaps without a CPU for [0-9.]*ms: $decides" \
	"sha1-go1.22 without an event for [0-9.]*ms: computed or without a CPU, undecided: $decides" \
	"stopped_profile-go1.22 certainly without a CPU for [0-9.]*ms" \
	"md5_profile-go1.27 off the CPU for [0-9.]*ms: without one, in a page fault or asleep in the kernel"; do
	grep -q ", ${line#* }\$" "$scratch/${line%% *}" || fail "no slice of ${line%% *} is '${line#* }'"
done
none slice -diagreedy=1 -from=10ms -g=99999 $copy
cat $copy | "$gtrace" -dump -from=50s - >"$scratch/out" 2>"$scratch/err"
[ "$(cat "$scratch/err")" = "gtrace: no event passes the filters" ] ||
	fail "-from, through a pipe: $(cat "$scratch/err")"
for format in text json csv; do
	"$gtrace" -dump -g=1 -format=$format $copy >"$scratch/out" 2>"$scratch/err"
	[ ! -s "$scratch/err" ] || fail "-format=$format: events that are not seen"
done
expect 0 "Usage: gtrace [flags] trace.out|URL..." -help
expect 0 "Usage: gtrace [flags] trace.out|URL..." -h
[ "$(wc -l <"$scratch/out")" -le 24 ] || fail "-h does not fit a screen"
! grep -q '^.\{80\}' "$scratch/out" || fail "-h has lines over 79 characters"

# usage LINE FLAG ARGUMENT... - wrong use: one line that says what is wrong, and
# the line of the help about FLAG, or where the help is if that is empty.
usage() {
	line=$1
	flag=$2
	shift 2
	expect 2 "gtrace: $line" "$@"
	[ "$(wc -l <"$scratch/err")" -eq 2 ] || fail "gtrace $*: not two lines"
	if [ -n "$flag" ]; then
		"$gtrace" -help | grep "^  -${flag}[= ]" >"$scratch/line"
	else
		echo "  gtrace -h lists the flags" >"$scratch/line"
	fi
	sed 1d "$scratch/err" | cmp -s - "$scratch/line" ||
		fail "gtrace $*: help '$(sed 1d "$scratch/err")'"
}

usage "no trace file given" ""
usage "no trace file given" "" -dump
usage "no trace file given" "" -stw=1
usage "no trace file given" "" -dump --
usage "no trace file given: $trace is the value of -html" html -html $trace
usage "no trace file given: 5 is the value of --stw" stw -dump --stw 5
"$gtrace" -dump <$trace 2>"$scratch/err" && fail "without a file: no error"
[ "$(head -n 1 "$scratch/err")" = "gtrace: no trace file given: - is standard input" ] ||
	fail "without a file: $(cat "$scratch/err")"
usage "there is no flag -x" "" -x $trace
usage "there is no flag ---dump: did you mean -dump?" dump ---dump $trace
usage "there is no flag -greedy=10: did you mean -diagreedy?" diagreedy -greedy=10 $trace
usage "there is no flag --diag: did you mean -diagreedy?" diagreedy --diag 10 $trace
usage "there is no flag -diagreedy10: did you mean -diagreedy?" diagreedy -diagreedy10 $trace
usage "there is no flag -Diagredy=1: did you mean -diagreedy?" diagreedy -Diagredy=1 $trace
usage "there is no flag -stv=1: did you mean -stw?" stw -stv=1 $trace
usage "there is no flag -unser: did you mean -user?" user -unser $trace
usage "there is no flag -st" "" -st $trace
usage "there is no flag -sxv=1" "" -sxv=1 $trace
usage "there is no flag -verbose" "" -verbose $trace
long=$(printf %0300d 1)
usage "there is no flag -$(printf %.98s "$long")" "" "-$long" $trace
usage "there is no flag -=1" "" -=1 $trace
usage "-schedtrace needs a value: -schedtrace=TIME" schedtrace $trace -schedtrace
usage "-rows needs a number, as in -rows=10: $trace was taken for it" rows -rows $trace
usage "there is no flag -x" "" $trace -x
usage "-from needs a time, as in -from=10ms: $trace was taken for it" from -from $trace $trace
usage "-g needs numbers, as in -g=1,2: -dump was taken for it" g -g -dump $trace
usage "-pprof needs a value, as in -pprof=greedy: $trace was taken for it" pprof -pprof $trace
usage "-func=: the value is empty" func -func '' $trace
for text in '' x + - 3x ' 3' 0x 0xg 08 --3 1_000 0b1 9223372036854775807x; do
	usage "-diagreedy=$text: the value must be a number" diagreedy "-diagreedy=$text" $trace
done
for text in 9223372036854775808 -9223372036854775809 18446744073709551615 \
	99999999999999999999 0x10000000000000000 02000000000000000000000; do
	usage "-diagreedy=$text: the number is too large" diagreedy "-diagreedy=$text" $trace
done
usage "-j=-1: the number must not be negative" j -j=-1 $trace
# The status of go tool trace.
expect 1 "gtrace: -diagreedy=-1: the number must not be negative" -diagreedy=-1 $trace
expect 1 "gtrace: -stw=-1: the number must not be negative" -stw=-1 $trace
expect 1 "gtrace: -stw=-1: the number must not be negative" -stw -1 $trace
usage "-dump=maybe: the value must be true or false" dump -dump=maybe $trace
# 0 is no limit, no end, no number of rows; -diagreedy=0 and -stw=0 are no report.
usage "-max-slice=0: the value must be more than 0" max-slice -max-slice=0 $trace
usage "-max-slice=0: the value must be more than 0" max-slice -max-slice=0s -max-stop=1s $trace
usage "-max-wait=0: the value must be more than 0" max-wait -max-wait=0 $trace
usage "-max-stop=0: the value must be more than 0" max-stop -max-stop=0ms $trace
usage "-to=0: the value must be more than 0" to -to=0 $trace
usage "-j=0: the value must be more than 0" j -j=0 $trace
usage "-rows=0: the value must be more than 0" rows -rows=0 -html=- $trace
usage "-frequency=0: the value must be more than 0" frequency -partial -frequency=0 $trace
expect 0 "$three" -from=0 -min=0s -diagreedy=3 $trace
usage "-format=xml: there is no such value" format -stw=1 -format=xml $trace
usage "-binary=: the value is empty" binary -binary= -dump $trace
# What does not go together, or makes no sense.
usage "-pprof is for one trace" pprof -pprof=stw $trace $trace
usage "-pprof=x: there is no such value" pprof -pprof=x $trace
usage "-p does not go with -block" p -block=1 -p=1 $trace
usage "-sched does not go with -wait" sched -wait=1 -sched=none $trace
usage "-p is not for blocks and assists: these are on no processor" p -pprof=unblock -p=1 $trace
usage "-p is not for blocks and assists: these are on no processor" p -pprof=assist -p=1 $trace
usage "-p is not for blocks and assists: these are on no processor" p -max-block=1s -p=1 $trace
usage "-threads does not go with -wait" threads -wait=1 -threads=none $trace
usage "-pprof=cpu needs -sched=FILE" pprof -pprof=cpu -p=1 $trace
usage "-root and -at are for -pprof only with path" root -pprof=wait -root=x $trace
usage "-p, -func, -min and -user are not for -pprof=path" min -pprof=path -user $trace
usage "-from and -to are for -pprof=path only with -g" from -pprof=path -to=1s $trace
usage "-by=cpu needs -sched=FILE" by -diagreedy=1 -by=cpu $trace
usage "-by needs -diagreedy" by -by=cpu -sched=none $trace
usage "-root needs -requests" root -root=x $trace
usage "-requests-over is for critical paths only without -g" requests-over -critical-path=1 -g=1 -requests-over=1s $trace
usage "-requests-over does not go with -goroutines" requests-over -goroutines=1 -requests-over=1s $trace
usage "-at needs -requests" at -requests=0 -at=x $trace
usage "-pprof does not go with -diagreedy" pprof -diagreedy=1 -pprof=greedy $trace
usage "-pprof does not go with -dump" pprof -dump -pprof=greedy $trace
usage "-max-slice does not go with -pprof" max-slice -max-slice=1s -pprof=greedy $trace
usage "-format does not go with -pprof" format -pprof=greedy -format=json $trace
usage "-format=csv is not for -compare" format -compare -format=csv $trace $trace
usage "-compare takes two traces, the old one and the new one" compare -compare $trace
usage "-compare takes two traces, the old one and the new one" compare -compare $trace $trace $trace
usage "-compare does not go with -diagreedy" compare -diagreedy=1 -compare $trace $trace
usage "-compare does not go with -stw" compare -stw=1 -compare $trace $trace
usage "-timeline does not go with -dump" timeline -dump -timeline $trace
usage "-timeline does not go with -compare" timeline -compare -timeline $trace $trace
usage "-timeline is for one trace" timeline -timeline $trace $trace
usage "-html is for one trace, or for two with -compare" html -html=- $trace $trace
usage "-compare takes two traces, the old one and the new one" compare -compare -html=- $trace
usage "-format does not go with -html" format -compare -html=- -format=json $trace $trace
usage "-rows does not go with -compare" rows -compare -html=- -rows=3 $trace $trace
usage "-format does not go with -timeline" format -timeline -format=json $trace
usage "-max-slice does not go with -timeline" max-slice -timeline -max-slice=1s $trace
usage "-format=csv is for one report at a time" format -stw=1 -dump -format=csv $trace
usage "-format=csv is for one report at a time" format -diagreedy=1 -stw=1 -format=csv $trace
usage "-min does not go with -dump" min -dump -min=1ms $trace
usage "-min does not go with -max-slice" min -max-slice=1s -min=1ms $trace
usage "-max-slice does not go with -diagreedy" max-slice -diagreedy=1 -max-slice=1s $trace
usage "-max-stop does not go with -dump" max-stop -dump -max-stop=1s $trace
usage "limits are told with -format=text, github or junit" format -max-slice=1s -format=json $trace
usage "-to is not after -from" to -dump -from=1s -to=1000ms $trace
usage "-func=[: Invalid regular expression" func -dump "-func=[" $trace
usage "-func=(: Unmatched ( or \\(" func -dump "-func=(" $trace
usage "-root=[: Invalid regular expression" root -requests=1 "-root=[" $trace
usage "-at=(: Unmatched ( or \\(" at -requests=1 "-at=(" $trace
usage "-func=main.(*queue).get: Invalid preceding regular expression: as a name it is 'main\\.\\(\\*queue\\)\\.get'" \
	func -dump "-func=main.(*queue).get" $trace
usage "-g=1,b: the value must be numbers with commas between" g -dump -g=1,b $trace
usage "-p=18446744073709551616: the number is too large" p -dump -p=18446744073709551616 $trace
usage "-p=-9223372036854775809: the number is too large" p -dump -p=-9223372036854775809 $trace
usage "-p=: the value must be numbers with commas between" p -dump -p= $trace
usage "-from=1: a unit is missing (ns, us, ms, s, m or h)" from -dump -from=1 $trace
usage "-to=s: a duration is a number and a unit, such as 1.5s or 300ms" to -dump -to=s $trace
usage "-min=2562048h: the duration is too long" min -stw=1 -min=2562048h $trace
usage "-files-from=none: no such file or directory" files-from -dump -files-from=none
usage "-files-from=/dev/null: it names no file" files-from -dump -files-from=/dev/null
usage "-files-from=$trace: it has a zero byte, so it is no list of names" \
	files-from -dump -files-from=$trace
usage "-files-from=/dev/zero: it has a zero byte, so it is no list of names" \
	files-from -dump -files-from=/dev/zero
tr '\0' x </dev/zero | head -c 100000 >"$scratch/names"
usage "-files-from=$scratch/names: it has a line that is too long for the name of a file" \
	files-from -dump -files-from="$scratch/names"
printf '%s\0%s\0' $trace $copy >"$scratch/names"
usage "-files-from=$scratch/names: it has a zero byte, so it is no list of names" \
	files-from -dump -files-from="$scratch/names"
usage "there is no flag -a�b�[31m" "" "$(printf -- '-a\nb\033[31m')" $trace
usage "- (standard input) is given twice" "" -dump - -
usage "- (standard input) is given twice" "" -dump -files-from=- - </dev/null

# A pipe that is interrupted: what is complete is reported, and the line says what
# was left out; with a limit the status is that of the verdict.
long=testdata/go1.27-small/gens.trace
head -c $(($(wc -c <$long) * 4 / 5)) $long >"$scratch/begun"
"$gtrace" -partial -diagreedy=3 "$scratch/begun" >"$scratch/want" 2>"$scratch/err"
mkfifo "$scratch/pipe"
for signal in INT TERM; do
	for use in 0:-diagreedy=3 3:-max-slice=1us; do
		{
			cat "$scratch/begun"
			exec sleep 20
		} >"$scratch/pipe" &
		writer=$!
		got=0
		timeout --preserve-status -s $signal 3 "$gtrace" "${use#*:}" - \
			<"$scratch/pipe" >"$scratch/out" 2>"$scratch/err" || got=$?
		kill $writer
		[ $got -eq "${use%%:*}" ] || fail "SIG$signal: $use: status $got: $(cat "$scratch/err")"
		says_left=$(grep -c "^standard input: the file ends early, at byte .*; nothing was read from byte " "$scratch/err")
		[ "$says_left" -eq 1 ] || fail "SIG$signal: $(cat "$scratch/err")"
		[ "$use" != 0:-diagreedy=3 ] || cmp "$scratch/out" "$scratch/want"
		[ -s "$scratch/out" ] || fail "SIG$signal: $use prints nothing"
	done
done
# A pipe gives what a file gives; of a trace that ends early, what is complete.
"$gtrace" -diagreedy=3 - <"$scratch/begun" >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
cat "$scratch/begun" | "$gtrace" -diagreedy=3 - >"$scratch/out" 2>"$scratch/err" ||
	fail "a pipe that ends early: $(cat "$scratch/err")"
cmp "$scratch/out" "$scratch/want"
grep -q "^standard input: the file ends early, at byte .*; nothing was read from byte " "$scratch/err" ||
	fail "a pipe that ends early: $(cat "$scratch/err")"
got=0
cat "$scratch/begun" | "$gtrace" -max-slice=1us - >"$scratch/out" 2>"$scratch/err" || got=$?
[ $got -eq 3 ] || fail "a pipe that ends early, with a limit: status $got"
# So where the trace is kept in memory, and where there is no room in the address
# space for all that may come.
cat "$scratch/begun" | TMPDIR=$scratch/none "$gtrace" -diagreedy=3 - >"$scratch/out" 2>"$scratch/err" ||
	fail "a pipe without a folder: $(cat "$scratch/err")"
cmp "$scratch/out" "$scratch/want"
if (ulimit -v 1000000 && "$gtrace" -version) >"$scratch/out" 2>&1; then
	cat "$scratch/begun" | (ulimit -v 1000000 && "$gtrace" -diagreedy=3 -) >"$scratch/out" 2>"$scratch/err" ||
		fail "a pipe without room: $(cat "$scratch/err")"
	cmp "$scratch/out" "$scratch/want"
fi
for file in $copy $trace $long; do
	for report in -diagreedy=3 -dump "-stw=3 -partial"; do
		one=0
		other=0
		# shellcheck disable=SC2086
		"$gtrace" $report - <"$file" >"$scratch/one" 2>"$scratch/err" || one=$?
		# shellcheck disable=SC2086
		dd if="$file" bs=997 2>/dev/null | "$gtrace" $report - >"$scratch/other" 2>"$scratch/err" || other=$?
		[ $one -eq $other ] || fail "$report $file: status $other from a pipe"
		cmp "$scratch/one" "$scratch/other" || fail "$report $file: another report from a pipe"
	done
done

# Times before the end, and times of day, are the same as those since the first
# event: where they cut, at the ends of the trace, and on the day before and after.
member() {
	"$gtrace" -format=json $copy | sed "s/.*\"$1\":\([-0-9]*\).*/\1/"
}
began=$(member began)
end=$(($(member origin) + $(member length)))
# same FLAGS FLAGS - print the same.
same() {
	for report in -diagreedy=9 -stw=9 "-wait=9 -format=json" -dump "-schedtrace=10ms" -timeline \
		-max-slice=1us -pprof=greedy ""; do
		# shellcheck disable=SC2086
		"$gtrace" $1 $report $copy >"$scratch/one" 2>"$scratch/err" || true
		# shellcheck disable=SC2086
		"$gtrace" $2 $report $copy >"$scratch/other" 2>>"$scratch/err" || true
		[ -s "$scratch/one" ] || fail "$1 $report: nothing is printed: $(cat "$scratch/err")"
		cmp "$scratch/one" "$scratch/other" || fail "$report: $1 is not as $2"
	done
}
# clock NS - the time of day at this time since the first event.
clock() {
	at=$(((began + $1) % 86400000000000))
	printf '%02d:%02d:%02d.%09d' $((at / 3600000000000)) $((at / 60000000000 % 60)) \
		$((at / 1000000000 % 60)) $((at % 1000000000))
}
same -from=-20ms "-from=$((end - 20000000))ns"
same "-from=-50ms -to=-20ms" "-from=$((end - 50000000))ns -to=$((end - 20000000))ns"
same "-from=-9h -to=40ms" -to=40ms
same "-from=$(clock 30000000)" -from=30ms
same "-from=$(clock 30000000) -to=$(clock 60000000)" "-from=30ms -to=60ms"
same "-from=$(clock -3600000000000) -to=$(clock 3600000000000)" -to=1h
same "-from=$(clock 30000000) -to=-20ms" "-from=30ms -to=$((end - 20000000))ns"
for bad in -from=24:00 -from=1:00 -from=12:60 -from=12:00:60 -from=12:00. -from=12:00:00. -from=12:00:1 \
	-from=-0 -from=--1s -from=- -from=12:00:00.1x "-from=-1ms -to=-2ms"; do
	# shellcheck disable=SC2086
	expect 2 "$("$gtrace" $bad $copy 2>&1 | head -n 1)" $bad $copy
	grep -q "^gtrace: -[ft]" "$scratch/err" || fail "$bad: $(cat "$scratch/err")"
done
expect 1 "$trace: a filter has a time of day, and the trace has no clock that tells it: those of Go 1.25 and later do" \
	-from=12:00 $trace
expect 1 "$copy: the trace begins after \`to'" -to=$(clock -1000000) $copy
expect 1 "$copy: \`to' is not after \`from' in this trace" -from=80ms -to=-70ms $copy

# -html overwrites pages, and no other file: not the trace that is to be read,
# by any name, nor another one, compressed or not, nor any text.
mkdir "$scratch/keep"
cp $trace "$scratch/keep/a.trace"
gzip -c $trace >"$scratch/keep/a.trace.gz"
printf '\050\265\057\375, and so on.' >"$scratch/keep/zstd"
printf 'BZh91AY' >"$scratch/keep/bzip2"
printf '\3757zXZ' >"$scratch/keep/xz"
printf 'x' >"$scratch/keep/text"
ln -s a.trace "$scratch/keep/link"
cp -R "$scratch/keep" "$scratch/kept"
for file in "$scratch"/keep/*; do
	usage "-html=$file: the file exists and is not an HTML page, so it is not overwritten" \
		html -html "$file" "$scratch/keep/a.trace"
done
diff -r "$scratch/keep" "$scratch/kept" || fail "-html overwrites"
for start in "" "<!doctype html>" "<!DOCTYPE html><p>"; do
	printf %s "$start" >"$scratch/page"
	"$gtrace" -html="$scratch/page" $trace || fail "-html: not over '$start'"
	[ "$(wc -l <"$scratch/page")" -gt 5 ] || fail "-html: no page over '$start'"
done

expect 1 "none.trace: no such file or directory" -dump none.trace
expect 1 "gtrace: -sched=none: no such file or directory" -sched=none $copy
expect 1 "gtrace: -sched=testdata: is a directory" -sched=testdata $copy
expect 1 "gtrace: -sched=$trace: it has no scheduling record: give what perf script or trace-cmd report prints" \
	-diagreedy=1 -sched=$trace $copy
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-sched: $(cat "$scratch/err")"
expect 1 "gtrace: -threads=none: no such file or directory" -threads=none $copy
expect 1 "gtrace: -threads=README.md: line 1: not \`before' or \`after', a thread and its schedstat" \
	-threads=README.md $copy
# Why the accounts of threads bound nothing.
printf 'before 1 0 0\nafter 1 5000000 1000000\n' >"$scratch/threads"
for bound in "testdata/go1.19-small/greedy.trace:does not name the threads" \
	"testdata/go1.22-small/greedy.trace:has no account after the trace"; do
	"$gtrace" -threads="$scratch/threads" "${bound%%:*}" >"$scratch/out"
	tr '\n' ' ' <"$scratch/out" | grep -q "${bound#*:}.*, so they bound nothing" ||
		fail "nothing says why accounts bound nothing: $bound"
done
expect 1 "testdata: failed to read header: read 0, err read testdata: is a directory" \
	-dump testdata
: >"$scratch/empty"
says_next() {
	[ "$(sed 1d "$scratch/err")" = "$1" ] || fail "no second line \"$1\": $(cat "$scratch/err")"
}
says_next "testdata: a directory: gtrace [flags] testdata/* reads the files in it"
expect 1 "$scratch/empty: failed to read header: read 0, err EOF" -dump "$scratch/empty"
says_next "$scratch/empty: the file is empty: record the trace again, up to the return of trace.Stop"
expect 1 "standard input: failed to read header: read 0, err EOF" -dump -
: | "$gtrace" -dump - >"$scratch/out" 2>"$scratch/err" && fail "an empty pipe, and well"
[ "$(uname)" != Linux ] || says_next "standard input: nothing came through the pipe"
echo "This is not a trace, but a text." >"$scratch/text"

# hint NAME LINE - what is no trace is named on a second line.
hint() {
	expect 1 "$scratch/$1: not a trace file" -dump "$scratch/$1"
	[ "$(sed 1d "$scratch/err")" = "$scratch/$1: $2" ] ||
		fail "$1: '$(sed 1d "$scratch/err")'"
}
hint text 'text, which begins with "This is not a trace, but a text."'
printf '\n\n\303\244 in UTF-8, 16 bytes and more\n' >"$scratch/umlaut"
hint umlaut 'text, not a trace'
hint program "a program: gtrace -binary=$scratch/program [flags] trace.out"
gzip -c $trace >"$scratch/zipped"
zcat "$scratch/zipped" | "$gtrace" -diagreedy=3 - >"$scratch/unzipped"
"$gtrace" -diagreedy=3 $trace | cmp - "$scratch/unzipped"

# A compressed trace is read as it is, whichever way it comes; without the
# program for that, the line says what to do.
compress() {
	$1 -c <$trace >"$scratch/pressed"
	"$gtrace" -diagreedy=3 "$scratch/pressed" | cmp - "$scratch/unzipped"
	"$gtrace" -diagreedy=3 - <"$scratch/pressed" | cmp - "$scratch/unzipped"
	# shellcheck disable=SC2002
	cat "$scratch/pressed" | "$gtrace" -diagreedy=3 - | cmp - "$scratch/unzipped"
	cp "$scratch/pressed" "$scratch/-c"
	(cd "$scratch" && "$gtrace_path" -diagreedy=3 -- -c) | cmp - "$scratch/unzipped"
	head -c 700 "$scratch/pressed" >"$scratch/cut"
	"$gtrace" -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err" && fail "half of $1"
	grep -q "^$scratch/cut: $1 cannot decompress it: " "$scratch/err" || fail "$1: $(cat "$scratch/err")"
	$1 -c <README.md >"$scratch/pressed"
	hint pressed 'text, which begins with "# gtrace"'
	"$gtrace" -pprof=greedy $copy | $1 -c >"$scratch/pressed"
	hint pressed "a profile, not a trace (go tool pprof reads it)"
}
compress gzip
zip="a profile, for go tool pprof, or a trace compressed with gzip"
# lacks_gzip NAME QUOTED
lacks_gzip() {
	command=$(command -v "$gtrace")
	(PATH=/none && "$command" -dump "$scratch/$1") 2>"$scratch/err" && fail "$1: gzip is there"
	says_next "$scratch/$1: $zip: zcat $2 | gtrace [flags] -"
}
lacks_gzip zipped "$scratch/zipped"
if command -v zstd >/dev/null; then
	compress zstd
else
	echo "skipped: zstd, which is not installed"
fi
printf 'PK\003\004 0123456789abcdef' >"$scratch/archive"
hint archive "a zip archive: unzip -p $scratch/archive | gtrace [flags] -"
mkdir "$scratch/folder"
cp $trace "$scratch/folder/a.trace"
cp "$scratch/zipped" "$scratch/with space"
lacks_gzip "with space" "'$scratch/with space'"
if tar --format=ustar -C "$scratch/folder" -cf "$scratch/packed" a.trace 2>"$scratch/err"; then
	hint packed "a tar archive: tar -xOf $scratch/packed | gtrace [flags] -"
	tar -xOf "$scratch/packed" | "$gtrace" -diagreedy=3 - | cmp - "$scratch/unzipped"
fi
# Profiles: of gtrace, and as runtime/pprof writes those of the heap and the CPU.
profile="a profile, not a trace (go tool pprof reads it)"
for what in greedy stw wait delay; do
	"$gtrace" -pprof=$what $copy >"$scratch/profile"
	hint profile "$profile"
done
printf 'Z\004\010\001\020\002\140\200\200\040\012\004\010\003\020\004\012' >"$scratch/heap"
hint heap "$profile"
printf 'H\201\270\337\263\206\230\246\365\030\012\004\010\001\020\002\012' >"$scratch/cpu"
hint cpu "$profile"
printf 'H\n\nPeriods, text of 16 bytes\n' >"$scratch/periods"
hint periods 'text, which begins with "H"'
printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\004\000\076\000' >"$scratch/core"
hint core "a core dump, not a trace"
printf 'hello' >"$scratch/short"
expect 1 "$scratch/short: failed to read header: read 5, err unexpected EOF" -dump "$scratch/short"
says_next "$scratch/short: text, which begins with \"hello\""
expect 1 "help: no such file or directory" help
says_next "help: gtrace -h prints the help, and gtrace -version the version"

# piped NAME LINE - the same on standard input: as a file, and, where the start
# of a pipe can be read twice, through a pipe.
piped() {
	"$gtrace" -dump - <"$scratch/$1" >"$scratch/out" 2>"$scratch/err" && fail "<$1: no error"
	[ "$(sed 1d "$scratch/err")" = "standard input: $2" ] || fail "<$1: $(cat "$scratch/err")"
	[ "$(uname)" = Linux ] || return 0
	# All at once, so that the whole start is in the pipe.
	dd if="$scratch/$1" bs=4096 count=1 2>/dev/null |
		"$gtrace" -dump - >"$scratch/out" 2>"$scratch/err" && fail "| $1: no error"
	[ "$(sed 1d "$scratch/err")" = "standard input: $2" ] || fail "| $1: $(cat "$scratch/err")"
}
piped text 'text, which begins with "This is not a trace, but a text."'
piped archive "a zip archive: ... | funzip | gtrace [flags] -"
piped program "a program, not a trace"
piped cpu "$profile"
printf '\001\002 0123456789abcdef' >"$scratch/unknown"
expect 1 "$scratch/unknown: not a trace file" -dump "$scratch/unknown"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "unknown: more than a line"

printf 'go 1.24 trace\0\0\0' >"$scratch/newer"
expect 1 "$scratch/newer: unsupported trace file version 1.24 (update Go toolchain) 1024" \
	-dump "$scratch/newer"
grep -q '^[^ ]*: gtrace reads traces of Go 1.5 to Go 1.27' "$scratch/err" || fail "no word of versions"

# says PATTERN - whether the last use printed a line like that to stderr.
says() {
	grep -q -- "$1" "$scratch/err" || fail "no line \"$1\": $(cat "$scratch/err")"
}

# A trace that is cut off in its last record.
size=$(wc -c <$trace)
head -c $((size - 3)) $trace >"$scratch/cut"
"$gtrace" -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
says "/cut: the file ends early, at byte $((size - 3)), before the last of its stacks; -partial reports the events before that\$"
"$gtrace" -diagreedy=3 - <"$scratch/cut" >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
says '^standard input: the file ends early, .*; -partial reports the events before that$'
expect 0 "$three" -partial -diagreedy=3 "$scratch/cut"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-partial: more than a line"
says "/cut: the file ends early, at byte $((size - 3)): .*; nothing was read from byte [0-9]* on"

says "nothing was read from byte [0-9]* on ([0-9]* bytes)\$"
head -c 500000 testdata/before.trace >"$scratch/cut"
"$gtrace" -partial -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err"
says "nothing was read from byte 499999 on (1 byte)\$"

# A trace that is cut off before its tick frequency.
half=testdata/go1.8-small/mix.trace
head -c 50000 $half >"$scratch/half"
"$gtrace" -diagreedy=1 "$scratch/half" >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
[ ! -s "$scratch/out" ] || fail "a report without -partial"
says '/half: the file ends early, at byte 50000, before its tick frequency and most of its stacks; -partial reports the events before that, in ticks, or with -frequency=HZ in nanoseconds$'
"$gtrace" -partial -diagreedy=1 -stw=1 "$scratch/half" >"$scratch/out" 2>"$scratch/err" ||
	fail "-partial: no report in ticks"
says '/half: all times are in ticks: '
says '/half: the file ends early, at byte 50000: '
grep -q '^	[0-9]* ticks$' "$scratch/out" || fail "no slice in ticks"
! grep -q '[0-9]\(ns\|us\|s\) ' "$scratch/out" || fail "ticks that are called nanoseconds"
"$gtrace" -partial -frequency=40625000 -diagreedy=1 "$scratch/half" >"$scratch/out" 2>"$scratch/err" ||
	fail "-frequency: no report"
grep -q '^	[0-9]*ns -> 0.[0-9]*s $' "$scratch/out" || fail "-frequency: no slice in nanoseconds"
! grep -q ticks "$scratch/out" "$scratch/err" || fail "-frequency: ticks"
expect 0 "$three" -partial -frequency=1 -diagreedy=3 $trace
says "$trace: -frequency is not used, the trace has its own: [0-9]*\$"
usage "-frequency is for -partial only" frequency -frequency=1 -dump $trace
usage "-partial unfinished: the value is given as -partial=unfinished" 'partial\[' \
	-diagreedy=3 -partial unfinished $trace
echo $trace >"$scratch/names"
expect 0 "$three" -diagreedy=3 -files-from="$scratch/names" -partial
usage "-rows is for -html, -gctrace, -critical-path, -pprof=path, -follow with limits, and for the summary with -format=json" rows -rows=3 $trace

# What is too short for any event.
head -c 17 $half >"$scratch/short"
"$gtrace" -dump "$scratch/short" >"$scratch/out" 2>"$scratch/err" && fail "17 bytes, and well"
says '/short: the file ends early, at byte 17; no slice comes before that, so -partial does not help: record the trace again$'
head -c 16 $half >"$scratch/short"
"$gtrace" -partial -dump "$scratch/short" >"$scratch/out" 2>"$scratch/err" && fail "16 bytes, and well"
says '/short: the file ends after its header: record the trace again'
dd if="$scratch/half" bs=50000 2>/dev/null |
	"$gtrace" -dump - >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
says '^standard input: the file ends early, after byte [0-9]*; -partial reports the events before that, if any$'
printf 'go 1.22 trace\0\0\0' >"$scratch/short"
"$gtrace" "$scratch/short" >"$scratch/out" 2>"$scratch/err" && fail "a header only, and well"
says '/short: the file ends after its header: record the trace again'
"$gtrace" -partial "$scratch/short" >"$scratch/out" 2>"$scratch/err" && fail "-partial: a header only"
says '/short: the file ends after its header: record the trace again'
"$gtrace" -partial -dump "$scratch/short" >"$scratch/out" 2>"$scratch/err" || fail "-partial: a header only"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-partial: more than a line"
printf 'go 1.22 trace\0\0\0\001\001\0\0\0' >"$scratch/short"
"$gtrace" "$scratch/short" >"$scratch/out" 2>"$scratch/err" && fail "no frequency, and well"
says '/short: damaged at byte 16; no slice comes before that, so -partial does not help: record the trace again$'
# From Go 1.26 on a trace without an event is not an error.
printf 'go 1.26 trace\0\0\0' >"$scratch/short"
expect 0 "finally the found toppest 0 greedy goroutines info" -diagreedy=1 "$scratch/short"
says '/short: the file ends after its header: record the trace again, up to the return of trace.Stop$'

# A trace that is cut off in its only generation.
head -c 6000 testdata/go1.27-small/http.trace >"$scratch/cut"
"$gtrace" -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
says '/cut: the file ends early, at byte 6000; -partial=unfinished reports what can be read of the last generation$'
expect 0 "finally the found toppest 0 greedy goroutines info" -partial -diagreedy=3 "$scratch/cut"
says '/cut: -partial=unfinished also reports what can be read of the last generation$'
# That nothing was read is no finding, and no verdict.
for flags in "" -html="$scratch/cut.html" -max-slice=1s -max-stop=1s -max-wait=1s -max-block=1s -format=json; do
	status=0
	# shellcheck disable=SC2086
	"$gtrace" -partial $flags "$scratch/cut" >"$scratch/out" 2>"$scratch/err" || status=$?
	[ $status -eq 1 ] || fail "-partial $flags of nothing: status $status"
	says '/cut: no slice comes before the fault at byte [0-9]*; -partial=unfinished reports what can be read of the last generation$'
	[ ! -s "$scratch/out" ] && [ ! -e "$scratch/cut.html" ] || fail "$flags: a report of nothing"
done
"$gtrace" -partial=unfinished -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err" ||
	fail "-partial=unfinished"
[ "$(grep -c 'ns -> ' "$scratch/out")" -eq 3 ] || fail "-partial=unfinished: not three slices"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-partial=unfinished: more than a line"
grep -q 'generation 1 is reported as far as the file has it' "$scratch/err" ||
	fail "-partial=unfinished: no word of the generation"

# A trace whose first event is at fault: a processor stops that does not run.
printf 'go 1.8 trace\0\0\0\0A\000\001\006\001\002\001' >"$scratch/first"
expect 1 "$scratch/first: p 0 is not running before stop (offset 19, time 0)" \
	-dump "$scratch/first"
says '/first: damaged at byte 19; no slice comes before that, so -partial does not help'
expect 1 "$scratch/first: p 0 is not running before stop (offset 19, time 0)" \
	-partial -dump "$scratch/first"
says '^[^ ]*: no slice comes before the fault at byte 19: record the trace again$'
# Bytes that are no event come first.
printf 'go 1.8 trace\0\0\0\0\0\0\0' >"$scratch/first"
expect 1 "$scratch/first: trace is empty" -partial -dump "$scratch/first"
says '^[^ ]*: no slice comes before the fault at byte 16: record the trace again$'
expect 1 "testdata/attack/negative.trace: found one deltaNano is less than zero" -diagreedy=1 testdata/attack/negative.trace

# A name is one line, and nothing that a terminal takes for a command.
name=$(printf '%s/a\nb\033[31m' "$scratch")
cp "$scratch/text" "$name"
expect 1 "$scratch/a�b�[31m: not a trace file" -dump "$name"
says_next "$scratch/a�b�[31m: text, which begins with \"This is not a trace, but a text.\""
expect 1 '"": no such file or directory' -dump ''

# Output that fails, and output to a closed pipe.
if [ -e /dev/full ]; then
	"$gtrace" -dump $trace >/dev/full 2>"$scratch/err" && fail "/dev/full was not noticed"
	grep -q '^gtrace: failed to write the report: no space left on device$' "$scratch/err" ||
		fail "/dev/full: $(cat "$scratch/err")"
	for flag in -h -help -version -print=man -print=bash -print=zsh; do
		"$gtrace" $flag >/dev/full 2>"$scratch/err" &&
			fail "$flag >/dev/full was not noticed"
		grep -q '^gtrace: no space left on device$' "$scratch/err" ||
			fail "$flag >/dev/full: $(cat "$scratch/err")"
	done
fi
"$gtrace" -dump testdata/before.trace 2>"$scratch/err" | head -n 1 >/dev/null
[ ! -s "$scratch/err" ] || fail "a closed pipe: $(cat "$scratch/err")"
echo "command_test.sh: $tests uses as they should be"

# Testdata, by all ways, and through a pipe.
cat >"$scratch/piped" <<END
#!/bin/sh
for last in "\$@"; do :; done
cat "\$last" | "$gtrace" "\$1" -
END
chmod +x "$scratch/piped"
for folder in testdata testdata/*-small; do
	sh tests/golden/golden.sh "$folder" "$gtrace"
done
sh tests/golden/golden.sh testdata/go1.8-small "$scratch/piped"

# A slice that still runs is named after the last event of its own goroutine, and
# has the stack of the one that woke it.
"$gtrace" -diagreedy=2 -format=short testdata/go1.27-small/coro.trace |
	sed -n '/^15/,$p' >"$scratch/out"
cat >"$scratch/want" <<'END'
15.2 ms  main.chans.func1 (gen2.go:60)
	G27 on P0 for 15.2 ms from 10.1 ms, still running
	last event before its end
		runtime.chanrecv2 runtime/chan.go:514
		main.chans.func1 gen2/gen2.go:60
	made ready in
		runtime.chanrecv2 runtime/chan.go:514
		main.chans.func3 gen2/gen2.go:75

END
cmp "$scratch/want" "$scratch/out" || fail "-format=short of who was woken"

# Stops of the world, as text and as JSON.
for trace in testdata/stops/*.trace; do
	name=${trace%.trace}
	"$gtrace" -stw=10 -format=text "$trace" | cmp - "$name.stw10" ||
		fail "$trace: -stw=10 differs"
	[ ! -f "$name.stw1000.json" ] ||
		"$gtrace" -stw=1000 -format=json "$trace" |
		sed "s|^{\"trace\":\"$trace\",|{|; s|,\"clock_changed\":false}\$|}|" |
		cmp - "$name.stw1000.json" ||
		fail "$trace: -stw=1000 -format=json differs"
done
sh tests/golden/golden.sh testdata/go1.27-small "$scratch/piped"
