#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# planted_test.sh GTRACE oldest|newest - the first finding of programs with one
# planted fault, recorded with the newest Go in /usr/lib, or with Go 1.19 and 1.22,
# is that fault at its line; one process is suspended three times, or runs beside
# others; and one program has none.
#
# A program that is recorded while others use the CPUs has two faults. Each is
# recorded up to three times, until the finding is right; a wrong one counts if
# others had less than 5 % of the CPUs, or, beside neighbours, if an eighth of the time is
# known to be theirs. The test says which cases it cannot judge.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
newest=$(printf '%s\n' /usr/lib/go-1.* | sort -V | tail -n 1)
source=$PWD/tests/go/planted.go.txt
failed=
judged=

# suspend PROCESS - three times, while it records.
suspend() {
	sleep 0.3
	for _ in 1 2 3; do
		kill -STOP "$1"
		sleep 0.1
		kill -CONT "$1"
		sleep 0.1
	done
}

# record CASE - a trace, and which percentage of the CPUs others had.
record() {
	"$scratch/planted" "$1" "$scratch/trace" >"$scratch/others" &
	[ "$1" != stopped ] || suspend $!
	wait $!
}

# neighbours COMMAND... - runs it while six processes keep the CPUs busy, which end
# by themselves if the test is killed.
neighbours() {
	local busy
	busy=$(for _ in 1 2 3 4 5 6; do
		timeout 30 "$scratch/planted" busy >/dev/null &
		echo $!
	done)
	"$@"
	# shellcheck disable=SC2086
	kill $busy
}

# findings - of the trace, each in a line: kind, tenths of a percent, line.
findings() {
	"$gtrace" -format=json -rows=2 "$scratch/trace" |
		sed 's/.*"findings":\[//; s/\],".*//; s/{"kind"/\n&/g' |
		sed -n 's/^{"kind":"\([^"]*\)".*"line":\([0-9]*\).*"permille":\([0-9]*\).*/\1:\3:\2/p' |
		tr ' ' '-'
}

# at_plant FINDING CASE - its line is one of the plant.
at_plant() {
	awk -v line="${1##*:}" 'NR == line' "$source" | grep -q "// plant $2\$"
}

# is FINDING CASE KIND... - it is of one of the kinds, and of 1 % of the time or
# more, at a line of the plant, if it has one.
is() {
	local kind permille finding=$1 name=$2
	IFS=: read -r kind permille _ <<<"$1"
	shift 2
	[[ " $* " == *" $kind "* ]] && [ "$permille" -ge 10 ] || return 1
	! grep -q "// plant $name\$" "$source" || at_plant "$finding" "$name"
}

# right CASE KIND... - the first finding of the trace is of one of the kinds, or
# the second, if the headline has both; no KIND: nothing stands out.
right() {
	local name=$1 first second
	shift
	got=$("$gtrace" "$scratch/trace" | head -n 3)
	if [ $# -eq 0 ]; then
		[[ $got == "Nothing stands out"* ]]
		return
	fi
	{ read -r first || :; read -r second || :; } <<<"$(findings)"
	is "$first" "$name" "$@" || { [[ $got == *"Also: "* ]] && is "$second" "$name" "$@"; }
}

# unwitnessed - the time of two processors that is certainly or likely without a CPU is
# less than an eighth of the second. How much has a witness depends on how long the
# kernel lets each process run; below a tenth the machine is a line of facts.
unwitnessed() {
	local lost
	lost=$("$gtrace" -format=json "$scratch/trace" | grep -o '"machine":{[^[]*' |
		sed 's/.*"certain":\([0-9]*\),.*"likely":\([0-9]*\),.*/\1+\2/')
	[ "$((lost))" -lt $((2 * 1000000000 / 8)) ]
}

# undecidable CASE - a wrong finding of it says nothing of the tool.
undecidable() {
	if [ "$1" = overload ]; then
		unwitnessed
	else
		[ "$(cat "$scratch/others")" -ge 5 ]
	fi
}

# expect CASE KIND... - records the case until the finding is right.
expect() {
	local wrong=0 busy=''
	for _ in 1 2 3; do
		if [ "$1" = overload ]; then
			neighbours record "$1"
		else
			record "$1"
		fi
		right "$@" && judged=yes && return
		if undecidable "$1"; then
			busy=$got
		else
			wrong=$((wrong + 1)) && echo "wrong: $1: $got"
		fi
	done
	[ -z "$busy" ] || echo "not judged, other processes used the CPUs, or too little of it has a witness: $1: $busy"
	[ "$wrong" != 3 ] || fail "$1"
}

fail() {
	echo "FAIL $1"
	failed=yes
}

case $2 in
newest) goroots=$newest ;;
*) goroots="/usr/lib/go-1.19 /usr/lib/go-1.22" ;;
esac
for goroot in $goroots; do
	[ -x "$goroot/bin/go" ] || continue
	cp "$source" "$scratch/planted.go"
	CGO_ENABLED=0 "$goroot/bin/go" build -o "$scratch/planted" "$scratch/planted.go"
	"$goroot/bin/go" version
	expect hog function
	expect library function
	expect lock function
	expect rwmutex function
	expect reader function
	expect pool function
	expect fsync function
	expect move stop function
	expect pointers collector forced
	expect assist collector function
	expect finalizer finalizer
	expect stopped machine
	expect overload machine storm
	expect healthy
done
[ -n "$judged" ] || echo "skipped: no Go in /usr/lib, or other processes used the CPUs"
[ -z "$failed" ]
