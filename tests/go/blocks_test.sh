#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# blocks_test.sh GTRACE - compares the sums of -block with the profiles of
# `go tool trace` of installed Gos, by stack: 1.21 on traces up to that, and the
# newest one, from 1.27 on, on later ones. (The tool of Go 1.22 leaves out blocks of
# its own traces.)
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
export PYTHONPATH=tests PYTHONDONTWRITEBYTECODE=1
newest=$(printf '%s\n' /usr/lib/go-1.* | sort -V | tail -n 1)

# compare GOROOT RELEASE... - on the small traces of the releases of Go, but for
# those with cgo, which has several goroutines of one number at a time.
compare() {
	local go=$1/bin/go tool=$scratch/trace${1#*-1.} release trace traces=()
	shift
	[ -x "$go" ] || return 0
	for release; do
		for trace in testdata/go1."$release"-small/*.trace; do
			[ "${trace##*/}" = cgo.trace ] || traces+=("$trace")
		done
	done
	"$go" build -o "$tool" cmd/trace
	python3 tests/go/blocks_test.py "$gtrace" "$tool" "${traces[@]}"
	compared=yes
}

compared=
compare /usr/lib/go-1.21 19 21
case $newest in
*-1.2[7-9]) compare "$newest" 22 23 24 26 27 ;;
esac
[ -n "$compared" ] || echo "skipped: no Go 1.21 or 1.27 in /usr/lib"
