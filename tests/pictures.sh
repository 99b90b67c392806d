#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pictures.sh GTRACE PAGE [GO] - makes the pictures in README.md again, with headless
# Chromium: the upper part of an HTML report, gtrace.html, which is PAGE, with a
# report, and a page of the patched tool of the toolchain whose go command GO is. Run
# by hand when the pages change; without GO the page of the tool stays as it is.
set -eu

if [ $# -ne 2 ] && [ $# -ne 3 ]; then
	echo "usage: pictures.sh GTRACE PAGE [GO]" >&2
	exit 2
fi
gtrace=$1
page=$2
go=${3:-}
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
	[ "$size" -le 200000 ]
}

# picture TRACE NAME HEIGHT
picture() {
	"$gtrace" -html="$scratch/$2.html" "$1"
	shoot "file://$scratch/$2.html" "$2" "$3"
}

mkdir -p testdata/pictures
picture testdata/stops/go1.27_copy.trace go1.27_copy 1105
python3 -B - "$page" testdata/stops/go1.27_copy.trace testdata/pictures/browser.png <<'END'
import base64
import os
import sys
import time

sys.path.insert(0, "tests")
from browser import Browser

page, trace, picture = sys.argv[1:]
browser = Browser()
try:
    browser.open(os.path.abspath(page), 1000)
    browser.upload("#file", [os.path.abspath(trace)])
    browser.wait("return document.getElementById('report').hidden ? null : 1")
    time.sleep(2)
    clip = {"x": 0, "y": 0, "width": 1000, "height": 560, "scale": 1}
    data = browser.command("Page.captureScreenshot", {"clip": clip})["data"]
    with open(picture, "wb") as file:
        file.write(base64.b64decode(data))
finally:
    browser.close()
END

[ -n "$go" ] || exit 0
port=38127
BROWSER=true "$go" tool trace -http=127.0.0.1:$port \
	testdata/stops/go1.27_copy.trace >/dev/null 2>&1 &
server=$!
sleep 5
shoot "http://127.0.0.1:$port/stw?n=10" go_tool_trace 700
