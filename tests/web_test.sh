#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# web_test.sh PAGE GTRACE GENERATE - tests gtrace.html: what its command prints is
# what GTRACE prints, in Node; and the page itself in Chromium and Firefox: reports,
# messages, filters, progress, cancelling, memory, and that it asks for nothing.
# GENERATE (tests/bench/generate.c) makes large traces.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gtrace=$(cd "$(dirname "$2")" && pwd)/${2##*/}
if command -v node >/dev/null; then
	node tests/web_test.mjs "$1" "$gtrace" "$PWD"/testdata/*.trace "$PWD"/testdata/*/*.trace
else
	echo "skipped: no node (apt-get install nodejs)"
fi
"$3" -version=1026 -events=4000000 -generation=200000 -out="$scratch/large.trace" >/dev/null
python3 -B tests/web_test.py "$1" "$gtrace" "$scratch"
