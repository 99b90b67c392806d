#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# control_test.sh GOROOT [CACHE] - holds the library against Go's own parser, in a
# patched toolchain, on the traces that Go carries and on damaged ones.
set -eu

. tests/go/env.sh
goroot=$(readlink -f "$1")
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
[ $# -lt 2 ] || go_cache "$2"
here=$(readlink -f tests/go/control_test.go.txt)
printf '{"Replace": {"%s": "%s"}}\n' \
	"$goroot/src/cmd/trace/control_test.go" "$here" >"$scratch/overlay"
# With little memory in use and much garbage, the collector would take most of
# the time.
CGO_ENABLED=1 GOGC=800 "$go" test -vet=off -overlay "$scratch/overlay" -v \
	-run Control -timeout 20m cmd/trace | tee "$scratch/log"
for test in TestControlCanned TestControlSplices; do
	grep -q "^--- PASS: $test" "$scratch/log"
done
