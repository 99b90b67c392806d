#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pictures.sh GTRACE [GO] - makes the pictures in README.md again, with headless
# Chromium: the upper part of an HTML report, and a page of the patched tool of the
# toolchain whose go command GO is. Run by hand when the pages change; without GO
# the page of the tool stays as it is.
set -eu

if [ $# -ne 1 ] && [ $# -ne 2 ]; then
	echo "usage: pictures.sh GTRACE [GO]" >&2
	exit 2
fi
gtrace=$1
go=${2:-}
scratch=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill $server; rm -rf "$scratch"' EXIT

# shoot ADDRESS NAME HEIGHT
shoot() {
	chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
		--user-data-dir="$scratch/profile" --window-size="1000,$3" \
		--screenshot="testdata/pictures/$2.png" \
		"$1" >/dev/null 2>&1
	size=$(wc -c <"testdata/pictures/$2.png")
	echo "testdata/pictures/$2.png: $size bytes"
	[ "$size" -le 180000 ]
}

# picture TRACE NAME HEIGHT
picture() {
	"$gtrace" -html="$scratch/$2.html" "$1"
	shoot "file://$scratch/$2.html" "$2" "$3"
}

mkdir -p testdata/pictures
picture testdata/stops/go1.27_copy.trace go1.27_copy 955

[ -n "$go" ] || exit 0
port=38127
BROWSER=true "$go" tool trace -http=127.0.0.1:$port \
	testdata/stops/go1.27_copy.trace >/dev/null 2>&1 &
server=$!
sleep 5
shoot "http://127.0.0.1:$port/stw?n=10" go_tool_trace 700
