#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tables_test.sh GTRACE README - what -tables writes: where, that files are whole
# and are not written again, that sums are those of the reports, and that README
# describes each column.
set -eu

gtrace=$1
readme=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
small=testdata/go1.27-small
trace=$small/gc.trace

. tests/called.sh

# quiet STATUS ARGUMENT... - the command, which prints nothing on standard output.
quiet() {
	run "$@"
	[ ! -s "$scratch/out" ] || fail "gtrace $*: $(head -n 1 "$scratch/out")"
}

# files FOLDER - the files in it, those that begin with a dot too.
files() {
	[ ! -d "$1" ] || (cd "$1" && find . -type f | LC_ALL=C sort)
}

# same FOLDER FOLDER
same() {
	diff -r "$1" "$2" >"$scratch/diff" || fail "$1 and $2 differ: $(cat "$scratch/diff")"
}

# Where files are.
quiet 0 -tables="$scratch/a" "$trace"
hash=$(sha256sum "$trace" | cut -d ' ' -f 1)
tables=$(ls "$scratch/a")
[ "$(echo "$tables" | wc -l)" -ge 12 ] || fail "tables are: $tables"
for table in $tables; do
	[ "$(files "$scratch/a/$table")" = "./$hash.parquet" ] ||
		fail "$table has $(files "$scratch/a/$table")"
done
quiet 0 -tables="$scratch/b" -label='host=a b/%' -label service=x "$trace"
for table in $tables; do
	cmp "$scratch/a/$table/$hash.parquet" \
		"$scratch/b/$table/host=a%20b%2F%25/service=x/$hash.parquet" >"$scratch/out" &&
		continue
	# Its row has the labels.
	[ "$table" = traces ] || fail "$table is another one with labels"
done

# A second run writes nothing, and writes what is missing.
cp -R "$scratch/a" "$scratch/copy"
touch -d 2000-01-01 "$scratch/a"/*/*.parquet
quiet 0 -tables="$scratch/a" "$trace"
[ -z "$(find "$scratch/a" -type f -newermt 2001-01-01)" ] || fail "files are written again"
rm "$scratch/a/slices/$hash.parquet"
quiet 0 -tables="$scratch/a" "$trace"
same "$scratch/a" "$scratch/copy"
# The same trace under another name is the same trace.
cp "$trace" "$scratch/other.trace"
quiet 0 -tables="$scratch/a" "$scratch/other.trace"
same "$scratch/a" "$scratch/copy"

# Several runs, and threads, at once.
quiet 0 -tables="$scratch/one" -j=1 "$small"/*.trace
pids=
for i in 1 2 3; do
	"$gtrace" -tables="$scratch/many" -j=$i -no-join "$small"/*.trace "$small"/*.trace &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || fail "one of several runs failed"
done
same "$scratch/one" "$scratch/many"
[ -z "$(files "$scratch/many" | grep '/\.')" ] || fail "files are left behind"

# Traces with the same parts are one trace.
quiet 0 -tables="$scratch/joined" "$trace" "$scratch/other.trace"
[ "$(files "$scratch/joined/slices")" = "./$hash.parquet" ] || fail "a trace is there twice"

# A file that cannot be as large as it has to be, as on a full disk: in place of
# the signal there is an error. With the signal, the program is killed.
if (ulimit -f 4) 2>/dev/null; then
	(
		trap '' XFSZ
		ulimit -f 4
		exec "$gtrace" -tables="$scratch/full" testdata/before.trace
	) >"$scratch/out" 2>&1 && fail "there is no error on a full disk"
	grep -q "failed to write table" "$scratch/out" || fail "$(cat "$scratch/out")"
	[ -z "$(files "$scratch/full")" ] || fail "a full disk leaves $(files "$scratch/full")"
	(
		ulimit -c 0
		ulimit -f 4
		exec "$gtrace" -tables="$scratch/full" testdata/before.trace
	) >"$scratch/out" 2>&1 && fail "it was not killed"
	[ -z "$(files "$scratch/full" | grep -v '/\.')" ] || fail "a killed run leaves tables"
	quiet 0 -tables="$scratch/full" testdata/before.trace
	quiet 0 -tables="$scratch/good" testdata/before.trace
	find "$scratch/full" -name '.*.parquet*' -type f -delete
	same "$scratch/full" "$scratch/good"
fi

# A damaged trace has no tables, unless what is before the damage is asked for.
head -c 10000 testdata/go1.22-small/gens.trace >"$scratch/cut.trace"
quiet 1 -tables="$scratch/cut" "$scratch/cut.trace" "$trace"
[ "$(files "$scratch/cut/slices")" = "./$hash.parquet" ] || fail "a damaged trace has tables"
quiet 0 -tables="$scratch/cut" -partial "$scratch/cut.trace"
[ "$(files "$scratch/cut/slices" | wc -l)" -eq 2 ] || fail "no tables with -partial"

# What is wrong.
for label in x =x x= g=1 TRACE=1 1x=1 a-b=1; do
	quiet 2 -tables="$scratch/no" "-label=$label" "$trace"
done
quiet 2 -tables="$scratch/no" -label=x=1 -label=X=2 "$trace"
quiet 2 -label=x=1 "$trace"
quiet 2 -tables="$scratch/no" -min=1ms "$trace"
quiet 2 -tables="$scratch/no" -
quiet 1 -tables="$scratch/other.trace" "$trace"
[ ! -e "$scratch/no" ] || fail "a wrong command line makes a folder"

# Sums.
quiet 0 -tables="$scratch/csv" -tables-format=csv "$trace"
"$gtrace" -format=json "$trace" >"$scratch/summary"

# column TABLE NAME - the values of a column without quotation marks.
column() {
	awk -F , -v name="$2" 'NR == 1 {
		sub(/\r$/, "")
		for (i = 1; i <= NF; i++)
			if ($i == name)
				at = i
		next
	}
	{ print $at }' "$scratch/csv/$1/$hash.csv"
}

# sum TABLE NAME EXPRESSION - is that of the summary.
sum() {
	want=$(jq -r "$3" "$scratch/summary")
	got=$(column "$1" "$2" | awk '{ sum += $1 } END { printf "%d", sum }')
	[ "$got" = "$want" ] || fail "$2 of $1 adds up to $got, want $want"
}
if command -v jq >"$scratch/null"; then
	sum slices length_ns .slices.sum
	sum pauses stopping_ns .stops.stopping
	sum traces goroutines .goroutines
	sum traces length_ns .length
	sum findings harm_ns '[.findings[].harm] | add'
	[ "$(column slices trace | uniq -c | sed 's/^ *//')" = \
		"$(jq .slices.count "$scratch/summary") $hash" ] || fail "slices are others"
else
	echo "skipped: jq is not there"
fi

# Each generation has the hash of its bytes, in all traces that have it.
gens=$small/gens.trace
"$gtrace" -cut=,1.5s -o "$scratch/early" "$gens" >"$scratch/out"
"$gtrace" -cut=1.5s, -o "$scratch/late" "$gens" >"$scratch/out"
quiet 0 -tables="$scratch/parts" -tables-format=csv -no-join "$gens" "$scratch/early" "$scratch/late"
cat "$scratch"/parts/generations/*.csv | tr -d '\r' | grep -v '^trace,' >"$scratch/rows"
cut -d , -f 2,3,6 "$scratch/rows" | LC_ALL=C sort | uniq -c | sed 's/^ *//' >"$scratch/got"
[ "$(cut -d ' ' -f 1 "$scratch/got" | tr '\n' ' ')" = "2 3 2 " ] || fail "generations: $(cat "$scratch/got")"
at=17
for line in $(cut -d ' ' -f 2 "$scratch/got"); do
	size=${line##*,}
	want=$(tail -c +$at "$gens" | head -c "$size" | sha256sum | cut -d ' ' -f 1)
	[ "${line%,*}" = "${line%%,*},$want" ] || fail "the hash of generation ${line%%,*}"
	at=$((at + size))
done
[ $((at - 1)) -eq "$(wc -c <"$gens")" ] || fail "generations do not add up"

# A path has no gaps, and is as long as its request.
quiet 0 -tables="$scratch/paths" -tables-format=csv "$small/http.trace"
tr -d '\r' <"$(echo "$scratch"/paths/segments/*.csv)" | awk -F , 'NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		next
	}
	$at["segment"] == 1 { wrong += sum != want || ($at["start_ns"] != $at["request_start_ns"]); sum = 0 }
	$at["segment"] != 1 { wrong += $at["start_ns"] != next_start }
	{
		sum += $at["length_ns"]
		want = $at["request_length_ns"]
		next_start = $at["start_ns"] + $at["length_ns"]
	}
	END { exit wrong != 0 || sum != want || NR < 10 }' ||
	fail "segments of paths do not add up"

# The page has a list of each table, with each column in its order.
for table in $tables; do
	sed -n "/^#### Table \`$table\`/,/^####* /s/^| \(\`[^|]*\) |.*/\1/p" "$readme" |
		tr -d ' `' | tr ',' '\n' >"$scratch/described"
	head -n 1 "$scratch/csv/$table/$hash.csv" | tr -d '\r' | tr ',' '\n' |
		cmp - "$scratch/described" || fail "$readme describes other columns of $table"
done
echo "tables_test.sh: tables are where and what they should be"
