#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# limits_forms_test.sh GTRACE - limits as annotations of GitHub and as a report of
# JUnit, and what -compare -noise says to be worse than in an old trace.
set -eu

gtrace=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy=testdata/stops/go1.27_copy.trace
before=testdata/before.trace
after=testdata/after.trace
unset GITHUB_WORKSPACE

. tests/called.sh

# Annotations: at a line only where the runner has the file.
run 3 -format=github -max-slice=10ms $before
out "without a workspace" <<END
::error title=slice of 10.033916ms::$before: slice of 10.033916ms, at 101.605897ms, goroutine 10 in main.godeadloop1.func1 (/go/src/diagreedy/x.go:105)
END
GITHUB_WORKSPACE=/go/src run 3 -format=github -max-slice=10ms $before
out "with a workspace" <<END
::error file=diagreedy/x.go,line=105,title=slice of 10.033916ms::$before: slice of 10.033916ms, at 101.605897ms, goroutine 10 in main.godeadloop1.func1 (/go/src/diagreedy/x.go:105)
END
GITHUB_WORKSPACE=/go/sr run 3 -format=github -max-slice=10ms $before
grep -q '^::error title=' "$scratch/out" || fail "another folder"
run 0 -format=github -max-slice=11ms $before
[ ! -s "$scratch/out" ] || fail "all is well, but not silent"
# A name is no command: neither its percent signs nor its lines.
cp $before "$scratch/a%0A::b
::error::c.trace"
run 3 -format=github -max-slice=10ms "$scratch"/a*
[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "a name with a line: $(cat "$scratch/out")"
grep -q '/a%250A::b' "$scratch/out" || fail "a name with %0A: $(cat "$scratch/out")"
for flags in -max-stop=3.5ms -max-wait=9ms "-max-stop=3.5ms -max-wait=9ms"; do
	# The same things as text has.
	# shellcheck disable=SC2086 # words
	run 3 $flags $copy
	cp "$scratch/out" "$scratch/text"
	# shellcheck disable=SC2086 # words
	run 3 -format=github $flags $copy
	sed 's/^::error [^:]*:://; s/%25/%/g' "$scratch/out" | cmp - "$scratch/text"
done
grep -c 'title=stop-the-world pause of ' "$scratch/out" | grep -qx 2
grep -c 'title=wait for a processor of ' "$scratch/out" | grep -qx 2

# JUnit: a case for each limit and trace, well formed whatever the names are.
printf 'no trace' >"$scratch/none"
cp $copy "$scratch/<&\">$(printf '\377')"
run 1 -no-join -format=junit -max-stop=3.5ms -max-wait=9ms -max-block=1s $copy "$scratch/none" \
	"$scratch"/\<*
if command -v python3 >/dev/null; then
	python3 - "$scratch/out" <<'END'
import sys
import xml.etree.ElementTree as tree

suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["7", "4", "1"]
cases = suite.findall("testcase")
assert [case.get("name") for case in cases] == [
    "-max-stop=3.5ms", "-max-wait=9ms", "-max-block=1s", "read",
    "-max-stop=3.5ms", "-max-wait=9ms", "-max-block=1s"]
assert cases[4].get("classname").endswith('<&">\ufffd'), cases[4].get("classname")
lines = cases[0].find("failure").text.splitlines()
assert len(lines) == 2 and lines[0].startswith("stop-the-world pause of 3.556096ms, at ")
assert cases[0].find("failure").get("message") == "2: " + lines[0]
assert len(cases[1].find("failure").text.splitlines()) == 2
assert cases[2].find("failure") is None
assert cases[3].find("error").get("message") == "cannot be read"
END
else
	echo "skipped: no python3, which reads XML"
fi
run 0 -format=junit -max-stop=1s $copy
grep -q '<testsuite name="gtrace" tests="1" failures="0" errors="0">' "$scratch/out"

# A baseline.
run 0 -compare -noise=20% $after $after
run 0 -compare $after $before
grep -v ': worse by' "$scratch/out" >"$scratch/text"
run 3 -compare -noise=20% $after $before
tail -n 2 "$scratch/out" >"$scratch/worse"
grep -v ': worse by' "$scratch/out" | cmp - "$scratch/text"
cat >"$scratch/want" <<END
$before: worse by more than 20 %: finding fine: 789.280396ms a second, before 532.140463ms
$before: worse by more than 20 %: p99 of waits for a processor: 541ns, before 419ns
END
cmp "$scratch/want" "$scratch/worse" || fail "worse: $(cat "$scratch/worse")"
# More noise, and the same number without a percent sign.
run 3 -compare -noise=30 $after $before
grep -c ': worse by' "$scratch/out" | grep -qx 1
run 0 -compare -noise=50 $after $before
# Limits: the longest, if the old trace has nothing as long.
run 3 -compare -noise=50% -max-slice=5ms $after $before
grep -q '^testdata/before.trace: worse by more than 50 %: longest slice: 10.033916ms, before none over the limit$' "$scratch/out" ||
	fail "a limit: $(cat "$scratch/out")"
run 0 -compare -noise=50% -max-slice=5ms $before $before
run 3 -compare -noise=50% -max-slice=1ms $after $before
grep -q 'longest slice: 10.033916ms, before 4.014227ms$' "$scratch/out"
run 0 -compare -noise=200% -max-slice=1ms $after $before
run 0 -compare -noise=50% -max-slice=11ms $after $before
# In the other forms.
run 3 -compare -noise=50% -max-slice=5ms -format=github $after $before
out "an annotation" <<END
::error title=longest slice is worse::$before: worse by more than 50 %25: longest slice: 10.033916ms, before none over the limit
END
run 3 -compare -noise=50% -max-slice=5ms -format=junit $after $before
grep -c '<failure' "$scratch/out" | grep -qx 1
grep -q 'tests="3" failures="1" errors="0"' "$scratch/out"
run 3 -compare -noise=20% -format=json $after $before
[ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "not three objects"
tail -n 1 "$scratch/out" >"$scratch/worse"
cat >"$scratch/want" <<END
{"trace":"$before","worse":"p99","of":"waits for a processor","fn":"","unit":"ns","old":419,"new":541,"noise_percent":20}
END
cmp "$scratch/want" "$scratch/worse" || fail "JSON: $(cat "$scratch/worse")"
run 1 -compare -noise=20% $after "$scratch/none"
[ ! -s "$scratch/out" ] || fail "a trace that cannot be read is compared"

# What does not go together.
for flags in "-noise=20%" "-max-stop=1s -noise=20%" "-compare -max-stop=1s $after" \
	"-format=github" "-format=junit -stw" "-format=json -max-stop=1s" \
	"-compare -format=junit $after" "-compare -noise=x $after" "-compare -noise=0% $after" \
	"-compare -noise=20%% $after" "-compare -html=- -noise=20% $after"; do
	# shellcheck disable=SC2086 # words
	run 2 $flags $before
	[ ! -s "$scratch/out" ] || fail "$flags: something is printed"
done
echo "limits_forms_test.sh: annotations, reports and baselines are as they should be"
