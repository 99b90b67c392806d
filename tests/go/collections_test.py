# SPDX-License-Identifier: BSD-3-Clause
"""collections_test.py GTRACE TRACE PRINTED - collections in TRACE are those that
the runtime PRINTED in the same run: their sizes of the heap and which were forced
are equal, and so are the clock times as far as the runtime prints digits. The
processor times of those that marked, which are bounds, are never less than the
runtime's, and equal on one processor. The exit status is 3 if only times differ,
in more than a quarter of the collections, or are less."""

import json
import re
import subprocess
import sys

LINE = re.compile(
    r"gc \d+ @[\d.]+s \d+%: ([\d.]+)\+([\d.]+)\+([\d.]+) ms clock, "
    r"[\d.]+\+([\d.]+)/([\d.]+)/([\d.]+)\+[\d.]+ ms cpu, "
    r"(\d+)->(\d+)->(\d+) MB, .* (\d+) P( \(forced\))?$")
WORK = "assists", "workers", "idle workers"


class Collection:
    """Times are in ms, those of the program in the order of the line."""

    def __init__(self, clocks, works, sizes, procs, forced):
        self.clocks, self.works = clocks, works
        self.start = sizes[0]
        self.facts = sizes[1:], procs, forced

    def __repr__(self):
        return str(vars(self))


def printed(path):
    found = []
    for line in open(path, encoding="utf-8"):
        match = LINE.match(line)
        if match:
            *numbers, forced = match.groups()
            found.append(Collection(
                [float(number) for number in numbers[:3]],
                [float(number) for number in numbers[3:6]],
                [int(number) for number in numbers[6:9]],
                int(numbers[9]), forced is not None))
    return found


def traced(gtrace, path):
    """The complete collections."""
    text = subprocess.run([gtrace, "-gctrace", "-format=json", path],
                          stdout=subprocess.PIPE, check=True).stdout
    return [Collection(
        [one[name] / 1e6 for name in ("sweep_clock", "mark_clock", "term_clock")],
        [one["assist_cpu"] / 1e6,
         (one["dedicated_cpu"] + one["fractional_cpu"]) / 1e6,
         one["idle_cpu"] / 1e6],
        [one[name] >> 20 for name in ("heap_start", "heap_end", "heap_live")],
        one["procs"], one["reason"] == "forced")
            for one in map(json.loads, text.splitlines())
            if one["record"] == "collection" and
            not one["began_before"] and not one["unfinished"]]


def is_close(want, got):
    """The runtime prints two digits, and a stop of its own ends earlier."""
    return abs(got - want) <= 0.02 + 0.1 * want


def pair(ours, theirs):
    """The runtime also prints collections before and after the trace, and some
    programs have several that look alike."""
    places = [place for place in range(len(theirs) - len(ours) + 1)
              if all(one.facts == other.facts for one, other in
                     zip(ours, theirs[place:]))]
    assert places, ("no such collections in a row", ours, theirs)
    return min((list(zip(ours, theirs[place:])) for place in places),
               key=lambda pairs: sum(abs(one.clocks[1] - other.clocks[1])
                                     for one, other in pairs))


def main():
    gtrace, trace, path = sys.argv[1:]
    ours = traced(gtrace, trace)
    assert len(ours) >= 3, ours
    pairs = pair(ours, printed(path))
    far, less = [], []
    for one, other in pairs:
        exact = all(map(is_close, other.clocks, one.clocks))
        if one.facts[1] == 1:
            exact &= all(map(is_close, other.works, one.works))
        if not exact or abs(one.start - other.start) > 1:
            far.append((one, other))
            print("not close:", one, other)
        # A thread can lose its CPU after the runtime has read the clock, and
        # seldom between its event and that.
        if any(got < want - 0.02 for want, got in
               zip(other.works, one.works)):
            less.append((one, other))
            print("less:", one, other)
    print("%d collections, %d forced, %d not close%s" % (
        len(pairs), sum(one.facts[2] for one in ours), len(far),
        "".join("; %s %.1f ms, %.1f printed" % (
            name, sum(one.works[i] for one in ours),
            sum(other.works[i] for _, other in pairs))
                for i, name in enumerate(WORK))))
    assert sum(one.facts[2] for one in ours) == 2
    return 3 if less or len(far) * 4 > len(pairs) else 0


sys.exit(main())
