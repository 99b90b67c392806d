#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# demo.sh - installs what is missing, makes a patched Go toolchain, and asks it
# for the ten longest slices of a trace: testdata/before.trace, or the one given.
set -eu

trace=${1:-}
case $trace in
"") ;;
/*) ;;
*) trace=$PWD/$trace ;;
esac
cd "$(dirname "$0")/.."
sh tests/setup.sh
bazel build --noshow_progress //go:goroot >&2
exec bazel-bin/go/goroot/bin/go tool trace -diagreedy=10 \
	"${trace:-testdata/before.trace}"
