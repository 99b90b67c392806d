#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# shim_test.sh plain|checked GOROOT LIBRARY [CACHE] - builds and tests go/gtrace
# with that Go and the library that Bazel built, in a copy of the repository's
# folders: plain, with cgo and without it; or checked, with all pointers that cgo
# passes looked at and the race detector, which takes a standard library of its own.
# Both read traces of at most 16 KiB, but all in a long run.
set -eu

how=$1
shift
root=$PWD
goroot=$1
if [ ! -x "$goroot/bin/go" ]; then
	echo "no Go to test with; bazel build //go:goroot says what is missing"
	exit 1
fi
library=$2
. tests/go/env.sh
[ $# -lt 3 ] || go_cache "$3"
export GOROOT=$goroot PATH=$goroot/bin:$PATH

# The package is called gtrace both by its module file and by its place in
# GOPATH, which is $scratch. What it finds by ../.. is there too.
mkdir -p "$scratch/bazel-bin/c" "$scratch/src"
cp -RL c testdata "$scratch"
cp -RL go/gtrace "$scratch/src"
cp -L "$library" "$scratch/bazel-bin/c"
cd "$scratch/src/gtrace"
short=-short
[ -z "${GTRACE_LONG:-}" ] || short=

if [ "$how" = checked ]; then
	# From Go 1.21 on the check of pointers is chosen when the program is built.
	case $(go version) in
	*go1.[89]* | *go1.1[0-9]* | *go1.20*) check="GODEBUG=cgocheck=2" ;;
	*) check="GOEXPERIMENT=cgocheck2" ;;
	esac
	printf 'package main\n\nfunc main() {}\n' >"$scratch/src/race.go"
	race=-race
	if ! env "$check" CGO_ENABLED=1 go run -race "$scratch/src/race.go"; then
		echo "shim_test.sh: this Go has no race detector here"
		race=
	fi
	# shellcheck disable=SC2086 # there may be no flag
	env "$check" CGO_ENABLED=1 go test $short $race .
	exit
fi

go version
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt: $unformatted"; exit 1; }
# The packages of go/tool, where they are; those of the tool are tested in it.
case $(go version) in
*go1.[89].* | *go1.10*) ;;
*) (cd "$root/go/tool" && go vet ./internal/...) ;;
esac
# vet takes longer than the tests, and command_test.sh runs it. Up to Go 1.9 it is
# no part of go test.
case $(go version) in
*go1.[89]*) vet= ;;
*) vet=-vet=off ;;
esac
# shellcheck disable=SC2086 # there may be no flag
CGO_ENABLED=1 go test $short $vet -v . | tee log
for test in TestGreedyGolden TestFormats TestRead TestPartialDamaged TestStops TestSummary TestWaits TestBlocks TestFields TestGoroutines TestNamedFrames TestRequests \
	ExampleGreedy ExampleStops ExampleDelays ExampleWaits ExampleSummarise; do
	grep -q "^--- PASS: $test" log
done

# Without cgo.
# shellcheck disable=SC2086
CGO_ENABLED=0 go test $vet -v . | tee log
grep -q '^--- SKIP: TestGreedyGolden' log
grep -q '^--- PASS: TestWithoutCgo' log

# Which files are built where: the library's caller, or its stub.
while read -r system processor cgo want; do
	got=$(GOOS=$system GOARCH=$processor CGO_ENABLED=$cgo \
		go list -f '{{.CgoFiles}} {{.GoFiles}}' .)
	if [ "$got" != "$want" ]; then
		echo "$system/$processor, cgo $cgo: $got, want $want"
		exit 1
	fi
done <<'END'
linux arm64 1 [cgo.go copy.go print.go] [blocks.go collections.go errors.go findings.go gtrace.go lives.go paths.go]
darwin amd64 1 [cgo.go copy.go print.go] [blocks.go collections.go errors.go findings.go gtrace.go lives.go paths.go]
linux arm64 0 [] [blocks.go collections.go errors.go findings.go gtrace.go lives.go paths.go stub.go]
linux 386 1 [] [blocks.go collections.go errors.go findings.go gtrace.go lives.go paths.go stub.go]
windows amd64 1 [] [blocks.go collections.go errors.go findings.go gtrace.go lives.go paths.go stub.go]
plan9 386 0 [] [blocks.go collections.go errors.go findings.go gtrace.go lives.go paths.go stub.go]
END
