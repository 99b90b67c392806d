# SPDX-License-Identifier: BSD-3-Clause
"""formats.py GTRACE README SCRATCH TRACE... - JSON and CSV through Python's json
and csv, timelines and profiles: each line is valid, the fields are those that
README describes, and slices, stops, events and summaries are the same in all
formats; of traces as they are, cut off and damaged, and with names of any bytes,
which are written to SCRATCH."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import tempfile

import loader

ALL = loader.ALL
ON_CPU = ("on_cpu", "preempted", "asleep")
RECORDED = (*ON_CPU, "last_own_on_cpu")
CONTROL = re.compile("[\x00-\x1f\x7f]")


def described(path):
    """The fields of each table, and their types, by heading and format."""
    tables, heading = {}, None
    for line in open(path, encoding="utf-8"):
        match = re.match(r"#+ (.*)", line)
        if match:
            heading = match.group(1)
        match = re.match(
            r"\| `([\w ]+)` \| (\w+) \|(?: (JSON|CSV|JSON, CSV) \|)?", line)
        if match:
            name, kind, formats = match.groups()
            for format_ in (formats or "JSON").split(", "):
                key = (heading + " as CSV" if format_ == "CSV" else heading)
                tables.setdefault(key, {})[name] = kind
    return tables


def same_names(heading, printed, table):
    """What is printed has the fields of a table of README, in their order."""
    extra = [name for name in printed if name not in table]
    lost = [name for name in table if name not in printed]
    assert not extra, "%s: not in c/tools/README.md: %s" % (heading, extra)
    assert not lost, "%s: in c/tools/README.md, but not printed: %s" % (
        heading, lost)
    assert printed == table, "%s: not in the order of c/tools/README.md: %s" % (
        heading, printed)


class Check:
    def __init__(self, gtrace, readme):
        self.gtrace = gtrace
        self.tables = described(readme)
        self.seen = {}
        self.shapes = {}

    def run(self, *arguments):
        return loader.Trace(self.gtrace, arguments[-1]).bytes(*arguments[:-1])

    def value(self, kind, value, where):
        right = {
            "string": isinstance(value, str),
            "flag": isinstance(value, bool),
            "number": type(value) is int,
            "count": type(value) is int and value >= -1,
            "id": type(value) is int,
            "ns": type(value) is int,
            "us": type(value) is float and value >= 0,
            "mean": type(value) is float and value >= 0,
            "array": isinstance(value, list),
            "stack": isinstance(value, list),
            "object": value is None or isinstance(value, dict),
        }
        assert right[kind], (where, value)

    def shape(self, heading, record, optional):
        """RECORD has the fields of the table, in their order, of their types.
        Returns the names of those that are numbers and of those that are
        stacks."""
        table = self.tables[heading]
        same_names(heading, list(record),
                   [name for name in table
                    if name in record or name not in optional])
        self.seen.setdefault(heading, set()).update(record)
        for name, value in record.items():
            self.value(table[name], value, (heading, name))
        return [[name for name in record if table[name] == kind]
                for kind in ("number", "stack")]

    def fields(self, heading, record, optional=()):
        """The same, and numbers are not negative. Most records have the shape
        of another one, which is looked at once."""
        key = (heading, *record, *map(type, record.values()))
        if key not in self.shapes:
            self.shapes[key] = self.shape(heading, record, optional)
        numbers, stacks = self.shapes[key]
        for name in numbers:
            assert record[name] >= 0, (heading, name, record[name])
        for name in stacks:
            for frame in record[name]:
                self.fields("Frames", frame)

    def json(self, heading, text, optional):
        lines = text.decode("utf-8").split("\n")
        assert lines.pop() == ""
        records = [json.loads(line) for line in lines]
        for record in records:
            self.fields(heading, record, optional)
        return records

    def csv(self, heading, text):
        lines = text.decode("utf-8").split("\r\n")
        assert lines.pop() == ""
        # A record is a line: no control character is left.
        for line in lines:
            assert not CONTROL.search(line), line
        rows = csv.reader(io.StringIO("\r\n".join(lines), newline=""),
                          strict=True)
        names = next(rows)
        same_names(heading, names,
                   [name for name in self.tables[heading]
                    if name in names or name not in RECORDED])
        self.seen.setdefault(heading, set()).update(names)
        records = []
        for row in rows:
            assert len(row) == len(names), row
            records.append(dict(zip(names, row)))
        assert len(records) + 1 == len(lines)
        return records

    def same(self, objects, records, names):
        """What both formats have is equal."""
        assert len(objects) == len(records)
        for one, other in zip(objects, records):
            for name in names:
                value = one[name]
                if isinstance(value, bool):
                    value = "true" if value else "false"
                assert str(value) == other[name] or "\ufffd" in other[name], (
                    name, value, other[name])

    def slices(self, path, flags):
        flags = [*flags, "-diagreedy=" + ALL]
        text = self.run(*flags, path)
        objects = self.run(*flags, "-format=json", path)
        records = self.run(*flags, "-format=csv", path)
        assert (text is None) == (objects is None) == (records is None), path
        if text is None:
            return 0
        objects = self.json("Slices", objects, (
            "unit", "trace", "delay", "off_cpu_likely") + ON_CPU)
        records = self.csv("Slices as CSV", records)
        for one in objects:
            for end in (one["started_by"], one["ended_by"]):
                if end is not None:
                    self.fields("Events that start and end slices", end)
            for samples in one["samples"]:
                self.fields("CPU samples", samples)
            assert one["duration"] == one["end"] - one["start"]
            assert 0 <= one["own"] <= one["duration"] or self.hostile
            assert (0 <= one["off_cpu_min"] <= one["silent"] <= one["duration"] or
                    self.hostile)
            assert (one["ended_by"] is None) == one["still_running"]
        self.same(objects, records,
                  ("trace", "duration", "own", "off_cpu_min", "start", "end", "m", "p", "g",
                   "function", "system", "still_running", "syscalls",
                   "syscall_ns"))
        lengths = re.findall(rb"(?m)^\t(-?\d+)(?:ns -> | ticks)", text)
        if not self.hostile:
            assert [int(x) for x in lengths] == [
                one["duration"] for one in objects], path
        return sum(one["duration"] for one in objects)

    def waits(self, path, flags):
        delays = self.run(*flags, "-delay=" + ALL, "-format=json", path)
        flags = [*flags, "-wait=" + ALL]
        objects = self.run(*flags, "-format=json", path)
        records = self.run(*flags, "-format=csv", path)
        assert (objects is None) == (records is None) == (delays is None)
        if objects is None:
            return
        for one in self.json("Slices", delays, (
                "unit", "trace", "off_cpu_likely") + ON_CPU):
            assert one["delay"] > 0
        objects = self.json("Waits", objects, ("unit", "trace", "began"))
        records = self.csv("Waits as CSV", records)
        for one, other in zip(objects, records):
            for kept in one["kept"]:
                self.fields("Slices that kept processors", kept)
            parts = one["busy"] + one["idle"] + one["stopped"]
            assert one["wait"] == parts or self.hostile
            assert str(len(one["kept"])) == other["kept"]
            if one["kept"]:
                assert str(one["kept"][0]["g"]) == other["first_g"]
        self.same(objects, records,
                  ("trace", "ts", "start", "g", "wait", "busy", "idle",
                   "stopped", "whole", "before", "over", "event", "reason",
                   "m", "p", "by", "ran", "ran_p", "kept_more",
                   "kept_more_overlap", "kept_none"))

    def blocks(self, path, flags):
        flags = [*flags, "-block=" + ALL]
        objects = self.run(*flags, "-format=json", path)
        records = self.run(*flags, "-format=csv", path)
        assert (objects is None) == (records is None)
        if objects is None:
            return
        objects = self.json("Blocks", objects, ("unit", "trace", "began"))
        records = self.csv("Blocks as CSV", records)
        for one, other in zip(objects, records):
            ended = one["ended_more"]
            for ender in one["enders"]:
                self.fields("Who ended blocks", ender)
            for holder in one["holders"]:
                self.fields("Who held a lock", holder)
                for part in holder["parts"]:
                    self.fields("What a holder did", part)
                ended += ender["count"]
            if one["kind"] != "system call":
                assert one["count"] - ended >= one["unfinished"], (path, one)
            if one["enders"]:
                assert str(one["enders"][0]["sum"]) == other["first_sum"]
        self.same(objects, records,
                  ("trace", "kind", "rest", "count", "sum", "median", "p99",
                   "max", "start", "g", "lost", "before", "unfinished",
                   "ended_more", "ended_more_sum"))

    TIMES = ("ran", "assisted", "ready", "lock", "wait_group", "condition",
             "send", "receive", "select", "network", "sleep", "syscall",
             "assist", "collection", "other", "ended")

    def lives(self, path, flags, flag, heading, names):
        """Reports of what has lived, whose parts add up, also in text."""
        text = self.run(*flags, flag, "-format=text", path)
        objects = self.run(*flags, flag, "-format=json", path)
        records = self.run(*flags, flag, "-format=csv", path)
        assert (text is None) == (objects is None) == (records is None)
        if objects is None:
            return []
        objects = self.json(heading, objects, ("unit", "trace", "g"))
        records = self.csv(heading + " as CSV", records)
        self.same(objects, records,
                  ("count", "lived", "lost") + self.TIMES + names)
        for one in objects:
            assert one["lived"] == sum(one[name] for name in self.TIMES)
        lines = [line for line in re.findall(
            rb"(?:lived|sum|Ts: \d+) ([\d.]+(?:us| ticks)[^\n]*)\n", text)
            if b"for a processor" not in line]
        for line in lines if not self.hostile else ():
            first, *rest = [int(x.replace(b".", b"")) for x in re.findall(
                rb"([\d.]+)(?:us| ticks)(?=[:,]|$)", line)]
            assert first == sum(rest), (path, line)
        assert len(lines) >= len(objects) or self.hostile
        return objects

    def goroutines(self, path, flags):
        objects = self.lives(path, flags, "-goroutines=" + ALL, "Goroutines",
                             ("fn",))
        for one in objects:
            self.fields("Longest block or wait", one["longest_block"],
                        ("length",))
            self.fields("Longest block or wait", one["longest_wait"],
                        ("length", "kind"))
        if objects and not flags and "length" in objects[0]["longest_wait"]:
            g = objects[0]["longest_wait"]["g"]
            one, = self.lives(path, ["-g=%d" % g], "-goroutines=1",
                              "Goroutines", ("fn", "g"))
            assert one["g"] == g and one["count"] == 1 or self.hostile

    def requests(self, path, flags):
        objects = self.lives(path, flags, "-requests=" + ALL, "Requests",
                             ("what", "name", "median", "p99", "max"))
        for one in objects:
            assert one["count"] == len(one["longest"])
            assert one["lived"] == sum(x["length"] for x in one["longest"])
            for request in one["longest"]:
                self.fields("Single requests", request)
                for part in request["parts"]:
                    self.fields("Parts of requests", part)
                assert request["length"] == sum(
                    part["time"] for part in request["parts"])

    def following(self, path, flags):
        """Traces up to Go 1.21, and damaged ones, are not followed."""
        del flags
        text = self.run("-follow", "-format=json", path)
        for one in self.json("Following", text or b"",
                             {"start", "recent", "worst"}):
            for function in one["functions"]:
                self.fields("Followed functions", function)
            for name in ("recent", "worst"):
                if name in one:
                    self.fields("Followed findings", one[name],
                                {"start", "command"})

    def paths(self, path, flags):
        """Paths have no gaps, in CSV their segments are the same, and what
        requests are compared by adds up."""
        flags = [*flags, "-critical-path=1000"]
        objects = self.run(*flags, "-format=json", path)
        records = self.run(*flags, "-format=csv", path)
        assert (objects is None) == (records is None)
        if objects is None:
            return
        segments = []
        for line in objects.decode("utf-8").splitlines():
            one = json.loads(line)
            if "rows" in one:
                self.fields("Slow and typical requests", one, ("unit",))
                for row in one["rows"]:
                    self.fields("Rows of slow and typical requests", row,
                                ("cause",))
                    if "cause" in row:
                        self.fields("Waits of requests", row["cause"])
                for name in ("slow", "typical"):
                    assert one[name] == sum(row[name] for row in one["rows"])
                continue
            self.fields("Critical paths", one, ("unit",))
            at = one["start"]
            for segment in one["segments"]:
                self.fields("Segments", segment, ("cause",))
                if "cause" in segment:
                    self.fields("Causes of segments", segment["cause"])
                assert ("cause" in segment) == (segment["level"] > 0)
                assert segment["start"] == at and segment["length"] > 0
                at += segment["length"]
                segments.append({**segment, "what": one["what"],
                                 "name": one["name"], "trace": one["trace"],
                                 "path_start": one["start"],
                                 "path_length": one["length"],
                                 "path_g": one["g"]})
            assert at == one["start"] + one["length"], path
        self.same(segments, self.csv("Segments as CSV", records),
                  ("trace", "what", "name", "path_start", "path_length",
                   "path_g", "start", "length", "g", "state", "kind", "by",
                   "level"))

    def collections(self, path, flags):
        kinds = {"collection": "Collections", "total": "Total of collections",
                 "function": "Functions that assisted",
                 "goroutine": "Goroutines that assisted"}
        objects = self.run(*flags, "-gctrace", "-format=json", path)
        records = self.run(*flags, "-gctrace", "-format=csv", path)
        if objects is None:
            return
        found = []
        for line in objects.decode("utf-8").splitlines():
            one = json.loads(line)
            self.fields(kinds[one["record"]], one, (
                "unit", "outside", "outside_runnable"))
            if one["record"] == "collection":
                found.append(one)
        self.same(found, self.csv("Collections as CSV", records),
                  [name for name in (found or [{}])[0]
                   if name not in ("record", "unit")])
        samples = self.json("Scheduler", self.run(
            *flags, "-schedtrace=3ms", "-format=json", path), ("unit",))
        self.same(samples, self.csv("Scheduler as CSV", self.run(
            *flags, "-schedtrace=3ms", "-format=csv", path)), [
                name for name in (samples or [{}])[0] if name != "unit"])

    def stops(self, path, flags):
        flags = [*flags, "-stw=" + ALL]
        objects = self.run(*flags, "-format=json", path)
        records = self.run(*flags, "-format=csv", path)
        assert (objects is None) == (records is None), path
        if objects is None:
            return
        objects = self.json(
            "Stop-the-world pauses", objects,
            ("unit", "trace", "requested_min", "requested_max", "sampled"))
        records = self.csv("Stop-the-world pauses as CSV", records)
        for one, other in zip(objects, records):
            for late in one["late"]:
                self.fields("Late processors", late, ("own_on_cpu",))
            for sampled in one.get("sampled", ()):
                self.fields("Sampled processors", sampled)
            assert str(len(one["late"])) == other["late"]
            if one["late"]:
                assert str(one["late"][0]["p"]) == other["last_p"]
        self.same(objects, records,
                  ("trace", "n", "kind", "ts", "p", "g", "requested",
                   "obtained", "restarting", "restarted", "ended", "stopping",
                   "stopped", "total", "waited", "procs", "idle", "measured",
                   "inferred"))

    def events(self, path, flags):
        objects = self.run(*flags, "-dump", "-format=json", path)
        records = self.run(*flags, "-dump", "-format=csv", path)
        assert (objects is None) == (records is None), path
        if objects is None:
            return
        objects = self.json("Events", objects, ("unit", "trace", "began"))
        records = self.csv("Events as CSV", records)
        self.same(objects, records,
                  ("trace", "n", "offset", "type", "name", "ts", "m", "p", "g",
                   "stack_id", "link"))
        for one, other in zip(objects, records):
            for i, value in enumerate(one["args"]):
                assert str(value) == other["arg%d" % (i + 1)]

    def summary(self, path, flags):
        text = self.run(*flags, "-format=json", path)
        record = self.run(*flags, "-format=csv", path)
        assert (text is None) == (record is None), path
        if text is None:
            return
        (one,) = self.json("Summary", text, ("unit", "trace", "began"))
        self.fields("Lengths of slices", one["slices"])
        self.fields("Pauses in a summary", one["stops"])
        self.fields("Waits in a summary", one["waits"])
        self.fields("Delays in a summary", one["delays"])
        self.fields("The machine", one["machine"])
        for stretch in one["machine"]["stretches"]:
            self.fields("Stretches of time", stretch)
        if one["assist"]:
            self.fields("Assists in a summary", one["assist"])
        assert self.hostile or one["waits"]["sum"] == sum(
            one["waits"][part] for part in ("busy", "idle", "stopped")), path
        for heading, field in (
                ("Longest slices", "longest_slices"),
                ("Longest pauses", "longest_stops"),
                ("Functions", "functions"), ("Holders", "holders"),
                ("Findings", "findings")):
            for entry in one[field]:
                self.fields(heading, entry)
                assert (field == "findings" or
                        entry["work"] != "unknown" or
                        entry["fn"] == ""), entry
        for place in one["at_rest"]:
            self.fields("Places of a finding", place)
        for finding in one["findings"]:
            self.fields("Parts of a finding", finding["parts"])
            for place in finding["victims"]:
                self.fields("Places of a finding", place)
        records = self.csv("Summary as CSV", record)
        self.same([one], records,
                  ("trace", "headline", "explanation", "version", "length",
                   "procs", "goroutines", "goroutines_created",
                   "goroutines_alive", "events", "collections",
                   "collecting", "tracer", "tracer_sum", "tracer_max", "time",
                   "idle"))
        for part, prefix, names in (
                ("slices", "slices_", ("sum", "median", "p99", "p999", "max")),
                ("stops", "stops_", ("measured", "unmeasured", "inferred")),
                ("stops", "stopping_", ("median", "p99", "max")),
                ("stops", "", ("stopping", "stopped")),
                ("waits", "waits_", [name for name in one["waits"] if not name.startswith("cut_")]),
                ("delays", "delay_", one["delays"]),
                ("machine", "machine_", [name for name in one["machine"] if name != "stretches"])):
            for name in names:
                value = one[part][name]
                if isinstance(value, bool):
                    value = str(value).lower()
                assert str(value) == records[0][prefix + name], name
        assert str(one["slices"]["count"]) == records[0]["slices"]

    def screen(self, *arguments):
        """What is for people has no control character of a name."""
        text = self.run(*arguments)
        if text is not None:
            assert not SPECIAL.search(text.decode("utf-8")), arguments

    def terminal(self, path, flags):
        """Nor has any text that a terminal gets, of any kind."""
        for what in TERMINAL:
            screen, writer = pty.openpty()
            with subprocess.Popen(
                    (self.gtrace, *flags, *what, path, path),
                    stdin=subprocess.DEVNULL, stdout=writer,
                    stderr=writer) as process:
                os.close(writer)
                text = b""
                try:
                    while piece := os.read(screen, 65536):
                        text += piece
                except OSError:  # the other side was closed
                    pass
                os.close(screen)
            text = text.replace(b"\r\n", b"\n").decode("utf-8", "replace")
            assert text and not SPECIAL.search(text.replace("\t", "")), what

    def comparison(self, path, flags):
        self.screen(*flags, path)
        self.screen(*flags, "-compare", path, OTHER)
        text = self.run(*flags, "-compare", "-format=json", path, OTHER)
        if text is None:
            return
        (one,) = self.json("Comparison", text, ())
        for side in ("old", "new"):
            self.fields("Traces in a comparison", one[side])
            self.fields("Lengths of slices", one[side]["slices"])
            self.fields("Pauses in a comparison", one[side]["stops"])
            self.fields("Waits in a summary", one[side]["waits"])
            self.fields("Delays in a summary", one[side]["delays"])
            self.fields("The machine in a comparison", one[side]["machine"])
        for field, optional in (("functions", ()), ("delays", ("max",)),
                                ("holders", ("max",)), ("blocks", ()),
                                ("findings", ())):
            for entry in one[field]:
                self.fields("Changes", entry, ("work",) if field in ("blocks", "findings") else ("kind",))
                assert entry["change"] == (
                    entry["new"]["rate"] - entry["old"]["rate"])
                for side in ("old", "new"):
                    assert ("max" in entry[side]) != bool(optional)
                    self.fields("Amounts", entry[side], optional)

    def worse(self, path, flags):
        """-noise: objects of their own after that of the comparison."""
        done = subprocess.run(
            [self.gtrace, *flags, "-compare", "-noise=1%", "-max-wait=1ns",
             "-format=json", OTHER, path], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=False)
        lines = done.stdout.splitlines()[1:]
        assert done.returncode in (1, 3 if lines else 0), done.returncode
        self.json("What is worse", b"".join(line + b"\n" for line in lines), ())

    def timeline(self, path, flags):
        text = self.run(*flags, "-timeline", path)
        if text is None:
            return
        # With any bytes in the names, an event is a line.
        lines = text.decode("utf-8").split("\n")
        one = json.loads(text)
        assert len(one["traceEvents"]) == len(lines) - 3, path
        self.fields("Timeline", one)
        for event in one["traceEvents"]:
            if event["ph"] == "M":
                self.fields("Names in a timeline", event)
                continue
            if event["ph"] == "C":
                self.fields("Counters in a timeline", event)
                continue
            if event["ph"] in ("s", "t", "f"):
                self.fields("Flows in a timeline", event, ("bp",))
                continue
            self.fields("Spans", event, ("args",))
            place = ("fn", "file", "line", "caller")
            if event["name"] == "no goroutine":
                self.fields("Times without a goroutine in a timeline", event["args"])
            elif event["pid"] == 1:
                self.fields("Slices in a timeline", event["args"],
                            ("m", "silent", "silent_class", "off_cpu_min",
                             "off_cpu_likely") + place)
            elif event["pid"] == 3:
                self.fields("Blocks in a timeline", event["args"],
                            ("ended by", "by") + place)
            elif event["pid"] == 4:
                self.fields("Paths in a timeline", event["args"],
                            ("kind", "ended by", "held up", "at") + place)
            elif event["tid"] == 2:
                self.fields("Pauses in a timeline", event["args"],
                            ("p", "g") + place)

    def profiles(self, path, flags):
        table = self.tables["Profiles"]
        for what in ("greedy", "stw", "wait", "delay", "block", "unblock",
                     "assist", "path"):
            data = self.run(*flags, "-pprof=" + what, path)
            if data is None:
                continue
            profile = loader.Profile(data)
            found = dict(profile.types)
            for sample in profile.samples:
                for name, value in sample.labels.items():
                    found[name] = "string" if isinstance(value, str) else "number"
            for name, kind in found.items():
                assert table[name] == kind or kind == "ticks", (name, kind)
            self.seen.setdefault("Profiles", set()).update(found)

    def sched(self, path, flags):
        """With a record in which all threads are on CPUs all the time, but for
        that of the longest slice, which is preempted at once."""
        greedy = (*flags, "-diagreedy=" + ALL, "-format=json", path)
        slices = [json.loads(line)
                  for line in (self.run(*greedy) or b"").splitlines()]
        threads = {one["m"] for one in slices}
        if self.hostile or not threads or -1 in threads:
            return
        longest = slices[0]
        rows = [(-10 ** 9, 10 ** 17, m) for m in threads - {longest["m"]}]
        rows += [(-10 ** 9, longest["start"] + 1, longest["m"]),
                 (longest["end"], 10 ** 17, longest["m"])]
        with tempfile.NamedTemporaryFile("w") as table:
            table.write("from\tto\tthread\tcpu\tstate_at_end\n")
            for start, end, m in sorted(rows):
                table.write("%d\t%d\t%d\t%d\tR\n" % (start, end, m, m))
            table.flush()
            flags = (*flags, "-sched=" + table.name)
            profile = loader.Profile(self.run(*flags, "-pprof=cpu", path))
            flags = (*flags, "-format=json")
            slices = self.run(*flags, "-by=cpu", *greedy)
            self.csv("Slices as CSV", self.run(
                *flags, "-diagreedy=1", "-format=csv", path))
            stops = self.run(*flags, "-stw=" + ALL, path)
            records = self.csv("Stop-the-world pauses as CSV", self.run(
                *flags, "-stw=" + ALL, "-format=csv", path))
            summary = self.run(*flags, path)
        slices = self.json("Slices", slices, (
            "unit", "trace", "delay", "off_cpu_likely"))
        for one in slices:
            rest = 0
            if (one["start"], one["m"]) == (longest["start"], longest["m"]):
                rest = one["duration"] - 1
            assert [one[name] for name in ON_CPU] == [
                one["duration"] - rest, rest, 0]
        assert [sum(sample.values[at] for sample in profile.samples)
                for at in (0, 1)] == [
                    len(slices), sum(one["on_cpu"] for one in slices)]
        stops = self.json("Stop-the-world pauses", stops, (
            "unit", "trace", "requested_min", "requested_max", "sampled"))
        for one, other in zip(stops, records):
            for late in one["late"]:
                self.fields("Late processors", late)
                assert (late["own_on_cpu"] == late["own"] or
                        late["g"] == longest["g"])
            if one["late"]:
                assert other["last_own_on_cpu"] == str(
                    one["late"][0]["own_on_cpu"])
        (one,) = self.json("Summary", summary, ("unit", "trace", "began"))
        self.fields("CPUs of a summary", one["cpu"])

    def accounts(self, path, flags):
        """With accounts of threads that had no CPU."""
        with tempfile.NamedTemporaryFile("w") as table:
            table.write("before 1 5 5 1\nafter 1 5 5 1\n")
            table.flush()
            summary = self.run(
                *flags, "-threads=" + table.name, "-format=json", path)
        if summary is None:
            return
        (one,) = self.json("Summary", summary, ("unit", "trace", "began"))
        self.fields("Accounts of threads", one["threads"])

    def all(self, path, hostile):
        self.hostile = hostile
        flags = [] if self.run("-diagreedy=1", path) else ["-partial"]
        for check in (self.slices, self.waits, self.blocks, self.goroutines,
                      self.requests, self.following, self.paths,
                      self.collections, self.stops, self.events, self.summary,
                      self.comparison, self.worse, self.timeline, self.profiles,
                      self.sched, self.accounts):
            check(path, flags)
        if hostile:
            self.terminal(path, flags)

    def complete(self):
        """Every field that is described was seen."""
        for heading, table in self.tables.items():
            missing = set(table) - self.seen.get(heading, set())
            assert missing <= {"unit"}, (
                "%s: in c/tools/README.md, but in no report that was made: %s"
                % (heading, missing - {"unit"}))


# What a terminal could take for a command, or a person for nothing.
SPECIAL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f"
                     "\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")

# All that is text, reports and messages.
TERMINAL = tuple(what.split() for what in (
    "-diagreedy=9", "-dump", "-stw=9 -wait=9 -delay=9 -block=9",
    "-goroutines=9 -requests=9 -gctrace -schedtrace=1ms", "-format=json",
    "-diagreedy=9 -dump -format=json", "-max-slice=1ns -max-wait=1ns",
    "-max-stop=1ns -max-block=1us", "-compare", "-func=\u202e(",
    "-files-from=\u202e\x1b[m"))

# Traces are compared with this one.
OTHER = "testdata/stops/go1.27_copy.trace"

# The traces that are read in other variants too.
VARIED = ("cpu.trace", "gc.trace", "http.trace")

# Parts of names, and what takes their places.
NAMES = (
    (b"main.", b'"\n\xff,\x00'),
    (b"net/http.", b"\xc2\x9bm\xe2\x80\xaex/y"),
    (b"sync.", b"\xe2\x80\x8b\xc2\xad"),
    (b"runtime.", b"\\\r\xe2\x82'\x7f\x1b;"),
    (b"/usr/", b"\xed\xa0\x80\t "),
)


def variants(path, scratch):
    """PATH with other names, cut off, and with a byte in the middle changed."""
    with open(path, "rb") as file:
        data = file.read()
    names = data
    for old, new in NAMES:
        names = names.replace(old, new)
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 0x55
    for number, bytes_ in enumerate((names, data[:-(len(data) // 3)], damaged)):
        name = os.path.join(scratch, "%d, \"%s\"" % (
            number, os.path.basename(path)))
        with open(name, "wb") as file:
            file.write(bytes_)
        yield name


def main():
    gtrace, readme, scratch, *traces = sys.argv[1:]
    check = Check(gtrace, readme)
    count = 0
    for path in traces:
        check.all(path, False)
        if os.path.basename(path) not in VARIED:
            continue
        for name in variants(path, scratch):
            check.all(name, True)
            os.remove(name)
            count += 1
    check.complete()
    print("%d traces, %d made of them" % (len(traces), count))


main()
