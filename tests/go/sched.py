# SPDX-License-Identifier: BSD-3-Clause
"""sched.py GTRACE TOOL RELEASE TRACE... - the time that goroutines waited for a
processor in -pprof=wait against -pprof=sched of TOOL, the command trace of Go
1.RELEASE. The events of -dump, summed up by the rules of that command, give its
number and time; the same events and the rule of gtrace give those of gtrace.
Prints by how much the rules differ:

  * Up to Go 1.21 only GoCreate and GoUnblock that have a stack count, also
    those of goroutines that were there before the trace.
  * Up to Go 1.24 events without a stack are passed over: such waits do not
    count, and others end with the next event of the goroutine that has a stack.
  * From Go 1.22 on only what comes after a goroutine first ran counts.
  * No wait of 0 ns counts.

What of Go 1.25 is not known: it is not tested."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import loader

GONE, RUNNABLE, RUNNING, SYSCALL, WAITING = range(5)
STATUS = {1: RUNNABLE, 2: RUNNING, 3: SYSCALL, 4: WAITING}

# The state that an event leads to, of the goroutine that it names.
OF_ARGUMENT = {
    "GoCreate": RUNNABLE,
    "GoCreateBlocked": WAITING,
    "GoCreateSyscall": SYSCALL,
    "GoStart": RUNNING,
    "GoSwitch": RUNNABLE,
    "GoSwitchDestroy": RUNNABLE,
    "GoUnblock": RUNNABLE,
}
# The same, of its own goroutine.
OF_OWN = {
    "GoBlock": WAITING,
    "GoDestroy": GONE,
    "GoDestroySyscall": GONE,
    "GoStop": RUNNABLE,
    "GoSyscallBegin": SYSCALL,
    "GoSyscallEnd": RUNNING,
    "GoSyscallEndBlocked": RUNNABLE,
}


def transitions(events):
    """The events that change a state, with their goroutines and new states."""
    states = {}
    for event in events:
        name = event["name"]
        if name in OF_ARGUMENT:
            g, state = event["args"][0], OF_ARGUMENT[name]
        elif name in OF_OWN:
            g, state = event["g"], OF_OWN[name]
        elif name in ("GoStatus", "GoStatusStack"):
            g, state = event["args"][0], STATUS[event["args"][2] & 255]
        else:
            continue
        yield event, g, states.get(g), state
        states[g] = state


def waits(events, needs_stack):
    """Goroutine, begin and end of each time in which one is runnable."""
    since = {}
    for event, g, old, new in transitions(events):
        # That of GoStart is the dump's: where the goroutine begins.
        if needs_stack and (event["stack_id"] == 0 or event["name"] == "GoStart"):
            continue
        if new == RUNNABLE:
            since.setdefault(g, event["ts"])
        elif g in since:
            yield g, since.pop(g), event["ts"]


def lives(events):
    """When each goroutine first ran, and ended; the last one of its number."""
    first, last = {}, {}
    for event, g, old, new in transitions(events):
        if old == GONE:
            first.pop(g, None)
            last.pop(g, None)
        if new == RUNNING and old != new:
            first.setdefault(g, event["ts"])
        if new == GONE or (new == WAITING and event["strings"][:1] == ["forever"]):
            last.setdefault(g, event["ts"])
    return first, last


def of_release(events, release):
    """The lengths of waits by the rules of a release, by goroutine and begin."""
    if release <= 21:
        ends = {event["n"]: event["ts"] for event in events}
        return {
            (event["args"][0], event["ts"]): ends[event["link"]] - event["ts"]
            for event in events
            if event["name"] in ("GoCreate", "GoUnblock") and event["link"] and event["stack"]
        }
    first, last = lives(events)
    end = events[-1]["ts"]
    return {
        (g, begin): min(to, last.get(g, end)) - max(begin, first.get(g, 0))
        for g, begin, to in waits(events, release <= 24)
    }


def total(lengths):
    return len(lengths), sum(lengths)


def total_of(profile):
    return tuple(sum(sample.values[at] for sample in profile.samples) for at in (0, 1))


def of_tool(tool, path):
    data = subprocess.run([tool, "-pprof=sched", path], stdout=subprocess.PIPE, check=True).stdout
    return total_of(loader.Profile(data))


def check(gtrace, tool, release, path):
    trace = loader.Trace(gtrace, path)
    events = trace.objects("-dump")
    theirs = {at: length for at, length in of_release(events, release).items() if length > 0}
    trace.same("-pprof=sched", of_tool(tool, path), total(theirs.values()))
    ours = {(one["g"], one["ts"]): one["wait"] for one in trace.objects("-wait=1000000") if one["whole"]}
    trace.same("waits", total_of(trace.profile("wait")), total(ours.values()))
    both = ours.keys() & theirs.keys()
    different = [at for at in both if ours[at] != theirs[at]]
    print(
        f"{path}, Go 1.{release}: %d waits %d ns; %d as in Go, %d ns" % (total(ours.values()) + total([ours[at] for at in both if ours[at] == theirs[at]])),
        "only here %d, %d ns" % total([ours[at] for at in ours.keys() - theirs.keys()]),
        "only in Go %d, %d ns" % total([theirs[at] for at in theirs.keys() - ours.keys()]),
        "of another length in Go %d, by %d ns" % total([theirs[at] - ours[at] for at in different]),
        sep="; ",
    )
    return len(both)


if __name__ == "__main__":
    gtrace, tool, release, *paths = sys.argv[1:]
    if sum(check(gtrace, tool, int(release), path) for path in paths) < 10 * len(paths):
        loader.fail("too few waits are in both")
