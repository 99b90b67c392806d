#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# program_test.sh GTRACE PROGRAM oldest|newest [CACHE] - runs PROGRAM.go.txt, which
# records its trace and holds the reports of GTRACE against what it did, with the
# oldest or the newest installed Go from 1.22 on (computes: from 1.19 on). CACHE has
# what was built for //go:goroot, of the same release or not.
set -eu

. tests/go/env.sh
gtrace=$(readlink -f "$1")

least=22
[ "$2" != computes ] || least=19
# The installed releases, the oldest first: VERSION and GOROOT.
releases=$(
	for folder in ${GTRACE_GOROOT:-} /usr/lib/go-1.* /usr/local/go; do
		version=$(sed -n 's/^go1\.\([0-9]*\).*/\1/p;1q' "$folder/VERSION" 2>/dev/null) || continue
		if [ -n "$version" ] && [ "$version" -ge $least ] && [ -x "$folder/bin/go" ]; then
			echo "$version $folder"
		fi
	done | sort -n -u -k 1,1
)
if [ -z "$releases" ]; then
	echo "skipped: no Go 1.$least or later in GTRACE_GOROOT, /usr/lib/go-1.* or /usr/local/go"
	exit
fi

[ $# -lt 4 ] || go_cache "$4"
mkdir "$scratch/program"
cp "tests/go/$2.go.txt" "$scratch/program/main.go"
printf 'module program\n\ngo 1.22\n' >"$scratch/program/go.mod"
case $3 in
oldest) goroot=$(echo "$releases" | sed -n '1s/^[0-9]* //p') ;;
*) goroot=$(echo "$releases" | sed -n '$s/^[0-9]* //p') ;;
esac
(cd "$scratch/program" && CGO_ENABLED=0 "$goroot/bin/go" build -o ../run .)
# What a trace has to say holds for each recording; what a program measures itself
# does not, while other processes use the CPUs. machine and computes know from the
# kernel whether they did.
attempts="1 2 3"
case $2 in machine | computes) attempts=1 ;; esac
for attempt in $attempts; do
	"$scratch/run" "$gtrace" "$scratch" && exit
	echo "attempt $attempt failed"
done
exit 1
