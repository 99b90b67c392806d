# SPDX-License-Identifier: BSD-3-Clause
"""sums.py GTRACE TRACE... - the number of slices and their time, those of stops
of the world, of waits and of blocks are the same in every output: text, JSON, CSV,
profiles, timelines and summaries; per goroutine where the output has
goroutines, blocks by kind; of all and of those that pass filters."""

import collections
import csv
import json
import os
import re
import subprocess
import sys

ALL = "1000000000"
csv.field_size_limit(1 << 30)

# Each trace is read without filters and with some of these.
FILTERS = (
    ("-user",),
    ("-p=0,2",),
    ("-min=3us",),
    ("-func=^(main|net/http)[.]",),
    ("-from=300us", "-to=2ms"),
    ("-g=1,5,6,7,8", "-min=500ns"),
)


def fail(message):
    sys.exit("sums.py: " + message)


class Sums(collections.defaultdict):
    """How many there are, and their time, of each goroutine."""

    def __init__(self):
        super().__init__(lambda: [0, 0])

    def add(self, g, count, time):
        self[g][0] += count
        self[g][1] += time

    def total(self):
        return sum(one[0] for one in self.values()), sum(one[1] for one in self.values())


# ---------------------------------------------------------------- profiles --


def number(data, at):
    """The varint at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: numbers, and bytes."""
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        value, at = number(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
            if at > len(data):
                fail("a field is cut off")
        elif tag & 7 != 0:
            fail(f"wire type {tag & 7}")
        yield tag >> 3, value


def numbers(data):
    at = 0
    while at < len(data):
        value, at = number(data, at)
        yield value


def named(message, number, member):
    """The ids of messages, and a member of each."""
    for field, value in message:
        if field == number:
            one = dict(fields(value))
            yield one[1], one[member]


class Profile:
    """The sums of a profile.proto, as the message is described in pprof."""

    def __init__(self, data):
        message = list(fields(data))
        strings = [value.decode("utf-8") for field, value in message if field == 6]
        self.types = []
        comments = [strings[value] for field, value in message if field == 13]
        if len(comments) != 1 or not re.match(
            "(Slices|Measured stops of the world|Waits for a processor|What slices delayed other goroutines,|Blocks|Mark assists) by the stack ", comments[0]
        ):
            fail(f"comments of a profile: {comments}")
        self.labels = {}
        self.sums = Sums()
        self.functions = Sums()
        functions = dict(named(message, 5, 2))
        self.leaves = {
            at: strings[functions[dict(fields(line))[1]]] for at, line in named(message, 4, 4)
        }
        for field, value in message:
            if field == 1:
                name = dict(fields(value))
                self.types.append((strings[name[1]], strings[name[2]]))
        for field, value in message:
            if field == 2:
                self.sample(value, strings)

    def sample(self, data, strings):
        g = None
        for field, value in fields(data):
            if field == 2:
                count, time = numbers(value)
            elif field == 1:
                leaf = self.leaves[next(numbers(value))]
            elif field == 3:
                label = dict(fields(value))
                name = strings[label[1]]
                self.labels[name] = "number" if 3 in label else "string"
                if name == "goroutine":
                    g = label[3]
                elif name in ("kind", "phase"):
                    g = strings[label[2]]
        self.sums.add(g, count, time)
        self.functions.add(leaf, count, time)


# ------------------------------------------------------------------ outputs --


class Trace:
    """The outputs for a trace and filters."""

    def __init__(self, gtrace, path, flags):
        self.gtrace, self.path, self.flags = gtrace, path, flags
        self.name = " ".join((path, *flags))

    def start(self, *arguments, text=True):
        return subprocess.Popen(
            [self.gtrace, *self.flags, *arguments, self.path],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8" if text else None,
            errors="replace" if text else None,
        )

    def lines(self, *arguments):
        process = self.start(*arguments)
        yield from process.stdout
        if process.wait() != 0:
            fail(f"{self.name}: {arguments}: status {process.returncode}")

    def bytes(self, *arguments):
        """What is printed; None: it is an error."""
        process = self.start(*arguments, text=False)
        data = process.stdout.read()
        return data if process.wait() == 0 else None

    def objects(self, *arguments):
        return (json.loads(line) for line in self.lines("-format=json", *arguments))

    def records(self, *arguments):
        return csv.DictReader(self.lines("-format=csv", *arguments), strict=True)

    def same(self, what, have, want):
        if have != want:
            fail(f"{self.name}: {what}: {have}, want {want}")

    def profile(self, what, name, unit):
        profile = Profile(self.bytes("-pprof=" + what))
        self.same("-pprof=" + what, profile.types, [(name, "count"), ("time", unit)])
        return profile.sums


def slices(trace):
    want, in_csv, in_timeline = Sums(), Sums(), Sums()
    unit, count, time = "ns", 0, 0
    for one in trace.objects("-diagreedy=" + ALL):
        want.add(one["g"], 1, one["duration"])
        unit = one.get("unit", "ns")
    for one in trace.records("-diagreedy=" + ALL):
        in_csv.add(int(one["g"]), 1, int(one["duration"]))
        trace.same("unit as CSV", one["unit"], unit)
    trace.same("slices as CSV", in_csv, want)
    for line in trace.lines("-diagreedy=" + ALL):
        length = re.match(r"\t(\d+)(?:ns -> | ticks$)", line)
        if length:
            count += 1
            time += int(length.group(1))
    trace.same("slices as text", (count, time), want.total())
    profile = trace.profile("greedy", "slices", "nanoseconds" if unit == "ns" else unit)
    trace.same("slices in -pprof=greedy", profile, want)
    text = trace.bytes("-timeline")
    if text is None:
        # Trace events have no ticks.
        if unit == "ns" and want:
            fail(f"{trace.name}: no timeline")
        return want.total(), None
    stopping = Sums()
    # Of times with three decimals of a microsecond.
    for one in json.loads(text, parse_float=lambda digits: int(digits.replace(".", "")))["traceEvents"]:
        if one["ph"] == "X" and one["pid"] == 1:
            in_timeline.add(one["args"]["g"], 1, one["dur"])
        elif one["ph"] == "X" and one["name"] in ("stopping", "stopped"):
            stopping[one["args"]["n"], one["name"]] = one["dur"]
    trace.same("slices in -timeline", in_timeline, want)
    return want.total(), stopping


def stops(trace, in_timeline):
    count = [0, 0, 0]
    time, in_csv, phases, unit = 0, Sums(), Sums(), "ns"
    for one in trace.objects("-stw=" + ALL):
        unit = one.get("unit", "ns")
        count[0 if one["measured"] else 2 if one["inferred"] else 1] += 1
        if not one["measured"]:
            continue
        time += one["stopping"]
        restarting = one["restarting"] if one["restarting"] != -1 else one["ended"]
        phases.add("stopping", 1, one["stopping"])
        phases.add("stopped", 0, restarting - one["obtained"])
        phases.add("restarting", 0, one["ended"] - restarting)
        for part in ("stopping", "stopped"):
            if in_timeline is not None:
                trace.same("a stop in -timeline", in_timeline[one["n"], part], one[part])
    want = (count[0], time)
    for one in trace.records("-stw=" + ALL):
        if one["measured"] == "true":
            in_csv.add("", 1, int(one["stopping"]))
    trace.same("stops as CSV", in_csv.total(), want)
    heads = [line for line in trace.lines("-stw=" + ALL) if line.startswith("stops of the world: ")]
    trace.same("stops as text", [[int(n) for n in re.findall(r"\d+", line)] for line in heads], [count])
    profile = trace.profile("stw", "stops", "nanoseconds" if unit == "ns" else unit)
    times = [{phase: one for phase, one in sums.items() if one[1]} for sums in (profile, phases)]
    trace.same("phases in -pprof=stw", *times)
    trace.same("stops in -pprof=stw", profile.total()[0], count[0])
    return want


def waits(trace):
    """Whole waits; text has them in microseconds."""
    want, unit = Sums(), "ns"
    for one in trace.objects("-wait=" + ALL):
        unit = one.get("unit", "ns")
        if one["whole"]:
            want.add(one["g"], 1, one["wait"])
    (head,) = (line for line in trace.lines("-wait=1") if line.startswith("waits for a processor: "))
    trace.same("waits as text", int(head.split()[4]), want.total()[0])
    profile = trace.profile("wait", "waits", "nanoseconds" if unit == "ns" else unit)
    trace.same("waits in -pprof=wait", profile, want)


def delays(trace, slices):
    """What slices lack as JSON is less than a nanosecond each."""
    want, unit = Sums(), "ns"
    for one in trace.objects("-diagreedy=" + ALL, "-wait=1"):
        unit = one.get("unit", "ns")
        if one.get("delay", 0) > 0:
            want.add(one["g"], 1, one["delay"])
    least = want.total()[1]
    profile = trace.profile("delay", "slices", "nanoseconds" if unit == "ns" else unit)
    time = profile.total()[1]
    trace.same("slices in -pprof=delay", {g: n for g, (n, _) in profile.items() if n}, {g: n for g, (n, _) in want.items()})
    if not least <= time <= least + slices:
        fail(f"{trace.name}: {time} ns in -pprof=delay, {least} ns in {slices} slices")
    if trace.flags not in ((), ("-partial",)):
        return
    (head,) = (line for line in trace.lines("-delay=1") if line.startswith("delay: "))
    behind = re.search(r" busy: ([0-9.]+)(?:us| ticks) behind slices", head).group(1)
    trace.same("-pprof=delay", time, int(behind.replace(".", "")))


def blocks(trace):
    """By kind. They are on no processor."""
    if any(flag.startswith("-p=") for flag in trace.flags):
        return
    want, in_csv, unit = Sums(), Sums(), "ns"
    for one in trace.objects("-block=" + ALL):
        unit = one.get("unit", "ns")
        want.add(one["kind"], one["count"], one["sum"])
    for one in trace.records("-block=" + ALL):
        in_csv.add(one["kind"], int(one["count"]), int(one["sum"]))
    trace.same("blocks as CSV", in_csv, want)
    count = time = 0
    for line in trace.lines("-block=1"):
        head = re.match(r"(?:blocked|at rest) (\d+) times? ([0-9.]+)(?:us| ticks)", line)
        if head:
            count += int(head.group(1))
            time += int(head.group(2).replace(".", ""))
    trace.same("blocks as text", (count, time), want.total())
    for what in ("block", "unblock"):
        profile = trace.profile(what, "blocks", "nanoseconds" if unit == "ns" else unit)
        trace.same("-pprof=" + what, profile, want)


def assists(trace):
    """Of the filters, -gctrace takes other ones, or reads them differently."""
    if trace.flags:
        return
    by_goroutine, by_function, unit = Sums(), Sums(), "ns"
    for one in trace.objects("-gctrace", "-rows=" + ALL):
        unit = one.get("unit", "ns")
        if one["record"] == "goroutine":
            by_goroutine.add(one["g"], one["assists"], one["held"])
        if one["record"] == "function":
            by_function.add(one["function"].replace("unknown", "(no stack)"), one["assists"], one["held"])
        if one["record"] == "total":
            total = one
    (summary,) = trace.objects()
    if by_function:
        trace.same("collections in a summary", summary["collections_percent"], total["percent"])
        trace.same("assists in a summary", summary["assist_share"], total["assist_share"])
        name, (count, held) = max(by_function.items(), key=lambda item: item[1][1])
        assist = summary["assist"]
        if (assist is not None) != (held > summary["time"] // 100):
            fail(f"{trace.name}: {held} of {summary['time']}: {assist}")
        if assist:
            trace.same("held longest", (assist["function"], assist["assists"], assist["held"]), (name, count, held))
    profile = Profile(trace.bytes("-pprof=assist"))
    trace.same("values of -pprof=assist", profile.types, [("assists", "count"), ("time", "nanoseconds" if unit == "ns" else unit)])
    trace.same("-pprof=assist", profile.sums, by_goroutine)
    trace.same("-pprof=assist by function", profile.functions, by_function)
    for g in list(by_goroutine)[:1]:
        profile = Profile(trace.bytes("-pprof=assist", f"-g={g}"))
        trace.same("-pprof=assist of one goroutine", profile.sums, {g: by_goroutine[g]})
    for flag in ("-min=100h", "-from=100h") if unit == "ns" else ():
        if Profile(trace.bytes("-pprof=assist", flag)).sums:
            fail(f"{trace.name}: {flag}: -pprof=assist is not empty")


def sweeps(trace):
    """Of goroutines, from the events of their processors. Those of a dump can be
    later than their threads wrote."""
    if trace.flags:
        return
    begun, lengths = {}, [0]
    for line in trace.lines("-format=json", "-dump"):
        if '"name":"GCSweep' not in line:
            continue
        one = json.loads(line)
        if one["name"] in ("GCSweepBegin", "GCSweepStart"):
            begun[one["p"]] = one["ts"]
        elif one["p"] in begun:
            lengths.append(one["ts"] - begun.pop(one["p"]))
    total = [one for one in trace.objects("-gctrace") if one["record"] == "total"]
    for one in total:
        trace.same("sweeps", one["sweeps"], len(lengths) - 1)
        for name, want in (("sweep_sum", sum(lengths)), ("sweep_max", max(lengths))):
            if abs(one[name] - want) > want / 50:
                fail(f"{trace.name}: {name}: {one[name]}, want {want}")
        if (one["sweep_function"] != "") != (one["sweeps"] > 0):
            fail(f"{trace.name}: {one['sweeps']} sweeps in {one['sweep_function']}")


def summary(trace, of_slices, of_stops):
    (one,) = trace.objects()
    trace.same("slices in the summary", (one["slices"]["count"], one["slices"]["sum"]), of_slices)
    by_function = [(at["count"], at["sum"]) for at in one["functions"]]
    trace.same("slices by function", tuple(map(sum, zip(*by_function))) or (0, 0), of_slices)
    # The time of no stop is not known.
    time = of_stops[1] if of_stops[0] else -1
    trace.same("stops in the summary", (one["stops"]["measured"], one["stops"]["stopping"]), (of_stops[0], time))
    by_holder = [(at["count"], at["stopping"]) for at in one["holders"]]
    trace.same("stops by holder", tuple(map(sum, zip(*by_holder))) or (0, 0), of_stops)
    (record,) = trace.records()
    for name, value in (
        ("slices", of_slices[0]),
        ("slices_sum", of_slices[1]),
        ("stops_measured", of_stops[0]),
        ("stopping", time),
    ):
        trace.same(f"{name} of the summary as CSV", int(record[name]), value)


def check(gtrace, path, flags):
    """Returns how many slices and stops there are; None: an error."""
    trace = Trace(gtrace, path, flags)
    if trace.bytes("-diagreedy=1") is None:
        return None
    of_slices, in_timeline = slices(trace)
    of_stops = stops(trace, in_timeline)
    waits(trace)
    delays(trace, of_slices[0])
    blocks(trace)
    assists(trace)
    sweeps(trace)
    summary(trace, of_slices, of_stops)
    return of_slices[0] + of_stops[0]


def main():
    gtrace, *paths = sys.argv[1:]
    read = filtered = 0
    for path in paths:
        flags = ()
        count = check(gtrace, path, flags)
        if count is None:
            flags = ("-partial",)
            count = check(gtrace, path, flags)
        if count is None:
            continue
        # One filter each, and all of them for a few.
        for number_, filters in enumerate(FILTERS):
            if os.path.basename(path) in ("cpu.trace", "mix.trace") or number_ == read % len(FILTERS):
                passed = check(gtrace, path, flags + filters)
                filtered += 0 < passed < count
        read += 1
    if read < 0.9 * len(paths) or filtered < len(paths) // 2:
        fail(f"{read} of {len(paths)} traces, {filtered} times a filter passes some and not all")
    print(f"sums of {read} traces, and {filtered} times of what passes a filter")


if __name__ == "__main__":
    main()
