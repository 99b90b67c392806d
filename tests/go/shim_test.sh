#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# shim_test.sh GOROOT LIBRARY [CACHE] - builds and tests go/gtrace with that Go and the
# library that Bazel built, in a copy of the repository's folders, and once
# more without cgo.
set -eu

goroot=$1
if [ ! -x "$goroot/bin/go" ]; then
	echo "no Go to test with; bazel build //go:goroot says what is missing"
	exit 1
fi
library=$2
. tests/go/env.sh
[ $# -lt 3 ] || go_cache "$3"
export GOROOT=$goroot PATH=$goroot/bin:$PATH

# A place that both the module file and GOPATH make sense of.
top=$scratch/src/gtrace
mkdir -p "$top/bazel-bin/c"
cp -RL c go testdata "$top"
cp -L "$library" "$top/bazel-bin/c"
cd "$top/go/gtrace"

go version
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt: $unformatted"; exit 1; }
go vet .
CGO_ENABLED=1 go test -v . | tee log
grep -q '^--- PASS: TestGreedyGolden' log

# Without cgo.
CGO_ENABLED=0 go vet .
CGO_ENABLED=0 go test -v . | tee log
grep -q '^--- SKIP: TestGreedyGolden' log

# Which files are built where: the library's caller, or its stub.
while read -r system processor cgo want; do
	got=$(GOOS=$system GOARCH=$processor CGO_ENABLED=$cgo \
		go list -f '{{.CgoFiles}} {{.GoFiles}}' .)
	if [ "$got" != "$want" ]; then
		echo "$system/$processor, cgo $cgo: $got, want $want"
		exit 1
	fi
done <<'END'
linux arm64 1 [cgo.go print.go] [gtrace.go]
darwin amd64 1 [cgo.go print.go] [gtrace.go]
linux arm64 0 [] [gtrace.go stub.go]
linux 386 1 [] [gtrace.go stub.go]
windows amd64 1 [] [gtrace.go stub.go]
plan9 386 0 [] [gtrace.go stub.go]
END
