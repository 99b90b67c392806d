#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# release_test.sh GTRACE RELEASE TESTED - does for Debian's installation of a release
# in /usr/lib what is done for TESTED, the Go that //go:goroot is made from.
set -eu

gtrace=$1
shift
goroot=/usr/lib/go-$1
if [ ! -x "$goroot/bin/go" ] || [ ! -d "$goroot/src/cmd/trace" ]; then
	echo "skipped: no Go $1 with its sources in $goroot"
	exit
fi
if [ "$(readlink -f "$goroot")" = "$(readlink -f "${2:-/nonexistent}")" ]; then
	echo "skipped: toolchain_test and the others test $goroot"
	exit
fi
. tests/go/env.sh
# What other tests built of the standard library is there.
cache=$GOCACHE
# Those of TESTED have the C compiler optimise, as users do: it takes longest.
export CGO_CFLAGS=-O0
CC=${CC:-cc} go/goroot.sh patches/apply.sh "$goroot" "$scratch/goroot" "$cache"
tests/go/toolchain_test.sh "$gtrace" "$scratch/goroot" "$cache"
tests/go/command_test.sh "$scratch/goroot" "$cache"
tests/go/unchanged_test.sh "$scratch/goroot" "$goroot" "$cache"
case $1 in
1.19 | 1.2[0-4]) ;;
*) tests/go/on_demand_test.sh "$scratch/goroot" "$cache" ;;
esac
# The control test of its own is skipped if //go:goroot is another release.
[ "$1" != 1.19 ] || tests/go/control_test.sh "$scratch/goroot" "$cache"
