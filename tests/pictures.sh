#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pictures.sh GTRACE - makes the pictures in README.md again, with headless
# Chromium: the upper part of HTML reports. Run by hand when the page changes.
set -eu

gtrace=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# picture TRACE NAME HEIGHT
picture() {
	"$gtrace" -html="$scratch/$2.html" "$1"
	chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
		--user-data-dir="$scratch/profile" --window-size="1000,$3" \
		--screenshot="testdata/pictures/$2.png" \
		"file://$scratch/$2.html" >/dev/null 2>&1
	size=$(wc -c <"testdata/pictures/$2.png")
	echo "testdata/pictures/$2.png: $size bytes"
	[ "$size" -le 150000 ]
}

mkdir -p testdata/pictures
picture testdata/before.trace before 760
picture testdata/stops/go1.27_copy.trace go1.27_copy 860
