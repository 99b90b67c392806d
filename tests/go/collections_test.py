# SPDX-License-Identifier: BSD-3-Clause
"""collections_test.py GTRACE TRACE PRINTED - collections in TRACE are those that
the runtime PRINTED in the same run: their sizes of the heap and which were forced
are equal, and so are the clock times as far as the runtime prints digits. The exit
status is 3 if only clock times differ, and in more than a quarter of them."""

import json
import re
import subprocess
import sys

LINE = re.compile(
    r"gc \d+ @[\d.]+s \d+%: ([\d.]+)\+([\d.]+)\+([\d.]+) ms clock, .* ms cpu, "
    r"(\d+)->(\d+)->(\d+) MB, .* (\d+) P( \(forced\))?$")


def printed(path):
    found = []
    for line in open(path, encoding="utf-8"):
        match = LINE.match(line)
        if match:
            *clocks, start, end, live, procs, forced = match.groups()
            found.append((tuple(map(float, clocks)),
                          (int(start), int(end), int(live), int(procs),
                           forced is not None)))
    return found


def traced(gtrace, path):
    text = subprocess.run([gtrace, "-gctrace", "-format=json", path],
                          stdout=subprocess.PIPE, check=True).stdout
    found = []
    for line in text.splitlines():
        one = json.loads(line)
        if (one["record"] != "collection" or one["began_before"] or
                one["unfinished"]):
            continue
        found.append((
            (one["sweep_clock"], one["mark_clock"], one["term_clock"]),
            (one["heap_start"] >> 20, one["heap_end"] >> 20,
             one["heap_live"] >> 20, one["procs"],
             one["reason"] == "forced")))
    return found


def is_close(want, got):
    """The runtime prints two digits, and a stop of its own ends earlier."""
    return abs(got / 1e6 - want) <= 0.02 + 0.1 * want


def main():
    gtrace, trace, path = sys.argv[1:]
    ours, theirs = traced(gtrace, trace), printed(path)
    assert len(ours) >= 3, ours
    # The runtime also prints those before and after the trace.
    places = [place for place in range(len(theirs) - len(ours) + 1)
              if all(one[1][1:] == other[1][1:] for one, other in
                     zip(ours, theirs[place:]))]
    assert places, ("no such collections in a row", ours, theirs)
    pairs = list(zip(ours, theirs[places[0]:]))
    far = [(one, other) for one, other in pairs
           if not all(map(is_close, other[0], one[0])) or
           abs(one[1][0] - other[1][0]) > 1]
    for one, other in far:
        print("not close:", one, other)
    print("%d collections, %d forced, %d not close" % (
        len(pairs), sum(one[1][4] for one in ours), len(far)))
    assert sum(one[1][4] for one in ours) == 2
    return 3 if len(far) * 4 > len(pairs) else 0


sys.exit(main())
