# SPDX-License-Identifier: BSD-3-Clause
"""extent.py GTRACE TRACE... - what is said of a whole trace is said of its extent.

Two traces that differ only in when a batch of strings was begun have the same
summary, comparison, collections and samples, but for times since the first event;
how long goroutines were ready is one number in all reports, and how long they ran
is that of slices and of what ran before the first event that shows it."""

import csv
import io
import json
import re
import subprocess
import sys

ALL = "1000000000"
RUNNING = 2
GAP, NO_GAP = "testdata/extent/gap.trace", "testdata/extent/gap-removed.trace"
# Times since the first event.
POSITIONS = {
    "start", "ts", "origin", "began", "requested", "sweep_begin", "sweep_end", "term_begin", "done", "end", "released",
}


def fail(message):
    sys.exit("extent.py: " + message)


def run(gtrace, *arguments):
    """What is printed; None: the trace cannot be read."""
    done = subprocess.run([gtrace, *arguments], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def objects(gtrace, *arguments):
    text = run(gtrace, "-format=json", *arguments)
    return None if text is None else [json.loads(line) for line in text.splitlines()]


# --------------------------------------------------------------------- gap --


def in_place(text):
    """TEXT without names of files, times since the first event, and when that was."""
    return re.sub(r"testdata/extent/\S*|began at [\d.,]+ \S+|from\s+[\d-]+\s+[\d:.]+\s+UTC", "", text)


def without_positions(value, more=()):
    if isinstance(value, dict):
        return {
            name: without_positions(one, more)
            for name, one in value.items()
            if name not in POSITIONS and not name.endswith("_start") and name != "trace" and name not in more
        }
    if isinstance(value, list):
        return [without_positions(one, more) for one in value]
    return in_place(value) if isinstance(value, str) else value


def check_gap(gtrace):
    (before,), (after,) = (objects(gtrace, path) for path in (GAP, NO_GAP))
    if before["origin"] - after["origin"] < after["length"]:
        fail("the gap is shorter than the trace")
    for flags in ("-rows=3",), ("-gctrace",), ("-schedtrace=20ms",), ("-goroutines=" + ALL,), ("-wait=" + ALL,), ("-block=" + ALL,):
        # Only of a wait this is a time, not a length.
        more = ("ran",) if "-wait" in flags[0] else ()
        with_gap, without = ([without_positions(one, more) for one in objects(gtrace, *flags, path)] for path in (GAP, NO_GAP))
        if with_gap != without:
            names = {name for one, other in zip(with_gap, without) for name in one if one[name] != other.get(name)}
            fail(f"{flags}: the gap changes {names}")
    for flags in (), ("-gctrace",), ("-schedtrace=20ms",):
        # Where lines are broken depends on the times.
        texts = [re.sub(r"\s+", " ", in_place(run(gtrace, *flags, path))) for path in (GAP, NO_GAP)]
        if texts[0] != texts[1]:
            fail(f"{flags}: the gap changes the text")
    (compared,) = objects(gtrace, "-compare", GAP, NO_GAP)
    if without_positions(compared["old"]) != without_positions(compared["new"]):
        fail("-compare: the traces differ")
    for name in "functions", "delays", "holders", "blocks", "findings":
        for one in compared[name]:
            if one["old"] != one["new"]:
                fail(f"-compare: {name}: {one}")


# ------------------------------------------------------------------- ready --


def events(gtrace, path, flags):
    return list(csv.DictReader(io.StringIO(run(gtrace, *flags, "-dump", "-format=csv", path))))


def switches(dump):
    """How often a coroutine was switched to: then it is ready for 2 ns."""
    return sum(one["name"] in ("GoSwitch", "GoSwitchDestroy") for one in dump)


def check_ready(gtrace, path, flags, dump):
    """Returns whether goroutines were ready."""
    waits = objects(gtrace, *flags, "-wait=" + ALL, path)
    (summary,) = objects(gtrace, *flags, path)
    want = sum(one["wait"] for one in waits)
    switched = 2 * switches(dump)
    interval = f"-schedtrace={summary['length'] // 7 + 1}ns"
    samples = objects(gtrace, *flags, interval, path) if "unit" not in summary else []
    found = {
        "the summary": summary["waits"]["sum"] + summary["waits"]["cut_sum"],
        "-goroutines": sum(one["ready"] for one in objects(gtrace, *flags, "-goroutines=" + ALL, path)) - switched,
        "-schedtrace": sum(one["runqueue_ns"] for one in samples) - switched,
    }
    for total in objects(gtrace, *flags, "-gctrace", path):
        if total["record"] == "total" and samples:
            # It ends when a thread wrote its last event.
            rest = (summary["length"] - total["length"]) * samples[-1]["runqueue"]
            if not 0 <= summary["length"] - total["length"] < 1000:
                fail(f"{path}: -gctrace: {total['length']} of {summary['length']} ns")
            found["-gctrace"] = total["runnable"] + total["outside_runnable"] + rest - switched
    if not samples:
        del found["-schedtrace"]
    for name, have in found.items():
        if have != want:
            fail(f"{path}: goroutines were ready for {have} ns in {name}, for {want} ns in -wait")
    return want > 0


# --------------------------------------------------------------------- ran --


def ran_before(version, dump):
    """How long goroutines ran that ran as the trace began, before that shows."""
    known, created, before = set(), {}, 0
    origin, held = None, False
    for one in dump:
        ts, name, g = int(one["ts"]), one["name"], one["arg1"]
        if name == "Sync":
            continue
        origin = ts if origin is None else origin
        if name.startswith("GoCreate"):
            known.add(g)
            created[g] = ts
        elif name.startswith("GoStatus") and g not in known:
            known.add(g)
            before += ts - origin if int(one["arg3"]) & 255 == RUNNING else 0
        elif version < (1, 22) and name == "ProcStart":
            held = True
        elif version < (1, 22) and name in ("GoStart", "GoStartLabel"):
            return ts - created[one["g"]] if held else 0
    return before


def check_ran(gtrace, path, flags, dump):
    """Returns whether a goroutine ran before that shows."""
    (summary,) = objects(gtrace, *flags, path)
    version = tuple(map(int, summary["version"].split(".")))
    goroutines = objects(gtrace, *flags, "-goroutines=" + ALL, path)
    have = sum(one["ran"] + one["assisted"] + one["syscall"] - one["lost"] for one in goroutines)
    before = ran_before(version, dump)
    if "unit" not in summary and have != summary["slices"]["sum"] + before:
        fail(f"{path}: goroutines ran for {have} ns, slices for {summary['slices']['sum']} ns, {before} ns before")
    return before > 0


def main():
    gtrace, *paths = sys.argv[1:]
    check_gap(gtrace)
    counts = [0, 0, 0]
    for path in paths:
        flags = ()
        if run(gtrace, path) is None:
            flags = ("-partial",)
        dump = events(gtrace, path, flags)
        counts[0] += 1
        counts[1] += check_ready(gtrace, path, flags, dump)
        counts[2] += check_ran(gtrace, path, flags, dump)
    if min(counts) < len(paths) * 8 // 10:
        fail(f"{counts} of {len(paths)} traces")
    print("the gap changes nothing; %d traces, %d where goroutines were ready, %d where some ran before" % tuple(counts))


if __name__ == "__main__":
    main()
