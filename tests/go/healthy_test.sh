#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# healthy_test.sh GTRACE newest|each - of ten programs that nothing holds up, the first
# line says that nothing stands out: recorded twice with the newest Go in /usr/lib, or
# ten times with Go 1.19, 1.22 and the newest.
#
# A recording that others disturb by 5 % of the CPUs or more does not count against
# it, as slices last longer then; the test says which ones it cannot judge.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
newest=$(printf '%s\n' /usr/lib/go-1.* | sort -V | tail -n 1)
source=$PWD/tests/go/healthy.go.txt
programs="idle sleepers tickers workers pipeline condition batches server connections reader"
judged=0
failed=

# judge PROGRAM - records it, and looks at what is said.
judge() {
	local others got
	others=$("$scratch/healthy" "$1" "$scratch/trace")
	got=$("$gtrace" "$scratch/trace" | head -n 3)
	if [[ $got == "Nothing stands out"* ]]; then
		judged=$((judged + 1))
	elif [ "$others" -ge 5 ]; then
		echo "not judged, other processes used $others % of the CPUs: $1: $got"
	else
		echo "FAIL $1: $got"
		failed=yes
	fi
}

case $2 in
newest) goroots=$newest times=2 ;;
*) goroots="/usr/lib/go-1.19 /usr/lib/go-1.22 $newest" times=10 ;;
esac
for goroot in $goroots; do
	[ -x "$goroot/bin/go" ] || continue
	cp "$source" "$scratch/healthy.go"
	CGO_ENABLED=0 "$goroot/bin/go" build -o "$scratch/healthy" "$scratch/healthy.go"
	"$goroot/bin/go" version
	for ((i = 0; i < times; i++)); do
		for program in $programs; do
			judge "$program"
		done
	done
done
echo "$judged recordings judged"
[ -z "$failed" ]
