#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# module_test.sh GOROOT [CACHE [TESTED]] - the module that go/module.sh writes
# needs the go command and a C compiler only, and no network: it builds, its
# examples pass, with cgo and without, and a program in another module uses it.
# CACHE is - if there is none; TESTED is a Go that another test does that for.
set -eu

goroot=$1
if [ ! -x "$goroot/bin/go" ]; then
	echo "skipped: no Go in $goroot"
	exit
fi
if [ "$(readlink -f "$goroot")" = "$(readlink -f "${3:-/nonexistent}")" ]; then
	echo "skipped: module_test tests $goroot"
	exit
fi
. tests/go/env.sh
[ "${2:--}" = - ] || go_cache "$2"
# //go:goroot has the C compiler optimise, as users do: it takes longest.
export CGO_CFLAGS=-O0
export GOROOT=$goroot PATH=$goroot/bin:$PATH GOPROXY=off GO111MODULE=on
sources=$PWD

module=example.com/test/gtrace
"$sources/go/module.sh" "$scratch/module" $module
# It has to do without the rest of this repository.
mkdir "$scratch/work"
cd "$scratch/module"
go version
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt: $unformatted"; exit 1; }
for cgo in 1 0; do
	CGO_ENABLED=$cgo go build .
	CGO_ENABLED=$cgo go vet .
done
CGO_ENABLED=1 go test -v . | tee "$scratch/log"
for test in Example ExampleGreedy ExampleStops ExampleDelays ExampleWaits ExampleSummarise ExampleError ExampleRead_partial; do
	grep -q "^--- PASS: $test " "$scratch/log"
done
go doc . >"$scratch/doc"
grep -q '^func Greedy\|^    func Greedy' "$scratch/doc"
# Every exported name has a comment.
for name in Assist BlockKind BlockPlace BlockReport BlockSum Blocks ClassSum Collection CollectionReport CollectionTotal DelayReport Delays Distribution ErrNoCgo Error Event Frame Function GoroutineReport GoroutineSum Greedy Holder \
	Kept Late LateHow Lost Machine Part PartialError Print Read Report Request RequestReport RequestSum Samples Served Slice SchedSample SilentClass Status Stop \
	StopKind StopReport Stops Summarise Summary Unblocker Wait WaitReport WaitRow Waits Work; do
	go doc $name | grep -v '^package\|^$' | grep -q '^    [A-Z]' ||
		{ echo "no comment: $name"; exit 1; }
done

cd "$scratch/work"
cat >go.mod <<END
module example.com/test/report

go 1.17

require $module v0.4.0

replace $module => ../module
END
cat >main.go <<END
package main

import (
	"errors"
	"fmt"
	"log"
	"os"

	"$module"
)

func main() {
	report, err := gtrace.Read(gtrace.Request{Path: os.Args[1], Greedy: 10})
	if errors.Is(err, os.ErrNotExist) {
		log.Fatal("no such trace")
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range report.Slices {
		fmt.Printf("\t%dns -> %fs \n", s.Duration.Nanoseconds(), s.Duration.Seconds())
	}
}
END
CGO_ENABLED=1 go build -o report .
trace=$sources/testdata/before
./report "$trace.trace" >slices
grep 'ns -> ' "$trace.diagreedy10" | cmp - slices

# fails WORDS TRACE - the program prints WORDS and fails.
fails() {
	if ./report "$2" 2>said || ! grep -q "$1" said; then
		echo "$2: $(cat said)"
		exit 1
	fi
}
fails 'no such trace' none
CGO_ENABLED=0 go build -o report .
fails 'need cgo' "$trace.trace"
