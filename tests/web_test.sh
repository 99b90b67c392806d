#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# web_test.sh PAGE GTRACE - tests gtrace.html: what its command prints is what GTRACE
# prints, in Node; and the page itself in Chromium and Firefox: reports, messages, filters,
# cancelling, memory, and that it asks for nothing.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gtrace=$(cd "$(dirname "$2")" && pwd)/${2##*/}
if command -v node >/dev/null; then
	node tests/web_test.mjs "$1" "$gtrace" "$PWD"/testdata/*-small/*.trace "$PWD"/testdata/stops/*.trace
else
	echo "skipped: no node (apt-get install nodejs)"
fi
python3 -B tests/web_test.py "$1" "$gtrace" "$scratch"
