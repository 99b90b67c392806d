#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh [-all] - installs what is missing, and runs the tests: as users build
# it, with the oldest and the newest release of Go that there are patches for, if
# they are installed, and the go1.8.3 in ~/go1.8.3, and the C parts under
# AddressSanitizer and UndefinedBehaviorSanitizer and, where there are threads,
# under ThreadSanitizer. With -all, with each release of Go that is installed, and
# with all random cases and all traces. The last line is the verdict, and before
# it the tests that failed are named. A test that prints "skipped" counts as
# skipped; Bazel counts it as passed.
set -eu

usage="usage: run.sh [-all] (one test: bazel test //tests:trace_test)"
case $#:${1:-} in
0:) which=most ;;
1:-all) which=all ;;
1:-h | 1:-help | 1:--help)
	echo "$usage"
	exit
	;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac
cd "$(dirname "$0")/.."
. tests/step.sh
no_space_in_path
check_goroot GTRACE_GOROOT bin/go src/cmd/trace/main.go
check_goroot GTRACE_GO183_ROOT src/cmd/trace/main.go
begin=$(date +%s)
if [ -z "${GTRACE_GO183_ROOT:-}" ] && [ -d ~/go1.8.3/src/cmd/trace ]; then
	export GTRACE_GO183_ROOT=~/go1.8.3
fi
sh tests/setup.sh tests
check_series
echo "run.sh: three configurations, which take four to five minutes on two processors the first time" >&2
[ $which = most ] ||
	echo "run.sh: and two minutes more, and one for each release of Go in /usr/lib/go-* but one" >&2

log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT
: >"$log.bad"
passed=0
failed=0
skipped=0

# Counts the results of the tests in Bazel's log, and prints the names of skipped
# tests; those of failed tests are printed at the end. Arguments: the name of the
# configuration, and its flags.
count() {
	name=$1
	shift
	grep -E '^//[^ ]+ +(\(cached\) )?(PASSED|FLAKY)' "$log" >"$log.passed" || true
	ran=$(wc -l <"$log.passed")
	sed -nE "s,^(//[^ ]+) +((FAILED|TIMEOUT|NO STATUS|INCOMPLETE).*),$name: \\1: \\2,p" \
		"$log" >"$log.failed"
	bad=$(wc -l <"$log.failed")
	cat "$log.failed" >>"$log.bad"
	logs=$(bazel info "$@" bazel-testlogs 2>/dev/null)
	skips=0
	while read -r test rest; do
		test=${test#//}
		file=$logs/$(echo "$test" | tr : /)/test.log
		reason=$(sed -n 's/^skipped: //p' "$file" | head -n 1)
		if [ -n "$reason" ]; then
			echo "skipped: //$test: $reason"
			skips=$((skips + 1))
		fi
	done <"$log.passed"
	echo "run.sh: $name: $((ran - skips)) passed, $bad failed, $skips skipped" >&2
	passed=$((passed + ran - skips))
	failed=$((failed + bad))
	skipped=$((skipped + skips))
}

# configuration NAME TARGETS [FLAG...] - goes on whatever the outcome.
configuration() {
	name=$1
	targets=$2
	shift 2
	before=$failed
	status=0
	# shellcheck disable=SC2086
	step "$name: bazel test $* $targets" "$log" bazel test "$@" \
		--color=no --curses=no --keep_going --show_progress_rate_limit=2 \
		$targets ||
		status=$?
	count "$name" "$@"
	if [ $status -ne 0 ]; then
		grep -v -e '^\[[0-9,]* / [0-9,]*\]' -e '^Loading: ' \
			-e '^Analyzing: ' "$log" || true
		if [ "$failed" -eq "$before" ]; then
			echo "$name: the build" >>"$log.bad"
			failed=$((failed + 1))
		fi
	fi
}

# The static command is not part of //..., as not every system can make one.
configuration plain "//... //tests:static_test" --config=$which
configuration asan //... --config=asan
configuration tsan //... --config=tsan

cat >&2 <<END
run.sh: all in $(($(date +%s) - begin)) s. What is left behind:
	a Bazel server that ends after three hours: bazel shutdown
	$(du -sh "$(bazel info output_base 2>/dev/null)" 2>/dev/null | cut -f 1) of files built, and links to them here (bazel-*): bazel clean --expunge
END
sed 's/^/failed: /' "$log.bad"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
