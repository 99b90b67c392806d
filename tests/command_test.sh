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
# is printed: to standard output if the status is 0, else to standard error,
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
	first=$(head -n 1 "$text")
	[ "$first" = "$line" ] || fail "gtrace $*: printed '$first', want '$line'"
	tests=$((tests + 1))
}

three="finally the found toppest 3 greedy goroutines info"
expect 0 "$three" -diagreedy=3 $trace
expect 0 "$three" -diagreedy 3 $trace
expect 0 "$three" --diagreedy=3 $trace
expect 0 "$three" -diagreedy=0x3 $trace
expect 0 "$three" -diagreedy=0X3 $trace
expect 0 "finally the found toppest 5 greedy goroutines info" -diagreedy=0XA $trace
expect 0 "$three" -diagreedy=+03 $trace
expect 0 "$three" -diagreedy=3 -- $trace
expect 0 "$three" -diagreedy=3 -dump $trace
grep -q '^dump$' "$scratch/out" || fail "no dump after the report"
expect 0 "$three" -diagreedy=3 -dump=false $trace
! grep -q '^dump$' "$scratch/out" || fail "a dump that was not wanted"
expect 0 "$three" -diagreedy=3 binary.not.needed $trace
expect 0 "$three" -partial -diagreedy=3 $trace
[ ! -s "$scratch/err" ] || fail "-partial speaks of an undamaged trace"
expect 0 "dump" -dump $trace
expect 0 "dump" -diagreedy=0 -dump=T $trace
stops="stops of the world: 7 measured, 0 not measured, 0 inferred"
stw=testdata/stops/go1.21_sleep.trace
expect 0 "$stops" -stw=10 $stw
expect 0 "$stops" -partial -stw 10 -format text $stw
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
expect 0 "gtrace 0.2.0" -version
expect 0 "Usage: gtrace [flags] [pkg.test] trace.out" -h
expect 0 "Usage: gtrace [flags] [pkg.test] trace.out" -help

expect 2 "gtrace: no trace file given"
expect 2 "gtrace: no trace file given" -dump
expect 2 "gtrace: too many arguments (flags come before the files)" -dump a b c
expect 2 "gtrace: no report selected: give -diagreedy=N, -stw=N or -dump" $trace
expect 2 "gtrace: no report selected: give -diagreedy=N, -stw=N or -dump" -diagreedy=0 $trace
expect 2 "flag provided but not defined: -x" -x $trace
expect 2 "flag needs an argument: -diagreedy" -diagreedy
expect 2 "bad flag syntax: ---dump" ---dump $trace
expect 2 "bad flag syntax: -=1" -=1 $trace
# What Go 1.8 says of numbers: of several faults the leftmost one.
number() {
	expect 2 "invalid value \"$2\" for flag -diagreedy: strconv.ParseInt: parsing \"$2\": $1" \
		"-diagreedy=$2" $trace
}
for text in '' x + - 3x ' 3' 0x 0xg 08 --3 1_000 0b1 9223372036854775808x 18446744073709551615x; do
	number "invalid syntax" "$text"
done
for text in 9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 \
	99999999999999999999 99999999999999999999abc 18446744073709551616x \
	0x10000000000000000 0x10000000000000000x 02000000000000000000000 020000000000000000000009; do
	number "value out of range" "$text"
done
expect 2 'invalid boolean value "maybe" for -dump: strconv.ParseBool: parsing "maybe": invalid syntax' -dump=maybe $trace
expect 1 "diagreedyFlag N must be bigger than 0" -diagreedy=-1 $trace
expect 1 "-stw=N: N must not be below 0" -stw=-1 $trace
expect 2 "gtrace: no report selected: give -diagreedy=N, -stw=N or -dump" -stw=0 $trace
expect 2 "gtrace: -format is text or json" -stw=1 -format=xml $trace
expect 2 "gtrace: -format=json is for -stw only" -stw=1 -dump -format=json $trace
expect 2 "gtrace: -format=json is for -stw only" -diagreedy=1 -format=json $trace

expect 1 "failed to open trace file: open none.trace: no such file or directory" \
	-dump none.trace
expect 1 "failed to parse trace: failed to read header: read 0, err read testdata: is a directory" \
	-dump testdata
: >"$scratch/empty"
expect 1 "failed to parse trace: failed to read header: read 0, err EOF" -dump "$scratch/empty"
echo "This is not a trace, but a text." >"$scratch/text"
expect 1 "failed to parse trace: not a trace file" -dump "$scratch/text"
printf 'go 1.24 trace\0\0\0' >"$scratch/newer"
expect 1 "failed to parse trace: unsupported trace file version 1.24 (update Go toolchain) 1024" \
	-dump "$scratch/newer"
grep -q '^gtrace: reads traces of Go 1.5 to Go 1.27' "$scratch/err" || fail "no word of versions"

# A trace that is cut off in its last record.
size=$(wc -c <$trace)
head -c $((size - 3)) $trace >"$scratch/cut"
"$gtrace" -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err" && fail "cut off, and well"
sed -n 2p "$scratch/err" | grep -q -- '-partial' || fail "no word of -partial"
expect 0 "$three" -partial -diagreedy=3 "$scratch/cut"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-partial: more than a line"
grep -q '^gtrace: the trace is at fault at byte [0-9]*: .*; nothing was read from byte [0-9]* on' "$scratch/err" ||
	fail "-partial: no word of what was left out"

# A trace that is cut off in its only generation.
head -c 6000 testdata/go1.27-small/http.trace >"$scratch/cut"
"$gtrace" -partial=unfinished -diagreedy=3 "$scratch/cut" >"$scratch/out" 2>"$scratch/err" ||
	fail "-partial=unfinished"
[ "$(grep -c 'ns -> ' "$scratch/out")" -eq 3 ] || fail "-partial=unfinished: not three slices"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "-partial=unfinished: more than a line"
grep -q 'generation 1 is reported as far as the file has it' "$scratch/err" ||
	fail "-partial=unfinished: no word of the generation"

# A trace whose first event is at fault: a processor stops that does not run.
printf 'go 1.8 trace\0\0\0\0A\000\001\006\001\002\001' >"$scratch/first"
expect 1 "failed to parse trace: p 0 is not running before stop (offset 19, time 0)" \
	-dump "$scratch/first"
grep -q -- '-partial' "$scratch/err" || fail "no word of -partial"
expect 1 "failed to parse trace: p 0 is not running before stop (offset 19, time 0)" \
	-partial -dump "$scratch/first"
grep -q '^gtrace: no event comes before the fault$' "$scratch/err" ||
	fail "-partial: no word of why there is no report"
expect 1 "found one deltaNano is less than zero" -diagreedy=1 testdata/attack/negative.trace

# Output that fails, and output to a closed pipe.
if [ -e /dev/full ]; then
	"$gtrace" -dump $trace >/dev/full 2>"$scratch/err" && fail "/dev/full was not noticed"
	grep -q '^failed to write the report: no space left on device$' "$scratch/err" ||
		fail "/dev/full: $(cat "$scratch/err")"
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

# Stops of the world, as text and as JSON.
for trace in testdata/stops/*.trace; do
	name=${trace%.trace}
	"$gtrace" -stw=10 "$trace" | cmp - "$name.stw10" ||
		fail "$trace: -stw=10 differs"
	[ ! -f "$name.stw1000.json" ] ||
		"$gtrace" -stw=1000 -format=json "$trace" |
		cmp - "$name.stw1000.json" ||
		fail "$trace: -stw=1000 -format=json differs"
done
sh tests/golden/golden.sh testdata/go1.27-small "$scratch/piped"
