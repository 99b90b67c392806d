#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# html_test.sh GTRACE - the report in one HTML file, of all testdata and of a
# trace whose names are HTML: by html_test.py, which takes python3, and in
# headless Chromium, if that is there.
set -eu

gtrace=$1
if ! command -v python3 >/dev/null; then
	echo "skipped: no python3"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A page that cannot be written is no page.
trace=testdata/before.trace
if "$gtrace" -html=/dev/full $trace 2>"$scratch/err"; then
	echo "html_test.sh: a page without room was taken for written"
	exit 1
fi
grep -q '/dev/full: No space left on device' "$scratch/err"
if "$gtrace" -html="$scratch/none.html" README.md 2>"$scratch/err" ||
	[ -e "$scratch/none.html" ]; then
	echo "html_test.sh: a page of what is no trace"
	exit 1
fi
"$gtrace" -html=- $trace | cmp - "$(
	"$gtrace" -html="$scratch/before.html" $trace
	echo "$scratch/before.html"
)"

HOME=$scratch exec python3 -B tests/html_test.py "$gtrace" "$scratch"
