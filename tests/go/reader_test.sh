#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# reader_test.sh GTRACE - compares the dumps of GTRACE with what the trace reader
# of an installed Go (1.26 or later) returns, for the small traces of Go 1.22 and
# later and for random splices of them. The reader is copied from the sources of
# that Go, as package internal/trace cannot be imported.
set -eu

. tests/go/env.sh
GTRACE=$(readlink -f "$1")
TESTDATA=$(readlink -f testdata)
export GTRACE TESTDATA

goroot=
for folder in ${GTRACE_GOROOT:-} /usr/lib/go-1.2[6-9] /usr/local/go; do
	case $(sed -n 1p "$folder/VERSION" 2>/dev/null) in
	go1.2[6-9]*)
		if [ -d "$folder/src/internal/trace/tracev2" ]; then
			goroot=$folder
		fi
		;;
	esac
done
if [ -z "$goroot" ]; then
	echo "skipped: no Go 1.26 or later with its sources in GTRACE_GOROOT, /usr/lib/go-1.* or /usr/local/go"
	exit
fi

mkdir -p "$scratch/control"
cp -RL "$goroot/src/internal/trace" "$scratch/control/trace"
chmod -R u+w "$scratch/control"
cd "$scratch/control/trace"
rm -rf testdata testtrace internal/testgen raw
find . -name '*_test.go' -exec rm {} +
find traceviewer -mindepth 1 -maxdepth 1 ! -name format -exec rm -rf {} +
find . -name '*.go' -exec sed -i 's,"internal/trace,"control/trace,' {} +
cd "$OLDPWD"
cp tests/go/reader_test.go.txt "$scratch/control/reader_test.go"
cd "$scratch/control"
printf 'module control\n\ngo 1.26\n' >go.mod

go=$goroot/bin/go
"$go" version
CGO_ENABLED=0 "$go" test -vet=off -v -timeout 10m . | tee "$scratch/log"
for test in TestSmall TestSplices; do
	grep -q "^--- PASS: $test" "$scratch/log"
done
