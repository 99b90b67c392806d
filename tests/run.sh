#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh [-all|-web|-go|-engines] - installs what is missing, and runs the tests: as users build it,
# with the oldest and the newest release of Go that there are patches for, if they
# are installed, and the go1.8.3 in ~/go1.8.3; and the C parts under the sanitizers.
# With -all, with each release of Go that is installed, and with all random cases
# and all traces. With -web, of gtrace.html, the page for any browser. With -go, of the
# command for Go alone, and of the files of a release. With -engines, of what DuckDB
# and Spark make of tables. At the end the tests that failed are named, and the last
# line is the verdict. A test that prints "skipped" counts as skipped.
set -eu

usage="usage: run.sh [-all|-web|-go|-engines] (one test: bazel test //tests:trace_test)"
case $#:${1:-} in
0:) which=most more= ;;
1:-all) which=all more=", as much again, and one for each release of Go in /usr/lib/go-* but one" ;;
1:-web) which=web more= ;;
1:-go) which=go more= ;;
1:-engines) which=engines more= ;;
1:-h | 1:-help | 1:--help) echo "$usage" && exit ;;
*) echo "$usage" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/.."
. tests/step.sh
check_goroot GTRACE_GOROOT
check_goroot GTRACE_GO183_ROOT
[ ! -d ~/go1.8.3/src/cmd/trace ] || export "GTRACE_GO183_ROOT=${GTRACE_GO183_ROOT:-$HOME/go1.8.3}"
case $which in web | go) sh tests/setup.sh $which ;; *) sh tests/setup.sh tests ;; esac
engines=${GTRACE_ENGINES:-${HOME:-/tmp}/.cache/gtrace-engines}
[ "$which" != engines ] || sh tests/engines/setup.sh "$engines"
check_series
case $which in web | go | engines) ;; *) echo "run.sh: three configurations: about fifteen minutes on two processors the first time$more" >&2 ;; esac

log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT
touch "$log.ends" "$log.passed" "$log.skipped" "$log.bad"

# configuration NAME TARGETS [FLAG...] - runs tests, with any outcome.
configuration() {
	name=$1
	targets=$2
	shift 2
	# shellcheck disable=SC2086
	step "$name: bazel test $* $targets" "$log" bazel test "$@" \
		--color=no --curses=no --keep_going --show_progress_rate_limit=2 \
		$targets || {
		sed -nE "s,^(//[^ ]+) +((FAILED|TIMEOUT|NO STATUS|INCOMPLETE).*),$name: \\1: \\2,p" \
			"$log" | grep . || echo "$name: the build"
	} >>"$log.bad"
	[ "$step_status" -eq 0 ] || grep -Ev '^\[[0-9,]* / [0-9,]*\]|^(Loading|Analyzing): ' "$log"
	logs=$(bazel info "$@" bazel-testlogs 2>/dev/null)
	sed -nE 's,^//([^ ]+) +(FAILED in|TIMEOUT).*,\1,p' "$log" | while read -r test; do
		echo "$name: //$test ends with:"
		tail -n 15 "$logs/$(echo "$test" | tr : /)/test.log" || true
	done >>"$log.ends"
	sed -nE 's,^//([^ ]+) +(\(cached\) )?(PASSED|FLAKY).*,\1,p' "$log" | while read -r test; do
		reason=$(sed -n 's/^skipped: //p' "$logs/$(echo "$test" | tr : /)/test.log" | head -n 1)
		[ -n "$reason" ] || echo "$test" >>"$log.passed"
		[ -z "$reason" ] || echo "skipped: //$test: $reason" | tee -a "$log.skipped"
	done
}

# The static command is not part of //..., as not every system can make one.
if [ "$which" = web ]; then
	configuration web "//tests:web_test //tests:m32_test //tests:m32_unit_test"
elif [ "$which" = go ]; then
	configuration go "//tests/go:wasm_test //tests/go:wasm_inputs_test //tests/go:systems_test //tests/go:wine_test //tests:package_test"
elif [ "$which" = engines ]; then
	configuration engines "//tests:duckdb_test //tests:spark_test" \
		"--test_env=GTRACE_ENGINES=$engines"
else
	configuration plain "//... //tests:static_test" "--config=$which"
	configuration asan //... --config=asan ${more:+--test_env=GTRACE_LONGER=1}
	configuration tsan //... --config=tsan
fi

cat >&2 <<END
run.sh: what is left behind:
	a Bazel server that ends after three hours: bazel shutdown
	$(du -sh "$(bazel info output_base 2>/dev/null)" 2>/dev/null | cut -f 1) of files built, and links to them here (bazel-*): bazel clean --expunge
END
cat "$log.ends"
sed 's/^/failed: /' "$log.bad"
echo "$(grep -c '' "$log.passed") passed, $(grep -c '' "$log.bad") failed, $(grep -c '' "$log.skipped") skipped"
! [ -s "$log.bad" ]
