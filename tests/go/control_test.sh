#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# control_test.sh GOROOT - holds the library against Go's own parser, in a
# patched toolchain, on the traces that Go carries and on damaged ones.
set -eu

goroot=$(readlink -f "$1")
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
unset GOENV GOFLAGS GOROOT
export GOPATH=$scratch GOCACHE=$scratch/cache HOME=$scratch
export GOTOOLCHAIN=local
GTRACE_TESTDATA=$(readlink -f testdata)
export GTRACE_TESTDATA
go=$goroot/bin/go

case $("$go" version) in
*"go1.19"* | *"go1.20"*) ;;
*)
	echo "skipped: the control knows how go1.19's parser words things, this is $("$go" version)"
	exit 0
	;;
esac
here=$(readlink -f tests/go/control_test.go.txt)
printf '{"Replace": {"%s": "%s"}}\n' \
	"$goroot/src/cmd/trace/control_test.go" "$here" >"$scratch/overlay"
CGO_ENABLED=1 "$go" test -vet=off -overlay "$scratch/overlay" -v -run Control \
	-timeout 20m cmd/trace | tee "$scratch/log"
for test in TestControlCanned TestControlSplices; do
	grep -q "^--- PASS: $test" "$scratch/log"
done
