# SPDX-License-Identifier: BSD-3-Clause
"""paths_test.py GTRACE TRACE CASE - the path of the longest request, and the
table of slow and typical ones, have the known reason."""
import json
import subprocess
import sys

# The function that others wait for; its state, "": any but ready.
REASONS = {
    "convoy": ("main.holdAndSync", ""),
    "pipeline": ("main.computeStage", "ran"),
    "flight": ("main.fetch", "sleep"),
    "readers": ("main.readLong", "ran"),
    "pool": ("main.useConnection", "ran"),
    "backend": ("net/http.(*persistConn).readLoop", "network"),
    "hog": (None, "ready"),
}

gtrace, trace, case = sys.argv[1:]
function, state = REASONS[case]
lines = subprocess.run([gtrace, "-critical-path=1", "-root=^ask$", "-format=json", trace],
                       check=True, stdout=subprocess.PIPE).stdout.splitlines()
table, path = map(json.loads, lines)
assert (table["requests"], table["group"]) == (24, 5), table


def is_reason(segment):
    if function is None:
        return segment["state"] == "ready" and segment["level"] == 0
    # On a busy machine whoever it is may have no processor.
    return segment["level"] > 0 and any(
        frame["fn"] == function for frame in segment["stack"])


share = sum(segment["length"] for segment in path["segments"]
            if is_reason(segment)) / path["length"]
assert share > 0.5, "%s: %.0f %% of the path" % (case, 100 * share)
# There another difference can be greater, so that it is one of the first three.
rows = [row for row in table["rows"]
        if function is None or row["state"] != "ready"][:3]
names = (function, "main.spin")
assert any(
    state in ("", row["state"]) and row["slow"] > row["typical"] and
    (function is None or not function.startswith("main.") or
     row["fn"] in names and "cause" in row) for row in rows), rows
