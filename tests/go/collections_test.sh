#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# collections_test.sh GTRACE - runs programs of installed Gos with
# GODEBUG=gctrace=1,schedtrace=100 while they are traced, and compares the
# collections of the traces with those that the runtime prints.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
export PYTHONDONTWRITEBYTECODE=1 GO111MODULE=off
cp tests/go/collections.go.txt "$scratch/main.go"

# compare PROGRAM - records, and compares. Fails if clocks differ: a thread can lose
# its CPU between the reading of both.
compare() {
	local status=0
	GOMAXPROCS=2 GODEBUG=gctrace=1,schedtrace=100 "$scratch/program" \
		"$scratch/trace" "$1" 2>"$scratch/printed"
	python3 tests/go/collections_test.py "$gtrace" "$scratch/trace" \
		"$scratch/printed" || status=$?
	[ $status -eq 0 ] || [ $status -eq 3 ] || exit $status
	return $status
}

compared=
for release in 19 21 22 24 27; do
	go=/usr/lib/go-1.$release/bin/go
	[ -x "$go" ] || continue
	CGO_ENABLED=0 "$go" build -o "$scratch/program" "$scratch/main.go"
	for program in pages trees many one often calls; do
		echo "go1.$release $program"
		compare $program || compare $program || compare $program
	done
	"$gtrace" -schedtrace=100ms "$scratch/trace" |
		grep -q '^SCHED .*gomaxprocs=2 '
	compared=yes
done
[ -n "$compared" ] || echo "skipped: no Go in /usr/lib"
