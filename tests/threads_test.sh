#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# threads_test.sh GTRACE - many traces in one call: the same reports, verdicts
# and errors, with any number of threads.
set -eu

gtrace=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Traces of three formats, and two files that are none, among them.
{
	ls testdata/go1.8-small/*.trace
	echo none
	ls testdata/stops/*.trace
	echo "$gtrace"
	ls testdata/go1.26-small/*.trace
} >"$scratch/list"

# same STATUS ARGUMENT... - the command with 1, 2, 3 and 40 threads.
same() {
	want=$1
	shift
	for j in 1 2 3 40; do
		got=0
		"$gtrace" -j=$j "$@" -files-from="$scratch/list" >"$scratch/out" \
			2>"$scratch/unsorted" </dev/null || got=$?
		# Errors come as the traces are read.
		sort "$scratch/unsorted" >"$scratch/err"
		if [ $j -eq 1 ]; then
			cp "$scratch/out" "$scratch/first.out"
			cp "$scratch/err" "$scratch/first.err"
		fi
		if [ "$got" -ne "$want" ] || ! cmp "$scratch/out" "$scratch/first.out" ||
			! cmp "$scratch/err" "$scratch/first.err"; then
			echo "threads_test.sh: -j=$j $*: status $got, want $want"
			head -n 20 "$scratch/err"
			exit 1
		fi
	done
	if [ "$(wc -l <"$scratch/err")" -ne 2 ] || [ "$(wc -l <"$scratch/out")" -lt 20 ]; then
		echo "threads_test.sh: $*: not two errors and a report:"
		cat "$scratch/err" "$scratch/out"
		exit 1
	fi
}

same 1 -max-slice=8ms -max-stop=1ms
same 1 -diagreedy=20 -format=json
echo "threads_test.sh: the same with 1, 2, 3 and 40 threads"
