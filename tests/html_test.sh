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

# The template in the library is the one in c/page.
python3 c/page/embed.py >"$scratch/page_data.inc"
if ! cmp "$scratch/page_data.inc" c/report/page_data.inc; then
	echo "html_test.sh: run: python3 c/page/embed.py >c/report/page_data.inc"
	exit 1
fi

# A page that cannot be written is no page.
trace=testdata/before.trace
if "$gtrace" -html=/dev/full $trace 2>"$scratch/err"; then
	echo "html_test.sh: gtrace -html=/dev/full exits with status 0"
	exit 1
fi
grep -q '/dev/full: no space left on device' "$scratch/err"
if "$gtrace" -html="$scratch/none.html" README.md 2>"$scratch/err" ||
	[ -e "$scratch/none.html" ]; then
	echo "html_test.sh: a page of what is no trace"
	exit 1
fi
# What stands where the name of the page is to stand.
cp $trace "$scratch/kept.trace"
for arguments in "-html $scratch/kept.trace $trace" \
	"-html=$scratch/kept.trace $scratch/kept.trace" \
	"-html -format=json $trace"; do
	status=0
	# shellcheck disable=SC2086
	"$gtrace" $arguments >/dev/null 2>"$scratch/err" || status=$?
	if [ $status -ne 2 ] || ! cmp $trace "$scratch/kept.trace"; then
		echo "html_test.sh: gtrace $arguments: status $status"
		exit 1
	fi
done
"$gtrace" -html=- $trace | cmp - "$(
	"$gtrace" -html="$scratch/before.html" $trace
	echo "$scratch/before.html"
)"

HOME=$scratch exec python3 -B tests/html_test.py "$gtrace" "$scratch"
