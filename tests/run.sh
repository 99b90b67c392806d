#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh - installs what is missing, and runs all tests: as users build it, and
# the C parts under AddressSanitizer and UndefinedBehaviorSanitizer.
set -eu

cd "$(dirname "$0")/.."
sh tests/setup.sh

# Each configuration is tried, also if one before it failed.
status=0
for config in "" --config=asan --config=ubsan; do
	echo "run.sh: bazel test $config //..."
	# shellcheck disable=SC2086
	bazel test $config --noshow_progress //... || status=1
	find -L bazel-testlogs -name test.log -exec grep -H '^skipped: ' {} + |
		sed 's|^bazel-testlogs/\(.*\)/test.log:skipped: |skipped: \1: |'
done
exit $status
