#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# update.sh [COMMAND...] - rewrites all golden files of testdata from what
# COMMAND (the gtrace that Bazel built, if none is given) prints, and shows what
# changed. They are the output of another implementation (testdata/README.md):
# a change of anything but addresses needs a reason.
set -eu

cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- bazel-bin/c/tools/gtrace
for list in testdata/golden.md5 testdata/*/golden.md5; do
	sh tests/golden/golden.sh -update "${list%/golden.md5}" "$@"
done
