#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# command_test.sh GOROOT [CACHE [PART]] - runs gofmt, vet and all tests of
# cmd/trace, those of the patch among them, in a patched toolchain. Builds the
# tool without cgo, and without the library, as it is before the commit that
# adds it. PART is tests, for gofmt and the tests alone, or builds, for the rest.
set -eu

. tests/go/env.sh
goroot=$(readlink -f "$1")
[ $# -lt 2 ] || go_cache "$2"
go=$goroot/bin/go

part=${3:-}

"$go" version
unformatted=$("$goroot/bin/gofmt" -l "$goroot/src/cmd/trace")
[ -z "$unformatted" ] || { echo "gofmt: $unformatted"; exit 1; }
if [ "$part" != builds ]; then
	# vet takes longer than the tests: it is below. Up to Go 1.9 it is no part
	# of go test.
	case $("$go" version) in
	*go1.[89]*) vet= ;;
	*) vet=-vet=off ;;
	esac
	# shellcheck disable=SC2086 # there may be no flag
	CGO_ENABLED=1 "$go" test $vet -v cmd/trace/... | tee "$scratch/log"
	for test in TestDump TestGreedy TestStops TestWaits TestBlocks TestFormat TestReportErrors \
		TestReportFlags TestPages TestRangeOf TestMainPage TestSlices TestEscape TestHeldUpBy; do
		grep -q "^--- PASS: $test" "$scratch/log"
	done
	grep -q "^ok" "$scratch/log"
fi
[ "$part" != tests ] || exit 0

# vet looks for print.go where cgo found it when the cache was made. Something in
# its place that is not in the cache has cgo look again, and compile all of the
# library, which takes a fourth of the time if it is not optimised.
if [ $# -lt 2 ]; then
	"$go" vet cmd/trace/...
else
	print=$goroot/src/cmd/trace/internal/gtrace/print.go
	sed 's,^#include <stdlib.h>$,#cgo CFLAGS: -O0\n&,' "$print" >"$scratch/print.go"
	! cmp -s "$print" "$scratch/print.go"
	printf '{"Replace": {"%s": "%s"}}\n' "$print" "$scratch/print.go" \
		>"$scratch/overlay"
	"$go" vet -overlay "$scratch/overlay" cmd/trace/...
fi
CGO_ENABLED=0 "$go" vet cmd/trace/internal/...

# refuses LINES TEXT - of the tool in $scratch, which prints LINES lines, the
# first of them with TEXT, and no report.
refuses() {
	local lines=$1 text=$2 status=0
	"$scratch/trace" -dump testdata/go1.8-small/idle.trace >"$scratch/out" \
		2>"$scratch/err" || status=$?
	cat "$scratch/err"
	[ "$status" -eq 1 ] && [ ! -s "$scratch/out" ]
	[ "$(wc -l <"$scratch/err")" -eq "$lines" ]
	sed -n 1p "$scratch/err" | grep -q "$text"
}

CGO_ENABLED=0 "$go" build -o "$scratch/trace" cmd/trace
refuses 2 "need cgo"
sed -n 2p "$scratch/err" |
	grep -q "with a C compiler installed, CGO_ENABLED=1 go .* builds the tool with cgo"

# Releases of Go 1.15 and earlier have no -overlay, nor a cache that goroot.sh
# makes.
[ $# -ge 2 ] || exit 0
library=$goroot/src/cmd/trace/internal/gtrace
stub=$PWD/go/tool/internal/gtrace
{
	printf '{"Replace": {"%s": ""' "$library/gtrace.c"
	for file in "$library"/*.h "$library"/*.go; do
		[ -e "$stub/${file##*/}" ] || printf ', "%s": ""' "$file"
	done
	for file in "$stub"/*; do
		printf ', "%s": "%s"' "$library/${file##*/}" "$file"
	done
	echo '}}'
} >"$scratch/overlay"
# The library is what is missing, whether there is cgo or not.
for cgo in 0 1; do
	CGO_ENABLED=$cgo "$go" build -overlay "$scratch/overlay" \
		-o "$scratch/trace" cmd/trace
	refuses 1 "need the gtrace library, .*patches/apply.sh"
done
# vet does not find files that only an overlay has.
CGO_ENABLED=1 "$go" test -vet=off -overlay "$scratch/overlay" -v -run TestDump \
	cmd/trace |
	grep -q "^--- SKIP: TestDump"
