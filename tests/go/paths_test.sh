#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# paths_test.sh GTRACE - critical paths of programs in which they are known, recorded
# with the newest Go in /usr/lib, or in a long run with each from 1.19 on: the longest request's, and the table of slow
# and typical ones, name what holds the requests up. Others on the machine can do so,
# too: each program is recorded up to three times.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")
here=$PWD
export TMPDIR=$scratch PYTHONDONTWRITEBYTECODE=1

# known CASE - the reason is found in one of three recordings.
known() {
	for _ in 1 2 3; do
		"$scratch/paths" "$1" "$scratch/trace"
		python3 "$here/tests/go/paths_test.py" "$gtrace" "$scratch/trace" "$1" \
			2>"$scratch/wrong" && return
	done
	echo "paths_test: go$release: $1: $(tail -n 1 "$scratch/wrong")"
	return 1
}

command -v python3 >"$scratch/null" 2>&1 || {
	echo "skipped: no python3"
	exit
}
mkdir "$scratch/program"
cp tests/go/paths.go.txt "$scratch/program/main.go"
printf 'module paths\n\ngo 1.19\n' >"$scratch/program/go.mod"
tested=0
failed=0
goroots=$(printf '%s\n' /usr/lib/go-1.* | sort -V)
[ -n "${GTRACE_LONG:-}" ] || goroots=$(echo "$goroots" | tail -n 1)
for go in $goroots; do
	go=$go/bin/go
	release=${go#/usr/lib/go-}
	release=${release%%/*}
	[ -x "$go" ] && [ "${release#1.}" -ge 19 ] || continue
	(cd "$scratch/program" && CGO_ENABLED=0 "$go" build -o "$scratch/paths" .)
	tested=$((tested + 1))
	for name in convoy pipeline flight readers pool backend hog; do
		known $name || failed=$((failed + 1))
	done
done
[ $tested -ne 0 ] || echo "skipped: no Go in /usr/lib"
echo "paths_test: $tested releases of Go, $failed wrong"
[ $failed -eq 0 ]
