#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# command_test.sh GOROOT - runs the tests that the patch brings to cmd/trace,
# gofmt and vet, and builds the tool without cgo, in a patched toolchain.
set -eu

goroot=$(readlink -f "$1")
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
unset GOENV GOFLAGS GOROOT
export GOPATH=$scratch GOCACHE=$scratch/cache HOME=$scratch
export GOTOOLCHAIN=local
go=$goroot/bin/go

"$go" version
unformatted=$("$goroot/bin/gofmt" -l "$goroot/src/cmd/trace")
[ -z "$unformatted" ] || { echo "gofmt: $unformatted"; exit 1; }
"$go" vet cmd/trace cmd/trace/internal/gtrace
CGO_ENABLED=1 "$go" test -v -run 'Dump|Greedy|ReportErrors' cmd/trace |
	tee "$scratch/log"
for test in TestDump TestGreedy TestReportErrors; do
	grep -q "^--- PASS: $test" "$scratch/log"
done
CGO_ENABLED=1 "$go" test cmd/trace

CGO_ENABLED=0 "$go" build -o "$scratch/trace" cmd/trace
status=0
"$scratch/trace" -dump testdata/go1.8-small/idle.trace >"$scratch/out" \
	2>"$scratch/err" || status=$?
cat "$scratch/err"
[ "$status" -eq 1 ] && [ ! -s "$scratch/out" ]
grep -q "need cgo" "$scratch/err"
