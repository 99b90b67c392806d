#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# planted_test.sh GTRACE - the first finding of programs with one planted fault,
# recorded with the Gos in /usr/lib, is that fault at its line; one process is
# suspended three times; and one program has none. Says which cases cannot be
# judged, because the machine took the CPU away.
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

# record CASE - a trace.
record() {
	"$scratch/planted" "$1" "$scratch/trace" &
	[ "$1" != stopped ] || suspend $!
	wait $!
}

# value NAME - of the first finding, or nothing.
value() {
	sed "s/.*\"findings\":\[//; s/\"$1\":\"\{0,1\}\([^\",]*\).*/\n\1/; s/.*\n//" "$scratch/json"
}

# expect CASE KIND... - the first finding is of one of the kinds, at a line of
# the plant, if it has one; no KIND: nothing stands out.
expect() {
	local name=$1 found got line
	shift
	record "$name"
	"$gtrace" -format=json -rows=1 "$scratch/trace" >"$scratch/json"
	got=$("$gtrace" "$scratch/trace" | head -n 3)
	found=$(value kind)
	line=$(value line)
	if [ -z "$*" ]; then
		case $got in "Nothing stands out"*) return ;; esac
	elif [[ " $* " == *" ${found// /-} "* ]]; then
		judged=yes
		! grep -q "// plant $name\$" "$source" ||
			sed -n "${line}p" "$source" | grep -q "// plant $name\$" || fail "$name" "$got"
		return
	fi
	if [ "$found" = machine ] || [ "$found" = load ]; then
		echo "not judged: $name: $got"
	else
		fail "$name" "$got"
	fi
}

fail() {
	echo "FAIL $1: $2"
	failed=yes
}

for goroot in /usr/lib/go-1.19 /usr/lib/go-1.22 "$newest"; do
	[ -x "$goroot/bin/go" ] || continue
	cp "$source" "$scratch/planted.go"
	"$goroot/bin/go" build -o "$scratch/planted" "$scratch/planted.go"
	"$goroot/bin/go" version
	expect hog delay
	expect library delay
	expect lock lock
	expect rwmutex lock
	expect reader channel-send
	expect fsync lock
	expect move stop delay
	expect stopped machine
	expect healthy
done
[ -n "$judged" ] || echo "skipped: no Go in /usr/lib, or a machine without a CPU for this"
[ -z "$failed" ]
