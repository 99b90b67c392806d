#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# reader_test.sh GTRACE ANSWERS [GOROOT...] - compares dumps and slices, which the
# program ANSWERS prints, with what the trace readers of installed Gos (1.22 or
# later; without GOROOT, the oldest and the newest one) return, for the small traces
# of Go 1.22 and later and for traces made of them: spliced, or with their batches,
# generations, times or ids changed (5,000, or 100,000 in a long run); and the waits
# that GTRACE reports with what Go's Summarizer adds up, and from Go 1.26 on the blocks
# (before, it leaves out the time before the first event of a goroutine). A reader
# is copied from the sources of its Go, as package internal/trace cannot be imported.
set -eu

. tests/go/env.sh
GTRACE=$(readlink -f "$1")
ANSWERS=$(readlink -f "$2")
TESTDATA=$(readlink -f testdata)
here=$(readlink -f tests/go)
export GTRACE ANSWERS TESTDATA
shift 2
[ -z "${GTRACE_LONG:-}" ] || export INPUTS=100000

# The minor version of the Go in the folder $1, nothing if it has no reader.
minor() {
	local version
	version=$(sed -n '1s/^go1\.\([0-9]*\).*/\1/p' "$1/VERSION" 2>/dev/null) || return 0
	if [ "${version:-0}" -ge 22 ] && [ -d "$1/src/internal/trace" ]; then
		echo "$version"
	fi
}

# The folder of the package in the folder $1 of a Go.
package() {
	if [ -d "$1/src/internal/trace/v2" ]; then
		echo "$1/src/internal/trace/v2"
	else
		echo "$1/src/internal/trace"
	fi
}

# Compares with the reader of the Go in the folder $1, of minor version $2.
compare() {
	local module=$scratch/$2 path=control/trace from
	from=$(package "$1")
	mkdir "$module"
	cp -RL "$from" "$module/trace"
	chmod -R u+w "$module"
	cd "$module/trace"
	rm -rf testdata testtrace internal/testgen raw
	find . -name '*_test.go' -exec rm {} +
	if [ -d traceviewer ]; then
		find traceviewer -mindepth 1 -maxdepth 1 ! -name format -exec rm -rf {} +
	fi
	find . -name '*.go' -exec sed -i "s,\"${from#"$1/src/"},\"$path," {} +
	cd "$module"
	cp "$here/kept.go.txt" trace/kept.go
	for file in reader answers inputs waits blocks; do
		cp "$here/${file}_test.go.txt" "${file}_test.go"
	done
	# Go 1.22 has the Summarizer in the package for older traces.
	if [ "$from" != "$1/src/internal/trace" ]; then
		mkdir summary
		sed "s,\"internal/trace/v2\",\"$path\"," "$1/src/internal/trace/summary.go" \
			>summary/summary.go
		printf 'package trace\n\nfunc IsSystemGoroutine(string) bool { return false }\n' \
			>summary/goroutines.go
		sed -i 's,summary "control/trace",summary "control/summary",' waits_test.go
	fi
	printf 'module control\n\ngo 1.%s\n' "$2" >go.mod
	"$1/bin/go" version
	READER=$2 CGO_ENABLED=0 "$1/bin/go" test -vet=off -v -timeout 40m . | tee "$scratch/log"
	for test in TestSmall TestInputs TestReadyTime TestBlocks TestGoroutines; do
		[[ $test = Test[BG]* ]] && [ "$2" -lt 26 ] ||
			grep -q "^--- PASS: $test" "$scratch/log"
	done
}

all=$#
[ $# -ne 0 ] || set -- "${GTRACE_GOROOT:-}" /usr/lib/go-1.* /usr/local/go
for goroot; do
	version=$(minor "$goroot")
	[ -z "$version" ] || echo "$version $goroot"
done | sort -n >"$scratch/found"
if [ ! -s "$scratch/found" ]; then
	echo "skipped: no Go 1.22 or later with its sources in $*"
	exit
fi
if [ "$all" -eq 0 ]; then
	sed -i '1p;$!d' "$scratch/found"
fi
uniq "$scratch/found" >"$scratch/used"
while read -r version goroot; do
	compare "$goroot" "$version" </dev/null
done <"$scratch/used"
