#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# woken_test.sh GTRACE - goroutines that are woken, compute and end, recorded with
# each Go in /usr/lib: none of their slices is called after what woke them, and
# the sums are those of what computed.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
cp tests/go/woken.go.txt "$scratch/main.go"
judged=0

# slices - the goroutine and the function of each slice of the trace.
slices() {
	"$gtrace" -max-slice=1ns "$scratch/trace" |
		sed -n 's/.*goroutine \([0-9]*\) in \([^ ]*\).*/\1 \2/p'
}

# begins FUNCTION - the goroutines that begin in it.
begins() {
	"$gtrace" -diagreedy=1000 -format=json "$scratch/trace" |
		sed -n "s/.*\"g\":\([0-9]*\),\"function\":\"$1\".*/\1/p" | sort -u
}

# sum FUNCTION - of its slices and what they delayed, in nanoseconds.
sum() {
	"$gtrace" -format=json -rows=1000 "$scratch/trace" |
		sed 's/.*"functions":\[//; s/{"fn"/\n&/g' |
		sed -n "s/^{\"fn\":\"$1\".*\"sum\":\([0-9]*\).*\"delay\":\([0-9]*\).*/\1 \2/p" |
		awk '{ all += $1 + $2 } END { print all + 0 }'
}

check() {
	local go=$1 function g computed
	slices >"$scratch/slices"
	for function in receiver locker starter waiter; do
		for g in $(begins "main\\.$function"); do
			if grep "^$g " "$scratch/slices" | grep -v " main\.\($function\|compute\)$"; then
				echo "$go: a slice of goroutine $g, of main.$function"
				exit 1
			fi
			judged=$((judged + 1))
		done
	done
	computed=$(($(sum 'main\.receiver') + $(sum 'main\.compute')))
	if [ "$(sum 'main\.feed')" -gt $((computed / 10)) ]; then
		echo "$go: main.feed has $(sum 'main\.feed') of $computed"
		exit 1
	fi
}

for go in /usr/lib/go-1.*; do
	[ -x "$go/bin/go" ] || continue
	(cd "$scratch" && GO111MODULE=off CGO_ENABLED=0 "$go/bin/go" build -o woken main.go)
	"$scratch/woken" "$scratch/trace"
	check "$go"
done
[ $judged != 0 ] || echo "skipped: no Go in /usr/lib"
