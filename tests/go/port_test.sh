#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# port_test.sh GTRACE PORT - the waits that PORT finds, a program on the reader of the
# newest installed Go from 1.26 on, are those of GTRACE, in all of testdata that the
# reader takes as what it is: traces of Go 1.22 and later. (It turns older ones into
# others, in which times differ.)
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
port=$(readlink -f "$2")
goroot=
for root in "${GTRACE_GOROOT:-}" /usr/local/go /usr/lib/go-1.*; do
	version=$(sed -n '1s/^go1\.\([0-9]*\).*/\1/p' "$root/VERSION" 2>/dev/null) || continue
	if [ "${version:-0}" -ge "${newest:-26}" ] && [ -d "$root/src/internal/trace" ]; then
		goroot=$(readlink -f "$root") newest=$version
	fi
done
if [ -z "$goroot" ]; then
	echo "skipped: no Go 1.26 or later with its sources"
	exit
fi
printf '{"Replace": {"%s": "%s"}}\n' "$goroot/src/internal/trace/gtracewait/main.go" "$port" \
	>"$scratch/overlay"
CGO_ENABLED=0 "$goroot/bin/go" build -overlay "$scratch/overlay" -o "$scratch/wait" \
	internal/trace/gtracewait
python3 -B tests/go/port_test.py "$gtrace" "$scratch/wait"
