#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# timeline_test.sh GTRACE - timelines by the rules of the format and against the
# reports as JSON, by timeline_test.py, which takes python3; and in the trace
# viewer that the sources of Go contain, in headless Chromium, if both are
# installed.
set -eu

if ! command -v python3 >/dev/null; then
	echo "skipped: no python3"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch python3 -B tests/timeline_test.py "$1" "$scratch"
