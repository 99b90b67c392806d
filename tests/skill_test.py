#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""skill_test.py GTRACE README - -max-output, and the text of -print=skill: its steps,
played on traces with known causes, end at these, and no output is longer than it
says. README (c/tools/README.md) has each field that the text names."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

gtrace, readme = sys.argv[1:]
LIMIT = 8000
faults = []

# Each trace, the kind of its first finding, and what is found by which step: 2 the
# summary, 3 its next command, 4 the next one of the longest row of that.
CAUSES = [
    ("stops/go1.27_copy", "stop", 3, r"main\.copyOnce"),
    ("stops/go1.22_spin", "stop", 3, r"main\.main\.func6"),
    ("services/snmp_exporter", "function", 3, r"ReadFromInet4"),
    ("silences/stopped_profile-go1.22", "machine", 2, r"certain"),
    ("silences/in_c-go1.27", "function", 3, r"main\.init\.0\.func1\.6"),
    ("silences/sha1-go1.22", "silent", 3, r"main\.doSHA1"),
    ("silences/busy-go1.19", "function", 3, r"main\.tight"),
    ("woken/go1.27", "function", 3, r"main\.worker"),
    ("collections/go1.27_limit", "collector", 3, r"main\."),
    ("collections/go1.22_trees", "collector", 3, r"main\."),
    ("paths/convoy", "function", 3, r"main\.sleep"),
    ("paths/fsync", "function", 3, r"syscall\.[fF]sync"),
    ("machine/esbuild", "function", 3, r"bundler\.parseFile"),
]


def fail(text):
    print("FAIL: " + text)
    faults.append(text)


def run(arguments, want=0):
    done = subprocess.run([gtrace, *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != want:
        fail("%s: status %d: %s" % (arguments, done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def rows(arguments):
    """The objects that gtrace prints, which are short enough."""
    text = run(arguments)
    if len(text.encode()) > LIMIT:
        fail("%s: %d bytes" % (arguments, len(text.encode())))
    return [json.loads(line) for line in text.splitlines()]


skill = run(["-print=skill"])
assert len(skill.encode()) < LIMIT
# The commands of the text, which the test gives nothing to.
commands = re.findall(r"^    gtrace (.*)$", skill, re.M)
(summary,) = [c for c in commands if c.startswith("-format") and "compare" not in c]
(follow,) = [c for c in commands if c.startswith("NEXT")]
lost = [c for c in commands if c.startswith("-requests") or c.startswith("-block")]
(compare,) = [c for c in commands if c.startswith("-compare")]
assert len(lost) == 2 and len(commands) == 5, commands


def length(row):
    return next((row[name] for name in ("duration", "length", "wait", "max")
                 if isinstance(row.get(name), int)), 0)


def play(name, kind, step, cause):
    trace = "testdata/%s.trace" % name
    (one,) = rows(summary.replace("trace.out", trace).split())
    first = one["findings"][0]
    if first["kind"] != kind:
        fail("%s: the first finding is %s" % (trace, first["kind"]))
    told = [first]
    if step >= 3:
        told = rows(shlex.split(follow.replace("NEXT", first["next"])))
    if not re.search(cause, json.dumps(told)):
        fail("%s: step %d does not tell %s" % (trace, step, cause))
    following = [row for row in told if "next" in row and step >= 3]
    if following:
        row = max(following, key=length)
        deeper = rows(shlex.split(follow.replace("NEXT", row["next"])))
        if not deeper or "segments" not in deeper[0]:
            fail("%s: %s shows no path" % (trace, row["next"]))
    return bool(following)


deeper = [play(*cause) for cause in CAUSES]
assert sum(deeper) > 5, deeper

# Nothing stands out: the text says how to go on, and where to end.
idle = "testdata/go1.27-small/idle.trace"
(one,) = rows(summary.replace("trace.out", idle).split())
assert one["headline"].startswith("Nothing stands out"), one["headline"]
for command in lost:
    rows(command.replace("trace.out", idle).split())
done = compare.replace("trace.out", "testdata/before.trace").replace(
    "old.out", "testdata/after.trace").split()
assert '"worse"' in run(done, 3)

# Every list fits: what is there is as it is without the bound, but for arrays.
LISTS = ["-stw=10", "-wait=10", "-delay=10", "-block=10", "-goroutines=10", "-requests=10",
         "-critical-path=3", "-critical-path=1", "-gctrace", "-diagreedy=10",
         "-diagreedy=1000", "-schedtrace=10ms", "-dump", "-stw=3 -wait=3 -block=3", ""]


def without(value):
    """VALUE without what the bound adds and takes."""
    if isinstance(value, dict):
        return {key: without(inner) for key, inner in value.items()
                if key != "left_out" and not isinstance(inner, list)}
    return value


def bounded(flags, trace, limit):
    flags = flags.split() + ["-format=json", trace]
    whole = [json.loads(line) for line in run(flags).splitlines()]
    text = run(flags + ["-max-output=%d" % limit])
    if len(text.encode()) > limit:
        fail("%s: %d bytes of %d" % (flags, len(text.encode()), limit))
    got = [json.loads(line) for line in text.splitlines()]
    rest = got.pop()["left_out"] if got and "more" in got[-1] else {"rows": 0, "bytes": 0}
    assert len(got) + rest["rows"] == len(whole), flags
    for mine, theirs in zip(got, whole):
        if "next" not in theirs and "next" in mine:
            assert mine["next"].endswith("'%s'" % trace)
            del mine["next"]
        if "left_out" not in mine:
            assert mine == theirs, flags
            continue
        assert without(mine) == without(theirs), flags
        count = dict(mine["left_out"])
        compare_arrays(mine, theirs, count)
        assert all(left == 0 for left in count.values()), (flags, count)
    return len(got)


def compare_arrays(mine, theirs, count):
    """Elements of MINE are of THEIRS, in their order; COUNT loses what is missing."""
    for key, value in mine.items():
        if key == "left_out":
            continue
        if isinstance(value, dict):
            compare_arrays(value, theirs[key], count)
        if isinstance(value, list):
            count[key] = count.get(key, 0) - (len(theirs[key]) - len(value))
            at = 0
            for element in value:
                if not isinstance(element, dict):
                    at = theirs[key].index(element, at) + 1
                    continue
                while without(theirs[key][at]) != without(element):
                    at += 1
                compare_arrays(element, theirs[key][at], count)
                at += 1


seen = 0
for path in ("services/snmp_exporter", "stops/go1.27_copy", "go1.19-small/lock",
             "paths/pipeline", "go1.27-small/task"):
    for flags in LISTS:
        for limit in (1000, 3000, 8000, 100000):
            seen += bounded(flags, "testdata/%s.trace" % path, limit)
assert seen > 1000, seen
# A name that no shell can be told is in no command.
with tempfile.TemporaryDirectory() as folder:
    for name, is_told in (("a b.trace", True), ("it's.trace", False), ("a\\b.trace", False)):
        path = os.path.join(folder, name)
        shutil.copy("testdata/paths/pipeline.trace", path)
        text = run(["-wait=3", "-format=json", "-max-output=8kB", path])
        assert ('"next":"-critical' in text) == is_told, name
# 3kB and 3000 are the same.
assert run(["-wait", "-format=json", "-max-output=3kB", idle]) == run(
    ["-wait", "-format=json", "-max-output=3000", idle])
for wrong in (["-max-output=8kB"], ["-format=json", "-max-output=0"],
              ["-format=json", "-max-output=8kb"], ["-format=csv", "-wait", "-max-output=8kB"],
              ["-timeline", "-max-output=8kB"], ["-format=json", "-max-output=99999999999999999999MB"]):
    assert run(wrong + [idle], 2) == ""

# Fields and flags of the text are there.
fields = set(re.findall(r"\| `([\w ]+)` \|", open(readme, encoding="utf-8").read()))
kinds = {"function", "load", "handover", "collector", "stop", "machine", "silent", "leak",
         "storm", "forced", "fine", "broadcast", "finalizer"}
for word in re.findall(r"`([a-z_0-9]+)`", skill):
    if word not in fields | kinds | {"left_out"}:
        fail("the text names %s, which is no field" % word)
text = run(["-help"])
for flag in set(re.findall(r"[ `(]-([a-z][a-z-]+)", skill)):
    if flag not in ("trace", "run") and "\n  -%s" % flag not in text:
        fail("the text names -%s, which is no flag" % flag)
print("skill_test.py: %d causes found by the text, %d rows within their bounds"
      % (len(CAUSES), seen))
sys.exit(1 if faults else 0)
