#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# systems_test.sh GTRACE [WASM] - the command for Go alone is vetted and builds for
# other systems, which is no test that it runs there; and with C by a tag, where it
# prints what GTRACE does. WASM is as for wasm_test.sh.
set -eu

test=systems_test.sh
gtrace=$(realpath "$1")
wasm=${2:-}
. tests/go/wasm.sh
copy=$PWD/testdata/stops/go1.27_copy.trace
cd "$scratch/module/cmd/gtrace"
"$go" vet .
for system in darwin/amd64 darwin/arm64 freebsd/amd64 freebsd/arm64 linux/386 linux/arm64 \
	netbsd/amd64 openbsd/amd64 windows/amd64 windows/arm64; do
	export GOOS=${system%/*} GOARCH=${system#*/} CGO_ENABLED=0
	"$go" vet . || fail "go vet for $system"
	"$go" build -o "$scratch/built" . || fail "go build for $system"
	echo "$system: builds, $(wc -c <"$scratch/built") bytes; not run"
done
unset GOOS GOARCH
if command -v cc >/dev/null; then
	CGO_CFLAGS=-O0 CGO_ENABLED=1 "$go" build -tags gtrace_native -o "$scratch/native" .
	"$gtrace" -stw "$copy" >"$scratch/want"
	"$scratch/native" -stw "$copy" | cmp - "$scratch/want"
else
	echo "no cc, so the tag gtrace_native is not tested"
fi
