#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# one_table_test.sh FILE... - in each wire format, an event is one line in the
# format's table.h, which table.c makes an array of: no other of its sources, and
# none of those that serve all formats, names an event in text or gives its type
# a number. Formats may share names. Reports see events by their public names,
# and may have words of their own for them.
set -eu

# The folders of formats.
formats=
for file in "$@"; do
	case $file in
	*/v[0-9]*/table.h) formats="$formats ${file%/table.h}" ;;
	esac
done
[ -n "$formats" ]

# others FORMAT FILE... - the sources that must leave its table alone.
others() {
	format=$1
	shift
	for file in "$@"; do
		case $file in
		*/v[0-9]*/table.h | */v[0-9]*/table.c | */report/*) continue ;;
		*.c | *.h) ;;
		*) continue ;;
		esac
		for other in $formats; do
			[ "$other" = "$format" ] && continue
			case $file in
			"$other"/*) continue 2 ;;
			esac
		done
		echo "$file"
	done
}

bad=0
complain() {
	echo "one_table_test.sh: $*"
	bad=$((bad + 1))
}

for format in $formats; do
	table=$format/table.h
	sources=$(others "$format" "$@")
	ids=$(sed -n 's/^X([0-9]*, *\([A-Z0-9_]*\),.*/\1/p' "$table")
	events=$(echo "$ids" | wc -l)
	[ "$events" -ge 49 ] || complain "$table has $events events"
	for id in $(echo "$ids" | sort | uniq -d); do
		complain "$id has two lines in $table"
	done
	# Names of events are words in quotes that begin with a capital.
	for name in $(sed -n '/^X(/p' "$table" | grep -o '"[A-Z][A-Za-z0-9]*"' |
		sort -u); do
		# shellcheck disable=SC2086
		if grep -nF "$name" $sources; then
			complain "$name is named outside of $table"
		fi
	done
	# shellcheck disable=SC2086
	if grep -nE '(EV|BYTE)_[A-Z0-9_]+ = [1-9]' $sources; then
		complain "a type has a number outside of $table"
	fi
	echo "one_table_test.sh: $table: $events events"
done
[ "$bad" -eq 0 ]
