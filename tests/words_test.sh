#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# words_test.sh GTRACE FILE... - one thing has one name in all that users read: a
# stop-the-world pause, in short places a pause, is never called a stop. Only the
# text of -stw, whose form is fixed, and names of flags and fields call it so.
# Each FILE, and the public headers, are texts for users too. Some words that were
# hard to understand have others, and do not come back.
set -eu

gtrace=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy=testdata/stops/go1.27_copy.trace
other=testdata/stops/go1.24_copy.trace
inferred=testdata/stops/go1.19_sleep.trace

# Other names of a pause. In texts of any kind: the first; in sentences both.
world='stops? of the world|STW'
stop="(^|[^a-z])([Aa]|[Ee]ach|[Tt]he|all|of|two|longest|[0-9]+) stops?([^-a-z\\\\]|$)|\\(stop\\)|h[eo]lds? up stops|what stops|stops (a|waited)|, stops?[, ]|^stop,"

# Phrases that have plainer ones: the total time; to stop, stopped; holds up.
foreign='time (that )?there was|waits of (stops|pauses)|and stood |, stood [0-9]|from going on|processors, waits, blocks'

# checks PATTERN FILE WHAT - FILE, which WHAT writes, has something in it, and
# nothing that matches PATTERN.
checks() {
	plain "$2" "$3"
	[ -s "$2" ] || {
		echo "words_test.sh: $3 writes nothing"
		exit 1
	}
	if LC_ALL=C grep -aEn "$1" "$2" >"$scratch/found"; then
		echo "words_test.sh: $3 calls a stop-the-world pause by another name:"
		cut -c 1-300 "$scratch/found"
		exit 1
	fi
}

# plain FILE WHAT - FILE, which WHAT writes, has none of the foreign phrases.
plain() {
	if LC_ALL=C grep -aEn "$foreign" "$1" >"$scratch/found"; then
		echo "words_test.sh: $2 has words that are hard to understand:"
		cut -c 1-300 "$scratch/found"
		exit 1
	fi
}

# said FLAG... - what is printed, and noted on standard error, are sentences.
said() {
	"$gtrace" "$@" >"$scratch/out" 2>&1 || [ $? -eq 3 ]
	checks "$world|$stop" "$scratch/out" "gtrace $*"
}

for flag in -h -help -print=man -print=bash -print=zsh; do
	said $flag
done
for trace in $copy $other $inferred; do
	said $trace
	said -stw=10 -format=short $trace
	said -diagreedy=3 -wait=3 -delay=3 -block=3 -goroutines=3 -requests=3 \
		-critical-path=1 -gctrace -schedtrace=10ms $trace
	said -max-slice=1us -max-stop=1ns -max-wait=1us -max-block=1ns $trace
done
said -compare $copy $other
said -compare $other $copy
said -from=100s -stw=3 -format=short $copy
said -from=100s -max-stop=1s $copy
said -from=100s -max-slice=1s -max-stop=1s $copy

# A finding in each form names the pause.
"$gtrace" $copy >"$scratch/out"
grep -q 'delayed stop-the-world pauses; it cost' "$scratch/out"
grep -q 'waited for$' "$scratch/out"

# The names of fields stay.
"$gtrace" -format=json $copy >"$scratch/out"
grep -q '"kind":"stop"' "$scratch/out"
checks "$world" "$scratch/out" "gtrace -format=json"
for flag in -timeline -pprof=stw; do
	"$gtrace" $flag $copy >"$scratch/out"
	grep -aq '[Ss]top-the-world pause' "$scratch/out"
	checks "$world" "$scratch/out" "gtrace $flag"
done

# The sentences of a page, and the strings of its script.
for flags in "$copy" "$inferred" "-func=nothing$ $copy" "-compare $copy $other"; do
	# shellcheck disable=SC2086 # words
	"$gtrace" -html=- $flags >"$scratch/page"
	checks "$world|\"stop |[a-z] stop \"" "$scratch/page" "gtrace -html=- $flags"
	sed -e '/^<script/,/<\/script>/d' -e 's/<[^>]*>/\n/g' "$scratch/page" >"$scratch/out"
	grep -q '[Ss]top-the-world pause' "$scratch/out"
	checks "$world|$stop|^stops?$" "$scratch/out" "gtrace -html=- $flags"
done

for file in "$@" c/include/gtrace/*.h; do
	checks "$world" "$file" "$file"
done
echo "words_test.sh: a stop-the-world pause has one name in all outputs, $# files and the headers"
