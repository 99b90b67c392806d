#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# one_table_test.sh FILE... - an event is one line in v1/table.h: of the
# library's sources no other names it in text, or gives it a number.
set -eu

table=
others=
for file in "$@"; do
	case $file in
	*/v1/table.h) table=$file ;;
	*.c | *.h) others="$others $file" ;;
	esac
done
[ -n "$table" ]
events=0
bad=0
for name in $(sed -n 's/^X([0-9]*, *\([A-Z_]*\),.*/\1/p' "$table"); do
	events=$((events + 1))
	[ "$(grep -c "^X([0-9]*, *$name," "$table")" -eq 1 ] || bad=$((bad + 1))
done
for text in $(sed -n 's/^X([^"]*"\([^"]*\)", *"\([^"]*\)", *"\([^"]*\)".*/\1 \2 \3/p' "$table" |
	tr ' ' '\n' | sort -u); do
	# shellcheck disable=SC2086
	if grep -nF "\"$text\"" $others; then
		echo "one_table_test.sh: $text is named outside of the table"
		bad=$((bad + 1))
	fi
done
# shellcheck disable=SC2086
if grep -nE 'EV_[A-Z_]+ = [1-9]' $others; then
	echo "one_table_test.sh: a type has a number outside of the table"
	bad=$((bad + 1))
fi
echo "one_table_test.sh: $events events, each in one place"
[ "$bad" -eq 0 ] && [ "$events" -ge 49 ]
