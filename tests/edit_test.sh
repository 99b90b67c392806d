#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# edit_test.sh GTRACE - new traces of the command: cuts, joins, traces that overlap
# counted once, what is refused; that no input is overwritten, and that nothing half
# written stays when the disk is full, the folder read-only or the run interrupted.
set -eu

gtrace=$(readlink -f "$1")
whole=$(readlink -f testdata/go1.27-small/gens.trace)
old=$(readlink -f testdata/go1.21-small/idle.trace)
other=$(readlink -f testdata/silences/busy-go1.27.trace)
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch"
tests=0

fail() {
	echo "edit_test.sh: $*"
	exit 1
}

# expect STATUS TEXT ARGUMENT... - the exit status, and that TEXT is in what is
# printed to standard output, or if the status is not 0 to standard error.
expect() {
	local want=$1 text=$2 got=0 from=out
	shift 2
	"$gtrace" "$@" >out 2>err </dev/null || got=$?
	[ "$got" -eq "$want" ] || fail "gtrace $*: status $got, want $want: $(cat err)"
	[ "$want" -eq 0 ] || from=err
	grep -qF -- "$text" "$from" || fail "gtrace $*: '$(cat $from)' has no '$text'"
	tests=$((tests + 1))
}

# nothing - there is no file NAME, nor one under which it was written.
nothing() {
	local left
	left=$(find . -name 'new*')
	[ -z "$left" ] || fail "$1: there is $left"
}

# ------------------------------------------------------------------- cut --
expect 0 "new.trace: 0s to 2.409837s of 2.409837s, generations 1 to 3, 18204 bytes" \
	-cut=, -o new.trace "$whole"
cmp new.trace "$whole"
expect 0 "generations 2 to 2" -cut=1.5s,1.6s -o new.trace "$whole"
expect 0 "its times begin anew: its 0s is " -cut=1.5s,1.6s -o new.trace "$whole"
cp new.trace second
expect 0 "generations 3 to 3" -cut=-10ms, -o new.trace "$whole"
expect 0 "generations 1 to 2" -cut=,-1s -o new.trace "$whole"
cp new.trace early
expect 0 "generations 1 to 1" -cut=around:100ms -o new.trace "$whole"
expect 0 "generations 2 to 3" -cut=around:-100ms -o new.trace "$whole"
cp new.trace late
expect 0 "" -cut=1.5s,1.6s -o - "$whole"
cmp out second
"$gtrace" -cut=1.5s,1.6s -o - - <"$whole" 2>err | cmp - second
grep -q 'generations 2 to 2' err
expect 0 "ended by" -diagreedy=1 -format=short second
rm new.trace

expect 1 "nothing is in that time: the trace ends at 2.409837 s" -cut=3s,4s -o new.trace "$whole"
expect 1 "Go 1.21 or older cannot be cut" -cut=0s,1s -o new.trace "$old"
expect 1 "no such file" -cut=0s,1s -o new.trace missing
nothing "a cut that failed"
expect 2 "a new trace needs -o=FILE" -cut=1s,2s "$whole"
expect 2 "-o is for -cut, -join" -o new.trace "$whole"
expect 2 "the second time is not after the first one" -cut=2s,1s -o new.trace "$whole"
expect 2 "the second time is not after the first one" -cut=-1s,-2s -o new.trace "$whole"
expect 2 "the second time is not after the first one" -cut=1s,0 -o new.trace "$whole"
expect 2 "it takes two times" -cut=1s -o new.trace "$whole"
expect 2 "it takes two times" -cut=1s,2s,3s -o new.trace "$whole"
expect 2 "one time follows around:" -cut=around: -o new.trace "$whole"
expect 2 "a unit is missing" -cut=1,2s -o new.trace "$whole"
expect 2 "-0 is no time before the end" -cut=-0,2s -o new.trace "$whole"
expect 2 "-from does not go with -cut" -cut=1s,2s -from=1s -o new.trace "$whole"
expect 2 "several traces need -join" -cut=1s,2s -o new.trace "$whole" "$whole"
expect 2 "-partial=unfinished is for reports" -partial=unfinished -cut=, -o new.trace "$whole"
nothing "wrong use"

# ----------------------------------------------------------------- large --
# A trace of more than 100 MB: batches of an experiment, of 64 KiB, fill it up.
printf '\x31\x01\x01\x00\x00\x80\x80\x04' >batch
head -c 65536 /dev/zero >>batch
for i in 1 2 3 4 5 6 7 8 9 10 11; do
	cat batch batch >more
	mv more batch
done
(
	head -c 16 "$whole"
	cat batch
	tail -c +17 "$whole"
) >large
expect 0 "" large
! grep -q 'A smaller trace' out || fail "the cut of a load is all of this trace"
expect 0 "A smaller trace of it: gtrace -cut=" -func=main.main large
read -r -a cut < <(sed -n 's/^A smaller trace of it: gtrace //p' out)
expect 0 "worst.trace: " "${cut[@]}"
expect 0 '"cut":"-cut=' -format=json large
expect 0 '"cut":""' -format=json "$whole"
! grep -q '"cut":"-' out || fail "a small trace is to be cut"
rm batch worst.trace

# interrupt SIGNAL - ends a cut as it writes; returns whether it came too late.
interrupt() {
	env --default-signal="$1" "$gtrace" -cut=, -o new.trace large >out 2>&1 &
	local run=$! got=0
	while [ ! -e new.trace.part0 ] && kill -0 $run 2>err; do :; done
	kill -s "$1" $run 2>err || true
	wait $run 2>err || got=$?
	[ $got -ne 0 ] || return 0
	nothing "SIG$1"
	tests=$((tests + 1))
	return 1
}

for signal in INT TERM HUP QUIT; do
	for try in 1 2 3 4 5 6 7 8 9 last; do
		interrupt $signal || break
		cmp new.trace large
		rm new.trace
		[ $try != last ] || fail "SIG$signal came too late ten times"
	done
done
rm large

# --------------------------------------------------------------- damaged --
head -c 15000 "$whole" >damaged
expect 1 "the file ends early" -cut=0s,1s -o new.trace damaged
nothing "a damaged trace"
expect 0 "generations 1 to 2" -partial -cut=, -o new.trace damaged
cmp new.trace early
rm new.trace

# ------------------------------------------------------------------ join --
expect 0 "1 generation is in several traces" -join -o new.trace late early
cmp new.trace "$whole"
expect 0 "generations 2 to 3" -join -cut=1.5s, -o new.trace early late
cmp new.trace late
"$gtrace" -cut=,1s -o first "$whole" >out
"$gtrace" -cut=-10ms, -o third "$whole" >out
rm new.trace
expect 1 "generation 2 is missing between first and third" -join -o new.trace third first
expect 1 "they are not of one process" -join -o new.trace "$whole" "$other"
expect 1 "damaged: " -join -o new.trace early damaged
expect 1 "Go 1.21 or older" -join -o new.trace early "$old"
nothing "a join that failed"

# ---------------------------------------------------------------- output --
cp "$whole" input
ln input same
ln -s input link
for name in input same link; do
	expect 2 "a trace that is read is not overwritten" -cut=0s,1s -o $name input
	expect 2 "a trace that is read is not overwritten" -join -o $name early input
done
cmp input "$whole"
[ ! -s err ] || "$gtrace" -cut=0s,1s -o same - <input 2>err && fail "standard input is overwritten"
grep -q 'is not overwritten' err || fail "standard input: $(cat err)"

echo text >text
expect 2 "the file exists and is not a trace" -cut=0s,1s -o text input
expect 2 "it is no file" -cut=0s,1s -o . input
expect 2 "it is no file" -cut=0s,1s -o /dev/null input
expect 1 "no such file or directory" -cut=0s,1s -o missing/new.trace input
: >empty
expect 0 "generations 1 to 1" -cut=0s,1s -o empty input
(
	trap '' XFSZ
	ulimit -f 4
	expect 1 "new.trace: file too large" -cut=, -o new.trace input
)
(
	ulimit -f 4
	expect 1 "new.trace: file too large" -cut=, -o new.trace input
)
nothing "a limit on files"
[ ! -e /dev/full ] || ! "$gtrace" -cut=, -o - input >/dev/full 2>err || fail "a full disk is no error"
mkdir locked
chmod 555 locked
cp "$gtrace" command
# To the superuser no folder is read-only.
as=()
if (: >locked/probe) 2>err; then
	as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	rm -f locked/probe
	chmod 755 .
fi
if "${as[@]}" cat input >out 2>err; then
	got=0
	"${as[@]}" ./command -cut=, -o locked/new.trace input >out 2>err || got=$?
	[ $got -eq 1 ] || fail "a read-only folder: status $got"
	grep -qi 'locked/new.trace: permission denied' err || fail "a read-only folder: $(cat err)"
else
	echo "skipped: a read-only folder: $(cat err)"
fi
chmod 755 locked
nothing "a read-only folder"
# Ended at any moment, the run leaves the whole file or none.
for delay in 0.002 0.004 0.006 0.01 0.015 0.02 0.03 0.05; do
	timeout -s TERM $delay "$gtrace" -cut=, -o new.trace "$other" >out 2>&1 || true
	[ ! -e new.trace.part0 ] || fail "an interrupted run leaves a part"
	[ ! -e new.trace ] || cmp new.trace "$other"
	rm -f new.trace
done
# What another run that was killed has left is in the way of none.
: >new.trace.part0
expect 0 "generations 1 to 3" -cut=, -o new.trace input
[ -e new.trace.part0 ] || fail "another run's file is gone"
rm new.trace new.trace.part0

# --------------------------------------------------------------- overlap --
# Events of FILES, as many as the whole has.
events() {
	"$gtrace" -dump -format=csv "$@" 2>err | cut -d, -f 3- | tail -n +2
}

events "$whole" >want
events late early | cmp - want
grep -qx 'gtrace: 2 of 2 traces overlap: 1 generation was counted once' err ||
	fail "overlap: $(cat err)"
events third first | wc -l >separate
[ ! -s err ] || fail "no overlap: $(cat err)"
cat <("$gtrace" -dump -format=csv early) <("$gtrace" -dump -format=csv late) |
	grep -vc '^trace,' >both
"$gtrace" -no-join -dump -format=csv early late 2>err | tail -n +2 | wc -l >got
[ ! -s err ] || fail "-no-join: $(cat err)"
cmp got both
"$gtrace" early "$other" "$old" late >out 2>err
grep -qx 'gtrace: 2 of 4 traces overlap: 1 generation was counted once' err
grep -qx '==> early and 1 more <==' out
[ "$(grep -c '^==>' out)" -eq 3 ] || fail "$(grep '^==>' out)"
printf 'early\nlate\n' >list
"$gtrace" -diagreedy=3 -files-from=list >out 2>err
grep -q 'overlap' err
# One of them is damaged.
tail -c +17 late | cat <(head -c 16 late) - | head -c 9000 >broken
"$gtrace" early broken >out 2>err && fail "a damaged trace is no error"
grep -q 'counted one by one' err || grep -q 'broken: ' err

# ------------------------------------------------------------- anonymise --
# Numbers of a report, without its names.
numbers() {
	"$gtrace" "$@" -diagreedy=20 -stw=5 -wait=5 -block=5 -format=json |
		sed 's/"[^"]*"//g' | tr -d '[:alpha:][:blank:]'
}

for trace in "$whole" "$other" "$old"; do
	expect 0 "$(wc -c <"$trace") bytes" -anonymise -salt=a -o new.trace "$trace"
	numbers "$trace" >want
	numbers new.trace | cmp - want
	"$gtrace" -anonymise -salt=a -o - "$trace" 2>err | cmp - new.trace
	"$gtrace" -anonymise -o - "$trace" 2>err >random
	! cmp -s random new.trace || fail "a salt that nobody gave is this one"
	! grep -qa 'main\.burn' new.trace || fail "a name is left"
done
expect 0 "generations 2 to 2" -anonymise -salt=a -cut=1.5s,1.6s -o new.trace "$whole"
expect 0 "" -anonymise -salt=a -o - second
cmp out new.trace
expect 0 "generations 1 to 3" -anonymise -salt=a -join -o new.trace late early
expect 0 "" -anonymise -salt=a -o - "$whole"
cmp out new.trace
rm new.trace
head -c 1000 "$old" >cut_off
expect 1 "cut_off: " -partial -anonymise -o new.trace cut_off
expect 2 "-salt is for -anonymise" -cut=, -salt=a -o new.trace "$whole"
nothing "a trace that cannot be anonymised"

echo "edit_test.sh: $tests calls"
