#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# recipes_test.sh GTRACE RECIPES - runs the commands of recipes.md, on many traces,
# as they stand there, each with the programs that it names if they
# are installed, and checks what they print. Scripts take the place of ssh, and of
# duckdb, whose engine they install with npm.
set -eu

gtrace=$(realpath "$1")
recipes=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# parallel needs them.
export HOME="$scratch" SHELL=/bin/sh

fail() {
	echo "recipes_test.sh: $*"
	exit 1
}

mkdir "$scratch/bin" "$scratch/files" "$scratch/files/traces"
ln -s "$gtrace" "$scratch/bin/gtrace"
cat >"$scratch/bin/ssh" <<END
#!/bin/sh
# Runs the command here, in the home directory, and notes the machine.
while case \$1 in -*) true ;; *) false ;; esac; do shift; done
echo "\$1" >>"$scratch/machines"
shift
[ "\$1" != -- ] || shift
cd
exec sh -c "\$*"
END
chmod +x "$scratch/bin/ssh"
cat >"$scratch/bin/duckdb" <<END
#!/usr/bin/env node
// duckdb -c SQL - runs it with DuckDB's engine, and prints the values of each row.
const { DuckDBInstance } = require("$scratch/node_modules/@duckdb/node-api");
DuckDBInstance.create()
	.then((instance) => instance.connect())
	.then((connection) => connection.runAndReadAll(process.argv[3]))
	.then((reader) => reader.getRows().forEach((row) => console.log(row.join(" "))));
END
PATH=$scratch/bin:$PATH
# get_duckdb - installs the engine; sets missing to the reason if it cannot.
get_duckdb() {
	if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
		missing="no node with npm, which gets DuckDB"
	elif ! timeout 120 npm install --prefix "$scratch" --no-audit --no-fund \
		--fetch-retries=0 @duckdb/node-api >"$scratch/npm" 2>&1; then
		missing="npm does not get DuckDB: $(grep -m 1 -i error "$scratch/npm")"
	fi
	[ -n "$missing" ] || chmod +x "$scratch/bin/duckdb"
}
for go in /usr/lib/go-*/bin; do
	[ ! -x "$go/go" ] || PATH=$PATH:$go
done
cp testdata/go1.27-small/*.trace testdata/after.trace "$scratch/files/traces"
cp testdata/before.trace "$scratch/files/old.trace"
cp testdata/after.trace "$scratch/files/new.trace"
cp testdata/stops/go1.27_copy.trace "$scratch/files/trace.out"

# The recipes: each block of lines that begin with a tab, to a file. Code between
# lines of three backticks is for Go.
awk -v to="$scratch/recipe" '
	/^```/ { is_code = !is_code }
	/^\t/ && !is_code { if (!inside) n++; inside = 1; sub(/^\t/, ""); print > (to n); next }
	{ inside = 0 }' "$recipes"

cd "$scratch/files"
ran=0
for recipe in "$scratch"/recipe*; do
	missing=
	! grep -q "^duckdb " "$recipe" || command -v duckdb >/dev/null || get_duckdb
	for program in parallel jq sqlite3 go; do
		if grep -q "^$program " "$recipe" && ! command -v $program >/dev/null; then
			missing="$program is not there"
		fi
	done
	if [ -n "$missing" ]; then
		echo "skipped: $missing"
		continue
	fi
	want=0
	! grep -q -e "-max-[swb]" -e -noise "$recipe" || want=3
	got=0
	sh -e "$recipe" >"$recipe.out" 2>"$recipe.err" </dev/null || got=$?
	[ "$got" -eq $want ] || fail "status $got: $(cat "$recipe" "$recipe.err")"
	ran=$((ran + 1))
	case $(cat "$recipe") in
	*parallel*)
		sort -u "$scratch/machines" | tr '\n' ' ' | grep -qx 'alpha beta ' ||
			fail "parallel: not on both machines"
		for trace in traces/*.trace; do
			gtrace -diagreedy=100 -format=json "$trace"
		done | sort >"$scratch/want"
		sort slices.json | cmp - "$scratch/want" || fail "parallel: $(cat "$recipe.err")"
		[ "$(wc -l <"$recipe.out")" -eq 10 ] || fail "parallel: not ten slices"
		;;
	*all.csv*)
		grep -q '^main\.spawn\.func1|8|[0-9]*$' "$recipe.out" || fail "no goroutine 8"
		;;
	*-tables=*)
		grep -q '^main\..* [0-9][0-9]*$' "$recipe.out" || fail "tables: $(cat "$recipe.out")"
		;;
	*jq* | *sqlite3* | *duckdb*)
		# All begin with the same function, and agree about its time.
		sed -n 's/^[^0-9]*\([0-9][0-9]*\)[^0-9a-z]*\(main\.[a-z]*\).*/\1 \2/p' \
			"$recipe.out" | head -n 1 >"$scratch/line"
		[ -s "$scratch/line" ] || fail "no sum: $(cat "$recipe.out")"
		cat "$scratch/line" >>"$scratch/first"
		;;
	*pprof*)
		grep -q '^Type: time' "$recipe.out" || fail "pprof: $(cat "$recipe.out")"
		grep -q 'main\.copyOnce$' "$recipe.out" || fail "pprof: $(cat "$recipe.out")"
		;;
	*-max-output*)
		grep -q '^# From "it is slow" to a cause' SKILL.md || fail "skill"
		grep -q '"next":"-stw=10 trace.out"' "$recipe.out" || fail "no next command"
		;;
	*-noise*)
		grep -q '^new.trace: worse by more than 20 %: ' "$recipe.out" || fail "noise"
		;;
	*-format=github*)
		grep -q '^::error title=.*::trace.out: .* in main\.' "$recipe.out" || fail "github"
		;;
	*-format=junit*) grep -q '<failure' junit.xml || fail "junit" ;;
	*trace.txt*) grep -q . trace.out && grep -q "wait of" trace.txt || fail "a dump is lost" ;;
	*-max-*)
		grep -q '^trace.out: slice of .* in main\.' "$recipe.out" || fail "no slice"
		grep -q '^trace.out: stop-the-world pause of .* in main\.' "$recipe.out" ||
			fail "no stop"
		grep -q '^trace.out: wait of .* behind goroutine .* in ' "$recipe.out" ||
			fail "no wait"
		;;
	*-timeline*)
		grep -q main.copyOnce report.html || fail "page"
		grep -q main.copyOnce timeline.json || fail "timeline"
		;;
	*-compare*) grep -q main.godeadloop1 "$recipe.out" || fail "compare" ;;
	*) [ -s "$recipe.out" ] || fail "no output: $(cat "$recipe")" ;;
	esac
done
[ ! -f "$scratch/first" ] || [ "$(sort -u "$scratch/first" | wc -l)" -eq 1 ] ||
	fail "jq and the databases do not agree: $(cat "$scratch/first")"
[ $ran -ge 5 ] || fail "only $ran recipes"
echo "recipes_test.sh: $ran recipes, as recipes.md has them"
