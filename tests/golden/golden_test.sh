#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# golden_test.sh GTRACE - golden.sh notices a report that differs, tells other
# addresses of events from other events, and can rewrite what it compares with.
set -eu

gtrace=$1
golden=$(dirname "$0")/golden.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=$scratch/folder
mkdir "$folder"
cp testdata/go1.8-small/idle.* "$folder"
chmod u+w "$folder"/*
grep ' idle ' testdata/go1.8-small/golden.md5 >"$folder/golden.md5"
cp "$folder/golden.md5" "$scratch/before"

# command NAME EXPRESSION - gtrace, its output changed by sed.
command() {
	printf '#!/bin/sh\n"%s" "$@" | sed "%s"\n' "$gtrace" "$2" >"$scratch/$1"
	chmod +x "$scratch/$1"
}

# expect STATUS TEXT MODE COMMAND - and TEXT in the output.
expect() {
	status=0
	# shellcheck disable=SC2086 # there may be no mode
	sh "$golden" $3 "$folder" "$4" >"$scratch/log" 2>&1 || status=$?
	if [ $status -ne "$1" ] || ! grep -qF -e "$2" "$scratch/log"; then
		echo "golden_test.sh: golden.sh $3 $4: status $status"
		cat "$scratch/log"
		exit 1
	fi
}

command addresses 's/0xc420/0xc999/g'
command slices 's/^\t\tGoStart Ts: /&1/'
command events 's/ HeapAlloc / HeapAlloc_ /'

expect 0 "4 reports as they should be, 0 not" "" "$gtrace"
expect 0 "4 reports as they should be, 0 not" -canonical "$gtrace"
expect 1 "-dump is the same but for the addresses of events" "" "$scratch/addresses"
expect 0 "4 reports as they should be, 0 not" -canonical "$scratch/addresses"
expect 1 "-diagreedy=10 differs" "" "$scratch/slices"
expect 1 "1 reports as they should be, 3 not" "" "$scratch/slices"
expect 1 "-dump differs" "" "$scratch/events"
expect 1 "< 	@" "" "$scratch/events"
expect 1 "-dump differs" -canonical "$scratch/events"
expect 1 "-diagreedy=1 failed" "" false

# The texts and digests become those of the command, and go back.
expect 0 "-dump differs" -update "$scratch/events"
grep -q HeapAlloc_ "$folder/idle.dump"
expect 0 "4 reports as they should be, 0 not" "" "$scratch/events"
expect 1 "-dump differs" "" "$gtrace"
expect 0 "-dump differs" -update "$gtrace"
cmp "$folder/golden.md5" "$scratch/before"
cmp "$folder/idle.dump" testdata/go1.8-small/idle.dump
expect 0 "-dump is the same but" -update "$scratch/addresses"
expect 0 "4 reports as they should be, 0 not" "" "$scratch/addresses"
expect 1 "-dump failed" -update false
echo "golden_test.sh: golden.sh sees what differs"
