# SPDX-License-Identifier: BSD-3-Clause
"""blocks_test.py GTRACE TOOL TRACE... - by stack, the number and the time of blocks
in -pprof=block are those of the profiles that TOOL, the command of `go tool trace`,
makes: sync, net, syscall.

The tool leaves out what is not over, and, but for system calls, what began before
the trace; a stack with such a block has more time here. Up to Go 1.21 it counts
waiting for the collector as sync. Where the trace gives no reason, gtrace may know
the kind by a function, and the tool does not."""

import collections
import gzip
import json
import subprocess
import sys

from loader import Profile

KINDS = {
    "sync": ("lock", "wait group", "condition", "channel send", "channel receive", "select"),
    "net": ("network",),
    "syscall": ("system call",),
}

# Blocks without a reason at stacks with these functions.
UNTOLD = ("runtime.readyWithTime", "runtime.gcParkStrongFromWeak")


def profile(data, kinds=None):
    """[count, time] by stack, as functions and lines; of samples with these KINDS."""
    found = collections.defaultdict(lambda: [0, 0])
    for sample in Profile(data).samples:
        assert sample.labels.keys() <= {"kind"}
        if kinds and sample.labels.get("kind") not in kinds:
            continue
        one = found[tuple((frame.function, frame.line) for frame in sample.stack)]
        one[0] += sample.values[0]
        one[1] += sample.values[1]
    return found


def places(objects, blocks, kinds):
    """[count, time, began before, not over] by stack: the first two of the profile
    BLOCKS, the others of the places as JSON."""
    found = collections.defaultdict(lambda: [0, 0, 0, 0])
    for stack, values in profile(blocks, kinds).items():
        if stack and stack[0][0] == "(no stack)":
            stack = ()
        found[stack][:2] = values
    for one in objects:
        if one["kind"] in kinds:
            stack = tuple((frame["fn"], frame["line"]) for frame in one["stack"])
            for i, name in enumerate(("before", "unfinished")):
                found[stack][i + 2] += one[name]
    return found


def check(gtrace, tool, path):
    done = subprocess.run([gtrace, "-block=1000000000", "-format=json", path],
                          stdout=subprocess.PIPE, check=True)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    blocks = subprocess.run([gtrace, "-pprof=block", path],
                            stdout=subprocess.PIPE, check=True).stdout
    equal = more = 0
    for what, kinds in KINDS.items():
        done = subprocess.run([tool, "-pprof=" + what, path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        theirs = profile(gzip.decompress(done.stdout))
        ours = places(objects, blocks, kinds)
        collector = places(objects, blocks, ("assist", "collection"))
        for stack in (set(theirs) & set(collector)) - set(ours):
            ours[stack] = collector[stack]
        for stack in set(theirs) | set(ours):
            count, time = theirs[stack] if stack in theirs else (0, 0)
            here = ours[stack] if stack in ours else (0, 0, 0, 0)
            if here[2] + here[3] == 0 and here[:2] == [count, time]:
                equal += 1
            elif here[2] + here[3] != 0 and time <= here[1] and (
                    0 <= count - (here[0] - here[2] - here[3]) <= (
                        here[2] if what == "syscall" else 0)):
                more += 1
            elif not (count == 0 and stack and stack[0][0] in UNTOLD):
                sys.exit("%s: %s: %s, want %d blocks of %d ns, at %s" % (
                    path, what, here, count, time, stack))
    return equal, more


def main():
    gtrace, tool, *paths = sys.argv[1:]
    equal, more = map(sum, zip(*(check(gtrace, tool, path) for path in paths)))
    print("%s: %d traces, %d stacks equal, %d with blocks that are not whole" % (
        tool, len(paths), equal, more))
    # Small traces have few of them.
    if equal < 2 * len(paths) or more == 0:
        sys.exit("blocks_test.py: too few stacks were compared")


main()
