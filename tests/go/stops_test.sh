#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# stops_test.sh GTRACE - the report of stops of the world against the runtime's
# own count: with the oldest and the newest installed Go that has that count
# (1.22 or later), stops.go.txt stops the world while goroutines delay it.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")

# The installed releases, the oldest first: VERSION and GOROOT.
releases=$(
	for folder in ${GTRACE_GOROOT:-} /usr/lib/go-1.* /usr/local/go; do
		version=$(sed -n 's/^go1\.\([0-9]*\).*/\1/p;1q' "$folder/VERSION" 2>/dev/null) || continue
		if [ -n "$version" ] && [ "$version" -ge 22 ] && [ -x "$folder/bin/go" ]; then
			echo "$version $folder"
		fi
	done | sort -n -u -k 1,1
)
if [ -z "$releases" ]; then
	echo "skipped: no Go 1.22 or later in GTRACE_GOROOT, /usr/lib/go-1.* or /usr/local/go"
	exit
fi

mkdir "$scratch/stops"
cp tests/go/stops.go.txt "$scratch/stops/main.go"
printf 'module stops\n\ngo 1.22\n' >"$scratch/stops/go.mod"
{
	echo "$releases" | head -n 1
	echo "$releases" | tail -n 1
} | sort -u | while read -r version goroot; do
	(cd "$scratch/stops" && CGO_ENABLED=0 "$goroot/bin/go" build -o "../stops-$version" .)
	"$scratch/stops-$version" "$gtrace" "$scratch"
done
