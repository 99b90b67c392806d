#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# flight_test.sh GTRACE PROGRAM - what README says of a flight recording that PROGRAM,
# go/flight/main.go, makes with the newest installed Go from 1.25 on: the first
# sentence names the function that keeps all locks, what it waits for, and who waits.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
program=$(readlink -f "$2")
goroot=
for root in "${GTRACE_GOROOT:-}" /usr/local/go /usr/lib/go-1.*; do
	version=$(sed -n '1s/^go1\.\([0-9]*\).*/\1/p' "$root/VERSION" 2>/dev/null) || continue
	if [ "${version:-0}" -ge "${newest:-25}" ] && [ -x "$root/bin/go" ]; then
		goroot=$(readlink -f "$root") newest=$version
	fi
done
if [ -z "$goroot" ]; then
	echo "skipped: no Go 1.25 or later"
	exit
fi
CGO_ENABLED=0 "$goroot/bin/go" build -o "$scratch/flight" "$program"
"$scratch/flight" "$scratch/flight.trace"
"$gtrace" "$scratch/flight.trace" | head -n 6 | tr '\n' ' ' | tee "$scratch/said"
echo
line=$(grep -n 'http.Post' "$program" | cut -d : -f 1)
for words in "^main.(\*game).sendReport (main.go:$line) held goroutines up for" \
	"it waited for the network in" "waited in main.(\*game).guess, lock"; do
	grep -q "$words" "$scratch/said" || { echo "flight_test.sh: not \"$words\"" && exit 1; }
done
