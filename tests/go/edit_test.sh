#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# edit_test.sh GTRACE - the trace reader of the newest installed Go from 1.26 on
# reads what gtrace makes of the small traces of Go 1.22 and later: cuts, joins of
# these, and traces with other names. A trace that is cut off is refused.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
program=$(readlink -f tests/go/edit.go.txt)
goroot=
for root in "${GTRACE_GOROOT:-}" /usr/lib/go-1.2[6-9] /usr/local/go; do
	[ ! -f "$root/src/internal/trace/reader.go" ] ||
		! grep -q '^go1\.2[6-9]' "$root/VERSION" || goroot=$root
done
if [ -z "$goroot" ]; then
	echo "skipped: no Go 1.26 or later with its sources"
	exit
fi

module=$scratch/module
mkdir "$module" "$scratch/made"
cp -RL "$goroot/src/internal/trace" "$module/trace"
chmod -R u+w "$module"
cp "$program" "$module/main.go"
(
	cd "$module"
	rm -rf trace/testdata trace/testtrace trace/internal/testgen trace/raw trace/traceviewer
	find . -name '*_test.go' -exec rm {} +
	find trace -name '*.go' -exec sed -i 's,"internal/trace,"control/trace,' {} +
	printf 'module control\n\ngo 1.26\n' >go.mod
	CGO_ENABLED=0 "$goroot/bin/go" build -o "$scratch/reader" .
)

number=0
for trace in testdata/go1.2[2-9]-small/*.trace testdata/silences/*-go1.2*.trace; do
	number=$((number + 1))
	made=$scratch/made/$number
	at=$((number * 37 % 100))
	"$gtrace" -anonymise -salt=a -o "$made.names" "$trace"
	"$gtrace" -cut=-"$at"0ms, -o "$made.late" "$trace"
	"$gtrace" -cut=,-"$at"ms -o "$made.early" "$trace" || cp "$trace" "$made.early"
	"$gtrace" -cut=around:-"$at"ms -anonymise -o "$made.both" "$trace"
	"$gtrace" -join -o "$made.joined" "$made.late" "$made.early" || rm -f "$made.joined"
done >"$scratch/log" 2>&1
set -- "$scratch"/made/*
[ $# -gt 100 ] || { cat "$scratch/log"; exit 1; }
"$scratch/reader" "$@" >"$scratch/refused"
if [ -s "$scratch/refused" ]; then
	cat "$scratch/refused"
	exit 1
fi
head -c -1 "$1" >"$scratch/short"
"$scratch/reader" "$scratch/short" | grep -q . || { echo "a trace that is cut off is taken"; exit 1; }
echo "edit_test.sh: $# traces"
