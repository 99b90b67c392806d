#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# golden.sh [-canonical | -update] FOLDER COMMAND... - compares the reports that
# COMMAND prints of the traces in FOLDER with FOLDER/golden.md5. COMMAND gets
# the report's flag and the trace's name as its last arguments.
#
# A line of golden.md5 is
#
#	MD5  NAME REPORT [RAW]
#
# MD5 is that of the report. For a dump it is that of its canonical form, where
# the addresses of events are replaced (canon.awk), and RAW is that of the dump
# as it is printed. Only a dump that differs from RAW is made canonical, which
# takes far longer than to print it.
#
# -canonical  takes dumps with other addresses, for a command that is not ours
# -update     rewrites golden.md5 and the texts beside it, and shows what changed
set -eu

here=$(dirname "$0")
mode=
case ${1:-} in
-canonical | -update)
	mode=$1
	shift
	;;
esac
if [ $# -lt 2 ]; then
	echo "usage: golden.sh [-canonical | -update] FOLDER COMMAND..." >&2
	exit 2
fi
folder=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

good=0
bad=0
failed=no

complain() {
	echo "$trace: -$report $*"
	bad=$((bad + 1))
}

# digest FILE - its MD5.
digest() {
	sum=$(md5sum <"$1")
	echo "${sum%% *}"
}

# The text is there for some reports, by their flag without "=".
text_of() {
	echo "$folder/$name.$(echo "$report" | tr -d =)"
}

# check - looks at one report, and sets want and raw to what it should be.
check() {
	if ! "$command" "$@" "-$report" "$trace" >"$scratch/out" \
		2>"$scratch/err"; then
		complain "failed: $(cat "$scratch/err")"
		failed=yes
		return
	fi
	got=$(digest "$scratch/out")
	if [ "$got" = "${raw:-$want}" ]; then
		good=$((good + 1))
		return
	fi
	if [ "$report" = dump ]; then
		printed=$got
		LC_ALL=C awk -f "$here/canon.awk" "$scratch/out" "$scratch/out" \
			>"$scratch/canonical"
		mv "$scratch/canonical" "$scratch/out"
		got=$(digest "$scratch/out")
		if [ "$got" = "$want" ] && [ "$mode" != -update ] &&
			{ [ -z "$raw" ] || [ "$mode" = -canonical ]; }; then
			good=$((good + 1))
			return
		fi
		raw=$printed
	fi
	if [ "$got" = "$want" ]; then
		complain "is the same but for the addresses of events"
	else
		complain "differs"
	fi
	text=$(text_of)
	if [ -f "$text" ]; then
		diff "$text" "$scratch/out" | head -n 20 || true
		[ "$mode" != -update ] || cp "$scratch/out" "$text"
	fi
	want=$got
}

command=$1
shift
while read -r want name report raw; do
	trace=$folder/$name.trace
	check "$@"
	echo "$want  $name $report${raw:+ $raw}" >>"$scratch/new"
done <"$folder/golden.md5"

if [ "$mode" = -update ]; then
	diff -u "$folder/golden.md5" "$scratch/new" ||
		cp "$scratch/new" "$folder/golden.md5"
	[ $failed = no ]
	exit
fi
echo "$folder: $good reports as they should be, $bad not"
[ "$bad" -eq 0 ] && [ "$good" -gt 0 ]
