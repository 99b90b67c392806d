#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# many_test.sh GTRACE - many traces in one call; verdicts; and the progress line
# on a terminal.
set -eu

gtrace=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy=testdata/stops/go1.27_copy.trace

. tests/called.sh

# Verdicts.
run 0 -max-slice=10.1ms testdata/before.trace
[ -z "$(cat "$scratch/out" "$scratch/err")" ] || fail "all is well, but not silent"
run 3 -max-slice=10ms testdata/before.trace
out "-max-slice" <<END
testdata/before.trace: slice of 10.033916ms, at 101.605897ms, goroutine 10 in main.godeadloop1.func1 (/go/src/diagreedy/x.go:105)
END
run 0 -max-slice=10.033916ms testdata/before.trace
run 3 -max-slice=10.033915ms testdata/before.trace
run 3 -max-stop=3.5ms $copy
out "-max-stop" <<END
$copy: stop-the-world pause of 3.556096ms, at 24.394688ms, GC mark termination, waited 3.462912ms for goroutine 8 in main.copyOnce (stw/main.go:89) and 2.176us for no goroutine, 91.008us stopped, 11.108096ms in all
$copy: stop-the-world pause of 4.276736ms, at 58.629248ms, all goroutines stack trace, waited 4.077248ms for goroutine 8 in main.copyOnce (stw/main.go:89) and 640ns for no goroutine, 198.848us stopped, 4.276736ms in all
END
run 0 -max-stop=4.276736ms $copy
run 3 -max-stop=4.276735ms $copy
# Waits, the longest first: what is known of their length, and behind what.
run 3 -max-wait=8.2ms $copy
out "-max-wait" <<END
$copy: wait of 10.987968ms, at 27.879616ms, goroutine 1, stopped 7.623168ms, busy 3.3648ms behind goroutine 18 for 3.35296ms in runtime.gcBgMarkWorker (runtime/mgc.go:1807) and 2 more slices
$copy: wait of 10.97984ms, at 27.877376ms, goroutine 3, stopped 7.625408ms, busy 3.354432ms behind goroutine 18 for 3.35296ms in runtime.gcBgMarkWorker (runtime/mgc.go:1807) and 1 more slice
$copy: wait of 8.276032ms, at 38.855744ms, goroutine 18, busy 8.276032ms behind goroutine 8 for 8.261696ms in main.copyOnce (stw/main.go:89) and 31 more slices
$copy: wait of 8.266752ms, at 38.866944ms, goroutine 3, busy 8.266752ms behind goroutine 8 for 8.263616ms in main.copyOnce (stw/main.go:89) and 31 more slices
END
run 0 -max-wait=10.987968ms $copy
run 3 -max-wait=10.987967ms $copy
run 3 -max-wait=8ms -g=5 $copy
run 0 -max-wait=8ms -g=8 $copy
run 3 -max-wait=6.8ms -from=151ms testdata/before.trace
out "a wait that is not over" <<END
testdata/before.trace: wait of at least 6.80529ms, at 144.26523ms, goroutine 8, idle 59.816us, busy 6.745474ms behind goroutine 10 for 6.736022ms in main.godeadloop1.func1 (/go/src/diagreedy/x.go:105) and 4 more slices
END
# Blocks at locks, with who held it; others are in no verdict.
lock=testdata/go1.19-small/lock.trace
run 3 -max-block=1ms $lock
out "-max-block" <<END
$lock: block of 3.986446ms, at 209.156us, lock, goroutine 15 in main.locks.func1 (/go/src/workload/workload.go:88), ended by goroutine 7, which unlocked in main.locks.func1 (/go/src/workload/workload.go:91)
END
run 0 -max-block=3.986446ms $lock
run 3 -max-block=3.986445ms -max-slice=1s -max-stop=1s $lock
run 3 -max-block=1ms -g=15 -func=locks -user $lock
run 0 -max-block=1ms -g=7 $lock
run 0 -max-block=1ms -from=5ms $lock
# With filters, and of several traces; each with its limit.
run 0 -max-slice=10ms -g=11 testdata/before.trace
run 0 -max-slice=10ms -func=nowhere testdata/before.trace
run 3 -max-slice=10ms -func='godeadloop[1]' -user testdata/before.trace
run 0 -max-slice=10ms -to=100ms testdata/before.trace
run 3 -user -max-slice=12ms -max-stop=4ms testdata/before.trace $copy testdata/after.trace
out "both" <<END
$copy: slice of 12.126592ms, at 38.87008ms, goroutine 8 in main.copyOnce (stw/main.go:89)
$copy: stop-the-world pause of 4.276736ms, at 58.629248ms, all goroutines stack trace, waited 4.077248ms for goroutine 8 in main.copyOnce (stw/main.go:89) and 640ns for no goroutine, 198.848us stopped, 4.276736ms in all
END
# What no goroutine held up, and what is named after its last own event.
run 3 -max-stop=9ms -from=138ms testdata/stops/go1.24_copy.trace
out "no goroutine" <<END
testdata/stops/go1.24_copy.trace: stop-the-world pause of 9.379712ms, at 138.376448ms, GC sweep termination, waited 9.34048ms for no goroutine (scheduler, or the thread had no CPU), 39.232us stopped, 9.379712ms in all
END
run 3 -max-slice=15ms testdata/go1.21-small/lock.trace
out "the last own event" <<END
testdata/go1.21-small/lock.trace: slice of 15.146993ms, at 82.584us, goroutine 20 in main.locks.func1 (/go/src/workload/workload.go:91)
END
# That no thread wrote an event is no excuse: the slice may have computed.
spin=testdata/stops/go1.21_spin.trace
run 3 -max-slice=38837339ns -g=20 -from=60ms -to=66ms $spin
out "perhaps without a CPU" <<END
$spin: slice of 131.309786ms, at 65.593837ms, goroutine 20 in main.main.func6 (stw/main.go:279), perhaps without a CPU for 92.472447ms: a CPU profile in the same run, or -sched, decides
END
# By a record of the kernel in which the thread of the longest slice lost its CPU
# 1 ms after the begin.
cpu=testdata/go1.27-small/cpu.trace
{
	printf 'from\tto\tthread\tcpu\tstate_at_end\n'
	"$gtrace" -diagreedy=1000000 -format=csv "$cpu" | awk -F, -v OFS='\t' '
		NR > 1 { print $4, NR == 2 ? $4 + 1000000 : $5, $6, $7, "R" }' | sort -n
} >"$scratch/sched"
run 3 -max-slice=20498us "$cpu"
[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "not one slice: $(cat "$scratch/out")"
run 0 -max-slice=20498us -sched="$scratch/sched" "$cpu"
run 3 -max-slice=999us -g=28 -to=10ms -sched="$scratch/sched" "$cpu"
out "by a record" <<END
$cpu: slice of 25.249344ms, preempted for 24.249344ms, at 149.952us, goroutine 28 in main.garbage.func1 (gen2/gen2.go:133)
END
# The longest slice delayed others by 24.33 ms: it had no CPU in 24.25 of 25.25 ms.
run 0 -format=json -sched="$scratch/sched" "$cpu"
[ "$(grep -c '"delay_off_cpu":23368208,.*"off_cpu":23368208,' "$scratch/out")" -eq 1 ] || fail "a delay without a CPU"
run 0 -html="$scratch/page" -sched="$scratch/sched" "$cpu"
grep -q 'The machine: threads that ran goroutines were preempted' "$scratch/page" || fail "no record in a page"
grep -q '<dt>on a CPU<dd>' "$scratch/page" || fail "no time on a CPU in a page"
run 0 -timeline -sched="$scratch/sched" "$cpu"
grep -q '"cat":"off CPU","args":{"g":28,' "$scratch/out" || fail "no record in a timeline"
# A trace that cannot be read counts for more than a violation.
run 1 -max-slice=10ms testdata/before.trace none
[ "$(cat "$scratch/err")" = "none: no such file or directory" ] ||
	fail "none: $(cat "$scratch/err")"
[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "a violation beside a bad trace"
# One line that does not fit, and more than are kept before they are written.
for limit in 10ms 1ns; do
	[ -e /dev/full ] || break
	"$gtrace" -max-slice=$limit testdata/before.trace >/dev/full 2>"$scratch/err" &&
		fail "/dev/full was not noticed"
	grep -q "^gtrace: failed to write the report: no space left" "$scratch/err" ||
		fail "/dev/full: $(cat "$scratch/err")"
done

# The same, from wherever the names come.
ls testdata/*-small/*.trace testdata/stops/*.trace >"$scratch/list"
# shellcheck disable=SC2046
run 3 -max-slice=8ms -max-stop=1ms $(cat "$scratch/list")
cp "$scratch/out" "$scratch/first"
[ "$(wc -l <"$scratch/first")" -gt 20 ] || fail "few violations"
run 3 -max-slice=8ms -max-stop=1ms -files-from="$scratch/list"
cmp "$scratch/out" "$scratch/first" || fail "-files-from differs"
"$gtrace" -max-slice=8ms -max-stop=1ms -files-from=- <"$scratch/list" >"$scratch/out" || true
cmp "$scratch/out" "$scratch/first" || fail "-files-from=- differs"

# Lines can end with CR LF, and the last one with neither.
awk '{ printf "%s%s", (NR > 1 ? "\r\n" : ""), $0 }' "$scratch/list" >"$scratch/crlf"
run 3 -max-slice=8ms -max-stop=1ms -files-from="$scratch/crlf"
cmp "$scratch/out" "$scratch/first" || fail "-files-from with CR LF differs"

# With any bytes in the name of a file, a violation is one line, and nothing that a
# terminal takes for a command.
name=$(printf '%s/a\nb\033[31m\302\233c' "$scratch")
cp testdata/before.trace "$name"
run 3 -max-slice=10ms "$name"
out "name" <<END
$scratch/a�b�[31m�c: slice of 10.033916ms, at 101.605897ms, goroutine 10 in main.godeadloop1.func1 (/go/src/diagreedy/x.go:105)
END
run 0 -diagreedy=1 -stw=1 "$name" testdata/before.trace
LC_ALL=C grep -qx "		trace: $scratch/a�b�.31m�c" "$scratch/out" || fail "the name of a slice: $(cat "$scratch/out")"
LC_ALL=C grep -qx "trace: $scratch/a�b�.31m�c" "$scratch/out" || fail "the name above stops: $(cat "$scratch/out")"
run 0 "$name" testdata/before.trace
LC_ALL=C grep -q "^==> $scratch/a�b�.31m�c <==\$" "$scratch/out" || fail "the name of a summary: $(cat "$scratch/out")"
if LC_ALL=C tr -d '\n' <"$scratch/out" | LC_ALL=C grep -q '[[:cntrl:]]'; then
	fail "control characters in a summary"
fi

# A line for each trace that cannot be read, and the others are read.
{
	cat "$scratch/list"
	echo none
	echo "$gtrace"
} >"$scratch/bad"
run 1 -max-slice=8ms -max-stop=1ms -files-from="$scratch/bad"
cmp "$scratch/out" "$scratch/first" || fail "bad traces change what is said of good ones"
[ "$(wc -l <"$scratch/err")" -eq 2 ] || fail "bad traces: $(cat "$scratch/err")"

# What helps with each of them is in the same line, of files and standard input.
head -c 50000 testdata/go1.8-small/mix.trace >"$scratch/half"
head -c 6000 testdata/go1.27-small/http.trace >"$scratch/begun"
"$gtrace" -pprof=greedy $copy | gzip -c >"$scratch/profile.gz"
printf 'go 1.26 trace\0\0\0' >"$scratch/header"
printf 'go 1.24 trace\0\0\0' >"$scratch/newer"
: >"$scratch/empty"
name=$(printf '%s/b\nc' "$scratch")
echo text >"$name"
mkdir "$scratch/folder"
got=0
"$gtrace" -diagreedy=1 $copy "$scratch/half" "$scratch/begun" "$scratch/profile.gz" \
	"$scratch/header" "$scratch/newer" "$scratch/empty" "$scratch/folder" "$name" \
	help '' - <"$scratch/profile.gz" >"$scratch/out" 2>"$scratch/err" || got=$?
[ $got -eq 1 ] || fail "bad traces: status $got"
sed "s,$scratch,S,g" "$scratch/err" | LC_ALL=C sort >"$scratch/sorted"
LC_ALL=C sort >"$scratch/want" <<END
S/half: no EvFrequency event; the file ends early, at byte 50000, before its tick frequency and most of its stacks; -partial reports the events before that, in ticks, or with -frequency=HZ in nanoseconds
S/begun: a batch is cut off by the end of the file: 1023 of 4709 bytes; the file ends early, at byte 6000; -partial=unfinished reports what can be read of the last generation
S/profile.gz: not a trace file; a profile, not a trace (go tool pprof reads it)
S/header: the file ends after its header: record the trace again, up to the return of trace.Stop
S/newer: unsupported trace file version 1.24 (update Go toolchain) 1024; gtrace reads traces of Go 1.5 to Go 1.27 (trace versions$(
	"$gtrace" "$scratch/newer" 2>&1 | sed -n 's/.*(trace versions//p'
)
S/empty: failed to read header: read 0, err EOF; the file is empty: record the trace again, up to the return of trace.Stop
S/folder: failed to read header: read 0, err read S/folder: is a directory; a directory: gtrace [flags] S/folder/* reads the files in it
S/b�c: failed to read header: read 5, err unexpected EOF; text, which begins with "text"
help: no such file or directory; gtrace -h prints the help, and gtrace -version the version
"": no such file or directory
standard input: not a trace file; a profile, not a trace (go tool pprof reads it)
END
diff "$scratch/want" "$scratch/sorted" >"$scratch/diff" || fail "bad traces: $(cat "$scratch/diff")"

# One report of all traces: the longest of all, in the order of the names where
# they are equally long.
while read -r trace; do
	"$gtrace" -diagreedy=20 -format=json "$trace"
done <"$scratch/list" >"$scratch/each"
sed 's/.*"duration":\([0-9]*\).*/\1/' "$scratch/each" | paste - "$scratch/each" |
	sort -s -k 1,1nr | head -n 20 | cut -f 2- >"$scratch/want"
run 0 -diagreedy=20 -format=json -files-from="$scratch/list"
cmp "$scratch/out" "$scratch/want" || fail "not the longest of all"
run 0 -diagreedy=20 -format=csv -files-from="$scratch/list"
[ "$(sed 1d "$scratch/out" | cut -d , -f 3 | tr '\n' ' ')" = \
	"$(sed 's/.*"duration":\([0-9]*\).*/\1/' "$scratch/want" | tr '\n' ' ')" ] ||
	fail "CSV: not the longest of all"
run 1 -diagreedy=20 -format=json -files-from="$scratch/bad"
cmp "$scratch/out" "$scratch/want" || fail "bad traces change the report of good ones"
run 0 -diagreedy=20 -files-from="$scratch/list"
grep -c '^		trace: testdata/' "$scratch/out" | grep -qx 20 || fail "text without names"
# Each dump under its name, and as JSON one after the other.
run 0 -dump $copy testdata/go1.8-small/idle.trace
{
	echo "==> $copy <=="
	"$gtrace" -dump $copy
	echo "==> testdata/go1.8-small/idle.trace <=="
	"$gtrace" -dump testdata/go1.8-small/idle.trace
} | cmp - "$scratch/out" || fail "dumps of two traces"
run 0 -dump -format=json $copy testdata/go1.8-small/idle.trace
{
	"$gtrace" -dump -format=json $copy
	"$gtrace" -dump -format=json testdata/go1.8-small/idle.trace
} | cmp - "$scratch/out" || fail "dumps of two traces as JSON"
# From standard input, which can be read once, for two reports.
"$gtrace" -diagreedy=3 -dump - testdata/go1.8-small/idle.trace <$copy >"$scratch/out"
grep -q '^==> - <==$' "$scratch/out" || fail "no dump of standard input"

# The line on a terminal. The second trace comes after more than a second.
if ! script -qec true /dev/null >"$scratch/null" 2>&1 </dev/null; then
	echo "skipped: script, which makes a terminal, is not there"
	exit 0
fi
# Names in a trace are no commands for a terminal: ESC, DEL, CSI in UTF-8 and as
# one byte, and a carriage return. A pipe gets them as they are. (The progress
# line, which a slow machine shows, has commands.)
hostile=$(printf 'main.\033[31m\177\302\233\233\rdead.f1')
LC_ALL=C sed "s/main\.godeadloop1\.func1/$hostile/" testdata/before.trace >"$scratch/hostile.trace"
hostile=$(printf '\033]0;\007 goroutine stack \303\251\302\265')
LC_ALL=C sed "s/all goroutines stack trace/$hostile/" $copy >"$scratch/stop.trace"
for call in "-diagreedy=3 $scratch/hostile.trace" "-dump $scratch/hostile.trace" \
	"-stw=5 $scratch/stop.trace" "$scratch/stop.trace" \
	"-max-stop=1ms $scratch/stop.trace" \
	"-compare $scratch/hostile.trace $scratch/stop.trace"; do
	script -qec "'$gtrace' -quiet $call" /dev/null </dev/null >"$scratch/out" || true
	[ -s "$scratch/out" ] || fail "$call prints nothing on a terminal"
	# The terminal ends lines with a carriage return, too.
	sed 's/\r$//' "$scratch/out" | LC_ALL=C tr -d '\n\t' >"$scratch/line"
	! LC_ALL=C grep -q '[[:cntrl:]]' "$scratch/line" || fail "$call commands a terminal: $(cat -v "$scratch/out")"
done
script -qec "'$gtrace' -diagreedy=3 $scratch/hostile.trace" /dev/null </dev/null >"$scratch/out"
grep -q ' main\.�\[31m����dead\.f1' "$scratch/out" || fail "control characters: $(cat -v "$scratch/out")"
script -qec "'$gtrace' -stw=5 $scratch/stop.trace" /dev/null </dev/null >"$scratch/out"
grep -q 'stack éµ' "$scratch/out" || fail "a letter is no control character"
"$gtrace" -diagreedy=3 "$scratch/hostile.trace" >"$scratch/out"
LC_ALL=C grep -q "$(printf 'main.\033.31m\177\302\233\233\rdead.f1')" "$scratch/out" || fail "a pipe does not get the name as it is"
mkfifo "$scratch/slow"
meter() {
	{
		sleep 1.5
		cat testdata/go1.8-small/idle.trace
	} >"$scratch/slow" &
	script -qec "'$gtrace' $* -j=1 -max-slice=1s testdata/before.trace '$scratch/slow' testdata/after.trace" \
		/dev/null </dev/null >"$scratch/out"
	wait
	tr '\r' '\n' <"$scratch/out" >"$scratch/lines"
}
meter
escape=$(printf '\033')
grep -q "^\($escape\[K\)\{0,1\}gtrace: 2 of 3 traces, 60 %, [0-9]* MB/s, [0-9]* s left\$" "$scratch/lines" ||
	fail "no line on a terminal: $(cat -v "$scratch/out")"
[ "$(tail -c 4 "$scratch/out")" = "$(printf '\r\033[K')" ] ||
	fail "the line stays: $(cat -v "$scratch/out")"
meter -quiet
[ ! -s "$scratch/out" ] || fail "-quiet: $(cat -v "$scratch/out")"
echo "many_test.sh: many traces are as one"
