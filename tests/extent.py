# SPDX-License-Identifier: BSD-3-Clause
"""extent.py GTRACE TRACE... - what is said of a whole trace is said of its extent.

Two traces that differ only in when a batch of strings was begun have the same
summary, comparison, collections and samples, but for times since the first event;
and how long goroutines were ready is one number in all reports."""

import json
import re
import subprocess
import sys

ALL = "1000000000"
GAP, NO_GAP = "testdata/extent/gap.trace", "testdata/extent/gap-removed.trace"
# Times since the first event.
POSITIONS = {
    "start", "ts", "origin", "requested", "sweep_begin", "sweep_end", "term_begin", "done", "end",
    "released", "off_cpu_start", "silence_start",
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
    """TEXT without names of files and times since the first event."""
    return re.sub(r"testdata/extent/\S*|began at [\d.,]+ \S+", "", text)


def without_positions(value, more=()):
    if isinstance(value, dict):
        return {
            name: without_positions(one, more)
            for name, one in value.items()
            if name not in POSITIONS and name != "trace" and name not in more
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
    for name in "functions", "delays", "holders", "blocks":
        for one in compared[name]:
            if one["old"] != one["new"]:
                fail(f"-compare: {name}: {one}")


# ------------------------------------------------------------------- ready --


def switches(gtrace, path, flags):
    """How often a coroutine was switched to: then it is ready for 2 ns."""
    text = run(gtrace, *flags, "-dump", "-format=csv", path)
    return len(re.findall(r"^[^\n]*,GoSwitch(?:Destroy)?,", text, re.M))


def check_ready(gtrace, path, flags):
    """Returns whether goroutines were ready; None: the trace cannot be read."""
    waits = objects(gtrace, *flags, "-wait=" + ALL, path)
    if waits is None:
        return None
    (summary,) = objects(gtrace, *flags, path)
    want = sum(one["wait"] for one in waits)
    switched = 2 * switches(gtrace, path, flags)
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


def main():
    gtrace, *paths = sys.argv[1:]
    check_gap(gtrace)
    read = ready = 0
    for path in paths:
        for flags in ((), ("-partial",)):
            was = check_ready(gtrace, path, flags)
            if was is not None:
                break
        read += was is not None
        ready += was is True
    if ready < len(paths) * 8 // 10:
        fail(f"goroutines were ready in {ready} of {len(paths)} traces")
    print(f"the gap changes nothing; {read} traces, in {ready} goroutines were ready")


if __name__ == "__main__":
    main()
