#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# linkage_test.sh shared|static GTRACE - the command needs the C library and
# nothing else at run time, or nothing at all.
set -eu

how=$1
gtrace=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if ! command -v readelf >/dev/null; then
	echo "skipped: no readelf"
	exit
fi
readelf -dl "$gtrace" >"$scratch/headers"
sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$scratch/headers" >"$scratch/needed"
if [ "$how" = static ]; then
	if grep INTERP "$scratch/headers" || [ -s "$scratch/needed" ]; then
		echo "linkage_test.sh: $gtrace is not static"
		exit 1
	fi
else
	grep -q '^libc\.' "$scratch/needed"
	# The loader is part of the C library.
	if grep -v -e '^libc\.' -e '^ld-' "$scratch/needed"; then
		echo "linkage_test.sh: $gtrace needs these too"
		exit 1
	fi
fi
"$gtrace" -diagreedy=10 testdata/before.trace |
	cmp - testdata/before.diagreedy10
echo "linkage_test.sh: $how, and needs $(tr '\n' ' ' <"$scratch/needed")"
