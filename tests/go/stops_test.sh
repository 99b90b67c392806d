#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# stops_test.sh GTRACE oldest|newest [CACHE] - the report of stops of the world
# against the runtime's own count: with the oldest or the newest installed Go that
# has that count (1.22 or later), stops.go.txt stops the world while goroutines
# delay it. CACHE has what was built for //go:goroot, of the same release or not.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
[ $# -lt 3 ] || go_cache "$3"

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
case $2 in
oldest) goroot=$(echo "$releases" | sed -n '1s/^[0-9]* //p') ;;
*) goroot=$(echo "$releases" | sed -n '$s/^[0-9]* //p') ;;
esac
(cd "$scratch/stops" && CGO_ENABLED=0 "$goroot/bin/go" build -o ../run .)
"$scratch/run" "$gtrace" "$scratch"
