#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# formats_test.sh GTRACE README FORMATS.PY - JSON and CSV through the programs
# that read them: Python, jq and sqlite3, as far as these are there; what holds
# for the outputs of any trace (invariants.py); reports on several traces; filters.
set -eu

gtrace=$1
readme=$2
python=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trace=testdata/go1.27-small/http.trace
other=testdata/go1.8-small/http.trace
all=-diagreedy=1000000000

fail() {
	echo "formats_test.sh: $*"
	exit 1
}

# has PROGRAM - whether it is there.
has() {
	command -v "$1" >"$scratch/null" 2>&1 && return 0
	echo "skipped: $1 is not there"
	return 1
}

lines() {
	wc -l <"$1" | tr -d ' '
}

"$gtrace" $all -format=json $trace >"$scratch/json"
"$gtrace" $all -format=csv $trace >"$scratch/csv"
slices=$(lines "$scratch/json")
[ "$slices" -gt 100 ] || fail "$slices slices"
[ "$(lines "$scratch/csv")" -eq $((slices + 1)) ] || fail "slices as CSV"

if has python3; then
	export PYTHONDONTWRITEBYTECODE=1
	# Those larger than 13 KiB take most of the time. Two of them have the only
	# CPU samples and the only pauses that are inferred.
	some=3 size="-size -31k"
	if [ -n "${GTRACE_LONG:-}" ]; then
		find -L testdata -name '*.trace' >"$scratch/traces"
		some=1 size=
	else
		find -L testdata -name '*.trace' -size -14k \
			-o -path '*/go1.27-small/cpu.trace' \
			-o -path '*/stops/go1.19_sleep.trace' >"$scratch/traces"
	fi
	# shellcheck disable=SC2046 # words
	python3 "$python" "$gtrace" "$readme" "$scratch" \
		$(grep -e -small/ -e /stops/ "$scratch/traces" | sort)
	# One in three of them, and names of those of up to 30 KiB, unless the run is long.
	# shellcheck disable=SC2046,SC2086
	python3 tests/invariants.py "$gtrace" $({
		find -L testdata -name '*.trace' $size
		cat "$scratch/traces"
	} | sort -u) \
		-- $(sort "$scratch/traces" | awk -v some=$some 'NR % some == 0 || /(cpu|sleep)\.trace$/')
fi

if has jq; then
	"$gtrace" $all $trace | sed -n 's/^\t\([0-9]*\)ns -> .*/\1/p' \
		>"$scratch/want"
	jq .duration "$scratch/json" | cmp - "$scratch/want" ||
		fail "jq sees other lengths"
fi

if has sqlite3; then
	rows=$(sqlite3 :memory: ".mode csv" ".import $scratch/csv slices" \
		"SELECT count(*), sum(duration >= min_) FROM slices,
		 (SELECT 0 AS min_);" 2>&1)
	[ "$rows" = "$slices,$slices" ] || fail "sqlite3 sees $rows"
fi

# Of several traces the longest slices of all, each with its trace.
"$gtrace" -diagreedy=7 -format=json $trace $other >"$scratch/both"
{
	"$gtrace" -diagreedy=7 -format=json $trace
	"$gtrace" -diagreedy=7 -format=json $other
} | sed 's/\(.*"duration":\)\([0-9]*\)/\2 &/' | sort -k1,1nr -s | head -n 7 |
	cut -d ' ' -f 2- | cmp - "$scratch/both" || fail "two traces differ"
"$gtrace" -diagreedy=7 $trace $other >"$scratch/text"
[ "$(grep -c "^		trace: testdata/" "$scratch/text")" -eq 7 ] ||
	fail "the text of two traces does not name them"

# selects FLAGS CONDITION - a filter lets the same slices pass as a program that
# reads all of them, some but not all. Slices of equal length can change places.
selects() {
	jq -c "select($2)" "$scratch/json" | sort >"$scratch/want"
	"$gtrace" $all -format=json $1 $trace | sort >"$scratch/got"
	cmp "$scratch/want" "$scratch/got" || fail "$1"
	passed=$(lines "$scratch/got")
	[ "$passed" -gt 0 ] && [ "$passed" -lt "$slices" ] ||
		fail "$1: $passed of $slices slices pass"
}

if has jq; then
	g=$(jq -s '.[0].g' "$scratch/json")
	selects "-g=$g,1" ".g == $g or .g == 1"
	selects -p=0 ".p == 0"
	selects -min=20us ".duration >= 20000"
	selects "-from=500us -to=1.5ms" ".end >= 500000 and .start < 1500000"
	selects -user ".system | not"
	selects "-func=^net/http.*[Ss]erve" \
		'[.function, .started_by.stack[].fn, .ended_by.stack[]?.fn]
		 | any(test("^net/http.*[Ss]erve"))'
	selects "-user -p=1 -min=5us" \
		"(.system | not) and .p == 1 and .duration >= 5000"
fi
echo "ok"
