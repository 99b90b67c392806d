#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# coverage.sh [-lines] - which lines of c/ the tests in C, the replay of the
# fuzz corpus and the tests of the command execute, with gcc and gcov: a table
# with a row for each file. -lines lists the lines that none executes instead.
set -eu

cd "$(dirname "$0")/.."
lines=
case $#:${1:-} in
0:) ;;
1:-lines) lines=yes ;;
*)
	echo "usage: coverage.sh [-lines]" >&2
	exit 2
	;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
CC=${CC:-gcc}
flags="-std=c11 -O1 -fno-inline --coverage -Ic -Ic/include -I. -Itests"

say() {
	echo "coverage.sh: $*" >&2
}

# compile FILE - to an object in scratch that has the file's path in its name.
compile() {
	object=$scratch/$(echo "${1%.c}" | tr / -).o
	# shellcheck disable=SC2086
	$CC $flags -c "$1" -o "$object"
}

# run NAME COMMAND... - a test, whose output is shown if it fails.
failed=0
run() {
	say "$1"
	shift
	if ! TEST_TMPDIR=$scratch timeout 600 "$@" >"$scratch/log" 2>&1; then
		cat "$scratch/log"
		failed=1
	fi
}

say "compiling"
library=
for file in c/*.c c/[!ft]*/*.c; do
	compile "$file"
	library="$library $object"
done
support=
for file in tests/*.c; do
	case $file in
	*_test.c) continue ;;
	esac
	compile "$file"
	support="$support $object"
done
compile c/fuzz/replay.c
replay=$object
compile c/tools/gtrace.c
command=$object
# The rest of the command, of which tests use parts.
tools=
for file in c/tools/*.c; do
	[ "$file" != c/tools/gtrace.c ] || continue
	compile "$file"
	tools="$tools $object"
done

# link OUT OBJECT... - a program.
link() {
	# shellcheck disable=SC2086
	$CC --coverage -o "$@" $tools $library -lcmocka -lm -pthread
}

for file in tests/*_test.c tests/*/*_test.c; do
	compile "$file"
	# shellcheck disable=SC2086
	link "$scratch/test" "$object" $support
	run "$file" "$scratch/test"
done
for file in c/fuzz/*_fuzzer.c; do
	compile "$file"
	link "$scratch/test" "$object" "$replay"
	run "$file" "$scratch/test" testdata/fuzz/*
done
# shellcheck disable=SC2086
link "$scratch/gtrace" $command
for file in tests/command_test.sh tests/many_test.sh; do
	run $file sh $file "$scratch/gtrace"
done

say "gcov"
mkdir "$scratch/gcov"
# gcov writes to its current folder, and finds the sources by their path there.
ln -s "$PWD/c" "$PWD/tests" "$scratch/gcov"
(cd "$scratch/gcov" && gcov -p -r ../*.gcda >/dev/null 2>&1)
# A line of a .gcov file is COUNT:NUMBER:TEXT. Lines of an inline function stand
# there once for each file that has it.
for file in "$scratch"/gcov/*.gcov; do
	name=$(sed -n '1s/.*:Source://p' "$file")
	case $name in
	c/fuzz/*) continue ;;
	c/*) ;;
	*) continue ;;
	esac
	awk -F : -v name="$name" -v lines="$lines" '
		$1 ~ /#####|=====/ && !($2 in seen) { seen[$2] = 0; order[++count] = $2 }
		$1 ~ /[0-9]/ { if (!($2 in seen)) order[++count] = $2; seen[$2] = 1 }
		{ text[$2] = substr($0, index($0, $2 ":") + length($2) + 1) }
		END {
			for (i = 1; i <= count; i++) {
				done += seen[order[i]]
				if (lines && !seen[order[i]])
					printf "%s:%d:%s\n", name, order[i], text[order[i]]
			}
			if (!lines && count)
				printf "%s %d %d\n", name, count, done
		}' "$file"
done | sort >"$scratch/table"
if [ -n "$lines" ]; then
	cat "$scratch/table"
else
	awk 'function row(name, n, done) {
			printf "| %s | %d | %d | %.1f %% |\n", name, n, n - done, 100 * done / n
		}
		BEGIN { print "| file | lines | not executed | executed |\n| --- | --- | --- | --- |" }
		{ row("`" $1 "`", $2, $3); lines += $2; done += $3 }
		END { row("all", lines, done) }' "$scratch/table"
fi
exit $failed
