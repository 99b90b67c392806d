#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""outputs.py - what a gtrace prints of many traces, as hashes.

	outputs.py [-j JOBS] [-match TEXT] GTRACE FOLDER... >hashes
	outputs.py -compare HASHES OTHER

The first form runs GTRACE with each report, format and filter on each trace in
the folders, and on all traces of a folder at once. A line of its output is the
hash of what a command prints and of its exit status, and the command. With
-match, only commands that contain TEXT. Two or JOBS commands run at a time.

The second form prints the commands whose lines differ, and the number of all.
It exits with 1 if a line differs. A change that is to keep each output has
hashed the same before and after it:

	outputs.py OLD/gtrace testdata/go1.27-small >old
	outputs.py NEW/gtrace testdata/go1.27-small >new
	outputs.py -compare old new
"""
import concurrent.futures
import hashlib
import os
import shlex
import subprocess
import sys

LISTS = [["-diagreedy=10"], ["-stw=5"], ["-wait=10"], ["-delay=10"],
         ["-block=10"], ["-goroutines=10"], ["-requests=5"], ["-gctrace"],
         ["-schedtrace=5ms"]]
PROFILES = ["greedy", "stw", "wait", "delay", "block", "unblock", "assist",
            "path"]
FILTERS = [["-p=0"], ["-g=1"], ["-func=main"], ["-min=1ms"],
           ["-from=5ms", "-to=60ms"], ["-user"]]
WITH_RECORD = [["-diagreedy=10", "-by=cpu"], ["-pprof=cpu"]]
LIMITS = [["-max-slice=1ms"], ["-max-stop=1ms"], ["-max-wait=1ms"],
          ["-max-block=1ms"]]


def formats(reports, names):
    return [report + ["-format=" + name] for report in reports
            for name in names]


def commands_of_one():
    """The flags of each command for one trace."""
    several = [flag for report in LISTS[:5] for flag in report]
    yield from formats([[]] + LISTS, ["text", "json", "csv"])
    yield from formats(LISTS, ["short"])
    yield from formats([several], ["text", "short", "json"])
    yield from formats([["-dump"]], ["text", "json", "csv"])
    yield from ([["-html=-"], ["-timeline"], ["-diagreedy=0"]])
    yield from (["-pprof=" + name] for name in PROFILES)
    yield from LIMITS
    for chosen in FILTERS:
        for report in [[]] + LISTS:
            yield from formats([report + chosen], ["text", "json"])
        for report in (["-dump"], ["-html=-"], ["-timeline"],
                       ["-pprof=greedy"], ["-pprof=block"]):
            yield report + chosen
    for partial in ("-partial", "-partial=unfinished"):
        yield from formats([[partial]] + [r + [partial] for r in LISTS],
                           ["text", "json"])


def commands_of_several():
    """The flags of each command for several traces."""
    yield from formats([[]] + LISTS, ["text", "json"])
    yield from formats(LISTS, ["short", "csv"])
    yield from LIMITS
    yield ["-partial", "-diagreedy=10", "-stw=5"]


def traces_in(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)
                  if name.endswith(".trace"))


def record_of(trace):
    """The scheduling record beside a trace, if there is one."""
    for end in (".oncpu.tsv", ".tsv"):
        if os.path.exists(trace[:-len(".trace")] + end):
            return trace[:-len(".trace")] + end
    return None


def commands(folders):
    for folder in folders:
        traces = traces_in(folder)
        for trace in traces:
            for flags in commands_of_one():
                yield flags + [trace]
            record = record_of(trace)
            for flags in formats([[]] + LISTS[:4], ["text", "json"]
                                 ) + WITH_RECORD if record else []:
                yield flags + ["-sched=" + record, trace]
        for old, new in zip(traces, traces[1:]):
            for flags in (["-format=text"], ["-format=json"], ["-html=-"]):
                yield flags + ["-compare", old, new]
        for flags in commands_of_several() if len(traces) > 1 else []:
            yield flags + traces


def shown(command):
    text = shlex.join(command)
    if len(text) <= 200:
        return text
    return shlex.join([word for word in command if word[0] == "-"]
                      + [os.path.dirname(command[-1])]) + "/*"


def line_of(tool, command):
    run = subprocess.run(["gtrace"] + command, executable=tool,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    what = hashlib.sha256(b"%d %d %s%s" % (run.returncode, len(run.stdout),
                                           run.stdout, run.stderr))
    return what.hexdigest()[:20] + " " + shown(command)


def write(tool, folders, jobs, match):
    wanted = [c for c in commands(folders) if match in shown(c)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for line in pool.map(lambda command: line_of(tool, command), wanted):
            print(line)


def hashes(path):
    with open(path, encoding="utf-8") as file:
        return dict(reversed(line.rstrip("\n").split(" ", 1))
                    for line in file)


def compare(old_path, new_path):
    old, new = hashes(old_path), hashes(new_path)
    differing = [c for c in {**old, **new} if old.get(c) != new.get(c)]
    for command in differing:
        what = ("differs" if command in old and command in new else
                "only in " + (old_path if command in old else new_path))
        print(f"{what}: {command}")
    print(f"{len(differing)} of {len({**old, **new})} commands differ")
    return 1 if differing or not old else 0


def main(arguments):
    jobs, match = 2, ""
    if len(arguments) == 3 and arguments[0] == "-compare":
        return compare(*arguments[1:])
    while len(arguments) > 2 and arguments[0] in ("-j", "-match"):
        if arguments[0] == "-j":
            jobs = int(arguments[1])
        else:
            match = arguments[1]
        arguments = arguments[2:]
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__, end="", file=sys.stderr)
        return 2
    write(arguments[0], arguments[1:], jobs, match)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
