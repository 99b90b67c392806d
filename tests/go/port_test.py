# SPDX-License-Identifier: BSD-3-Clause
"""port_test.py GTRACE PORT - compares the longest waits of both, see port_test.sh."""

import glob
import json
import re
import subprocess
import sys

gtrace, port = sys.argv[1:]
N = 50
FIELDS = ("start", "g", "wait", "busy", "idle", "stopped", "before", "over", "kept_more", "kept_more_overlap", "kept_none")
KEPT = ("p", "g", "overlap", "length", "start", "end")
# The reader does not tell these apart.
SAME = {"GoStatusStack": "GoStatus"}
# A switch from one goroutine to another takes the reader so long, and is no wait.
SWITCH = 2


def waits(command, trace):
    """The waits, the longest first, without those as short as the shortest, which could be
    others; None: the trace cannot be read."""
    ran = subprocess.run([*command, trace], capture_output=True, text=True)
    if ran.returncode != 0:
        return None
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    least = found[-1]["wait"] if len(found) >= N else SWITCH
    rows = [
        {
            **{field: wait[field] for field in FIELDS},
            "event": SAME.get(wait["event"], wait["event"]),
            "kept": [{field: kept[field] for field in KEPT} for kept in wait["kept"]],
        }
        for wait in found
        if wait["wait"] > least
    ]
    return sorted(rows, key=lambda wait: (-wait["wait"], wait["start"], wait["g"]))


def version(trace):
    with open(trace, "rb") as file:
        number = re.match(rb"go 1\.(\d+)", file.read(16))
    return int(number[1]) if number else 0


compared = read = 0
for trace in sorted(glob.glob("testdata/*.trace") + glob.glob("testdata/*/*.trace")):
    if version(trace) < 22:
        continue
    ours, theirs = waits([gtrace, f"-wait={N}", "-format=json"], trace), waits([port, str(N)], trace)
    if theirs is None:
        if ours is not None:
            sys.exit(f"{trace}: the port cannot read it")
        continue
    if ours != theirs:
        for have, want in zip(theirs, ours or []):
            if have != want:
                sys.exit(f"{trace}: the port has {have}, and not {want}")
        sys.exit(f"{trace}: {len(theirs)} waits, and not {len(ours or [])}")
    read += 1
    compared += len(ours)
print(f"{compared} waits in {read} traces are those of the library")
if compared < 2000:
    sys.exit("too few")
