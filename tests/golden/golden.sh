#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# golden.sh FOLDER COMMAND... - holds the reports that COMMAND prints of the
# traces in FOLDER against FOLDER/golden.md5. COMMAND gets the report's flag
# and the trace's name as its last arguments.
set -eu

here=$(dirname "$0")
folder=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

good=0
bad=0
while read -r want name report; do
	trace=$folder/$name.trace
	if ! "$@" "-$report" "$trace" >"$scratch/out" 2>"$scratch/err"; then
		echo "$trace: -$report failed: $(cat "$scratch/err")"
		bad=$((bad + 1))
		continue
	fi
	if [ "$report" = dump ]; then
		mv "$scratch/out" "$scratch/dump"
		LC_ALL=C awk -f "$here/canon.awk" \
			"$scratch/dump" "$scratch/dump" >"$scratch/out"
	fi
	got=$(md5sum <"$scratch/out")
	if [ "${got%% *}" = "$want" ]; then
		good=$((good + 1))
		continue
	fi
	echo "$trace: -$report differs"
	# The text is there for some reports, by their flag without "=".
	text=$folder/$name.$(echo "$report" | tr -d =)
	if [ -f "$text" ]; then
		diff "$text" "$scratch/out" | head -n 20 || true
	fi
	bad=$((bad + 1))
done <"$folder/golden.md5"

echo "$folder: $good reports as they should be, $bad not"
[ "$bad" -eq 0 ] && [ "$good" -gt 0 ]
