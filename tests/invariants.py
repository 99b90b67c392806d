# SPDX-License-Identifier: BSD-3-Clause
"""invariants.py GTRACE ALL... -- SOME... - what holds for the outputs of any trace:
slices, stop-the-world pauses, waits, blocks and mark assists have the same number, time
and names in text, JSON, CSV, profiles, timelines, summaries, pages, verdicts and
comparisons, and the longest ones are the first of all. The names are looked at in all
of the traces ALL, and the rest in SOME of them, also with filters."""

import collections
import csv
import html
import io
import json
import os
import re
import sys
import tempfile

from loader import ALL, Trace, fail

# Each trace is read without filters and with some of these.
FILTERS = (
    ("-user",),
    ("-p=0,2",),
    ("-min=3us",),
    ("-func=^(main|net/http)[.]",),
    ("-from=300us", "-to=2ms"),
    ("-g=1,5,6,7,8", "-min=500ns"),
)


class Sums(collections.defaultdict):
    """How many there are, and their time, by a key."""

    def __init__(self, items=()):
        super().__init__(lambda: [0, 0])
        for key, count, time in items:
            self[key][0] += count
            self[key][1] += time

    def __repr__(self):
        return repr(dict(self))

    def total(self):
        return sum(one[0] for one in self.values()), sum(one[1] for one in self.values())

    def by_count(self):
        return {key: count for key, (count, _) in self.items() if count}

    def by_time(self):
        return {key: time for key, (_, time) in self.items() if time}


# -------------------------------------------------------------------- sums --


def of_profile(trace, what, name, *arguments):
    """The sums of a profile by its labels, or by the functions where stacks end."""
    profile = trace.profile(what, *arguments)
    trace.same("values of -pprof=" + what, profile.types, [(name, "count"), ("time", "nanoseconds" if trace.unit() == "ns" else trace.unit())])
    if len(profile.comments) != 1 or " by the stack " not in profile.comments[0]:
        fail(f"{trace.name}: comments of -pprof={what}: {profile.comments}")
    key = lambda labels: labels.get("goroutine", labels.get("kind", labels.get("phase")))  # noqa: E731
    return (
        Sums((key(one.labels), *one.values) for one in profile.samples),
        Sums((one.stack[0].function, *one.values) for one in profile.samples),
    )


class Record(dict):
    """A record of CSV, whose fields are as JSON has them."""

    def __getitem__(self, name):
        value = super().__getitem__(name)
        return {"true": True, "false": False}.get(value, int(value) if re.fullmatch(r"-?\d+", value) else value)


def digits(text):
    return int(text.replace(".", ""))


def text_of_slices(lines):
    lengths = [int(found[1]) for found in (re.match(r"\t(\d+)(?:ns -> | ticks$)", line) for line in lines) if found]
    return len(lengths), sum(lengths)


def text_of_blocks(lines):
    heads = [re.match(r"(?:blocked|at rest) (\d+) times? ([0-9.]+)(?:us| ticks)", line) for line in lines]
    return Sums((None, int(head[1]), digits(head[2])) for head in heads if head).total()


def text_of_waits(lines):
    (head,) = (line for line in lines if line.startswith("waits for a processor: "))
    return int(head.split()[4])


def text_of_stops(lines):
    (head,) = (line for line in lines if line.startswith("stops of the world: "))
    return int(re.search(r"\d+", head)[0])


# A list, what its rows add up, what its text says of that (all, or the number
# alone), and profiles with the same sums by goroutine or kind.
List = collections.namedtuple("List", "name flag of text profiles")
LISTS = (
    List("slices", "-diagreedy=" + ALL, lambda one: (one["g"], 1, one["duration"]), text_of_slices, ("greedy",)),
    List("stops", "-stw=" + ALL, lambda one: ("", 1, one["stopping"]) if one["measured"] else None, text_of_stops, ()),
    List("waits", "-wait=" + ALL, lambda one: (one["g"], 1, one["wait"]) if one["whole"] else None, text_of_waits, ("wait",)),
    List("blocks", "-block=" + ALL, lambda one: (one["kind"], one["count"], one["sum"]), text_of_blocks, ("block", "unblock")),
)


def sums_of(trace, name):
    (a_list,) = (one for one in LISTS if one.name == name)
    return Sums(filter(None, map(a_list.of, trace.objects(a_list.flag))))


def lists(trace):
    """Each list has the same sums in each format."""
    for a_list in LISTS:
        # Blocks are on no processor.
        if a_list.name == "blocks" and any(flag.startswith("-p=") for flag in trace.flags):
            continue
        want = sums_of(trace, a_list.name)
        records = list(map(Record, trace.records(a_list.flag)))
        trace.same(a_list.name + " as CSV", Sums(filter(None, map(a_list.of, records))), want)
        trace.same(a_list.name + ": units", {one.get("unit", "ns") for one in records + trace.objects(a_list.flag)} <= {trace.unit()}, True)
        # But for slices it is in the lines before the list.
        text = a_list.text(trace.lines("-format=text", a_list.flag if a_list.name == "slices" else a_list.flag.replace(ALL, "1")))
        trace.same(a_list.name + " as text", text, want.total() if isinstance(text, tuple) else want.total()[0])
        for what in a_list.profiles:
            trace.same("-pprof=" + what, of_profile(trace, what, a_list.name)[0], want)


def stops(trace):
    """How many of each sort there are, and the phases of those that are measured."""
    found = trace.objects("-stw=" + ALL)
    sort = lambda one: 0 if one["measured"] else 2 if one["inferred"] else 1  # noqa: E731
    count = [sum(sort(one) == number for one in found) for number in range(3)]
    heads = [line for line in trace.lines("-format=text", "-stw=1") if line.startswith("stops of the world: ")]
    trace.same("stops as text", [[int(n) for n in re.findall(r"\d+", line)] for line in heads], [count])
    phases = Sums()
    for one in (one for one in found if one["measured"]):
        restarting = one["restarting"] if one["restarting"] != -1 else one["ended"]
        phases["stopping"][0] += 1
        phases["stopping"][1] += one["stopping"]
        phases["stopped"][1] += restarting - one["obtained"]
        phases["restarting"][1] += one["ended"] - restarting
    profile = of_profile(trace, "stw", "stops")[0]
    trace.same("phases in -pprof=stw", profile.by_time(), phases.by_time())
    trace.same("stops in -pprof=stw", profile.total()[0], count[0])


def is_slice(event):
    """Processors have slices, and times without a goroutine."""
    return event["ph"] == "X" and event["pid"] == 1 and event["cat"] != "without a goroutine"


def timeline(trace):
    """Trace events have no ticks."""
    events = trace.timeline()
    if events is None:
        trace.same("unit without a timeline", trace.unit() != "ns" or not sums_of(trace, "slices"), True)
        return
    spans = [one for one in events if one["ph"] == "X"]
    in_timeline = Sums((one["args"]["g"], 1, one["dur"]) for one in spans if is_slice(one))
    trace.same("slices in -timeline", in_timeline, sums_of(trace, "slices"))
    found = {(one["args"]["n"], one["name"]): one["dur"] for one in spans if one["name"] in ("stopping", "stopped")}
    for one in trace.objects("-stw=" + ALL):
        for part in ("stopping", "stopped") if one["measured"] else ():
            trace.same("a stop in -timeline", found[one["n"], part], one[part])


def delays(trace):
    """What slices lack as JSON is less than a nanosecond each."""
    rows = trace.objects("-diagreedy=" + ALL, "-wait=1")
    want = Sums((one["g"], 1, one["delay"]) for one in rows if one.get("delay", 0) > 0)
    profile = of_profile(trace, "delay", "slices")[0]
    least, time = want.total()[1], profile.total()[1]
    trace.same("slices in -pprof=delay", profile.by_count(), want.by_count())
    trace.same("time in -pprof=delay", least <= time <= least + sums_of(trace, "slices").total()[0], True)
    if trace.flags in ((), ("-partial",)):
        (head,) = (line for line in trace.lines("-format=text", "-delay=1") if line.startswith("delay: "))
        behind = re.search(r" busy: ([0-9.]+)(?:us| ticks) behind slices", head)[1]
        trace.same("-pprof=delay", time, digits(behind))


def assists(trace):
    """Of the filters, -gctrace takes other ones, or reads them differently."""
    if trace.flags:
        return
    rows = collections.defaultdict(list)
    for one in trace.objects("-gctrace", "-rows=" + ALL):
        rows[one["record"]].append(one)
    by_goroutine = Sums((one["g"], one["assists"], one["held"]) for one in rows["goroutine"])
    by_function = Sums((one["function"].replace("unknown", "(no stack)"), one["assists"], one["held"]) for one in rows["function"])
    (summary,) = trace.objects()
    if by_function:
        (total,) = rows["total"]
        trace.same("collections in a summary", summary["collections_percent"], total["percent"])
        trace.same("assists in a summary", summary["assist_share"], total["assist_share"])
        name, (count, held) = max(by_function.items(), key=lambda item: item[1][1])
        assist = summary["assist"]
        trace.same(f"assist of {held} in {summary['time']}", assist is not None, held > summary["time"] // 100)
        if assist:
            trace.same("held longest", (assist["function"], assist["assists"], assist["held"]), (name, count, held))
    trace.same("-pprof=assist", of_profile(trace, "assist", "assists"), (by_goroutine, by_function))
    for g in list(by_goroutine)[:1]:
        trace.same("-pprof=assist of one goroutine", of_profile(trace, "assist", "assists", f"-g={g}")[0], {g: by_goroutine[g]})
    for flag in ("-min=100h", "-from=100h") if trace.unit() == "ns" else ():
        trace.same("-pprof=assist " + flag, trace.profile("assist", flag).samples, [])


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
    for one in (one for one in trace.objects("-gctrace") if one["record"] == "total"):
        trace.same("sweeps", one["sweeps"], len(lengths) - 1)
        for name, want in (("sweep_sum", sum(lengths)), ("sweep_max", max(lengths))):
            if abs(one[name] - want) > want / 50:
                fail(f"{trace.name}: {name}: {one[name]}, want {want}")
        trace.same(f"{one['sweeps']} sweeps in a function", one["sweep_function"] != "", one["sweeps"] > 0)


def summary(trace):
    (one,), (record,) = trace.objects(), trace.records()
    of_slices, of_stops = sums_of(trace, "slices").total(), sums_of(trace, "stops").total()
    # The time of no stop is not known.
    time = of_stops[1] if of_stops[0] else -1
    for what, have, want in (
        ("slices", (one["slices"]["count"], one["slices"]["sum"]), of_slices),
        ("slices by function", Sums((None, at["count"], at["sum"]) for at in one["functions"]).total(), of_slices),
        ("stops", (one["stops"]["measured"], one["stops"]["stopping"]), (of_stops[0], time)),
        ("stops by holder", Sums((None, at["count"], at["stopping"]) for at in one["holders"]).total(), of_stops),
        ("slices as CSV", (int(record["slices"]), int(record["slices_sum"])), of_slices),
        ("stops as CSV", (int(record["stops_measured"]), int(record["stopping"])), (of_stops[0], time)),
    ):
        trace.same(f"{what} of the summary", have, want)


# ----------------------------------------------------------------- the ten --

TEN = 10

# The words about each slice. The order of the longest ones is that of all formats.
SPLIT = {
    "json": str.splitlines,
    # After one line, each slice begins with its length.
    "text": lambda text: re.split(r"^(?=\t\d+(?:ns -> \d| ticks$))", text, flags=re.M)[1:],
    # After one line, and that of when the trace began, that of each slice begins with
    # something else than a tab.
    "short": lambda text: re.split(r"^(?=[^\t\n])", re.sub(r"\Athe trace began at .*\n", "", text), flags=re.M)[2:],
    "csv": lambda text: [tuple(row) for row in csv.reader(io.StringIO(text, newline=""))][1:],
}


def ten(trace):
    """The ten longest slices are the first of all, but for the choice among those of equal
    length at the end. What is said of a slice does not depend on how many there are."""
    if trace.flags and trace.flags[-1] not in ("-partial", "-user", "-func=^(main|net/http)[.]"):
        return
    lengths = [one["duration"] for one in trace.objects("-diagreedy=" + ALL)]
    boundary = lengths[:TEN][-1] if lengths else 0
    longer = sum(length > boundary for length in lengths)
    trace.same("lengths", [one["duration"] for one in trace.objects(f"-diagreedy={TEN}")], lengths[:TEN])
    for kind, split in SPLIT.items():
        some, every = (
            split(trace.text("-format=" + kind, f"-diagreedy={count}", errors="surrogateescape")) for count in (TEN, ALL)
        )
        trace.same(f"slices, {kind}", (len(some), len(every)), (len(lengths[:TEN]), len(lengths)))
        chosen = collections.Counter(some)
        allowed = collections.Counter(one for one, length in zip(every, lengths) if length >= boundary)
        trace.same(f"first of all slices, {kind}", (chosen - allowed, collections.Counter(every[:longer]) - chosen), ({}, {}))


# ------------------------------------------------------------------- names --


def is_runtime(function, file):
    folder = os.path.dirname(file)
    return (
        function.startswith(("runtime.", "runtime/", "internal/runtime/"))
        or folder == "runtime"
        or folder.endswith("/src/runtime")
    )


STANDARD = frozenset(
    """archive arena bufio bytes cmp compress container context crypto database debug embed encoding errors
    expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect
    regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe
    vendor weak""".split()
)


def is_standard(function):
    first, to_host = re.match(r"[^/.]*", function)[0], re.match(r"[^/(\[]*", function)[0]
    return first in STANDARD and function != first and not (
        function[len(first)] == "." and function[len(to_host):].startswith("/")
    )


LIBRARY = frozenset("bufio compress crypto encoding fmt internal io log net sync".split())
METHODS = frozenset("Read Write Accept Peek ReadFrom WriteTo Close ReadByte Lock Unlock".split())


def is_lock(name, calls):
    word = re.match(r"([Ll]ock|[Uu]nlock)([A-Z]|$)|.*(Lock|Unlock)$", name.rsplit(".", 1)[-1])
    return word is not None and calls.startswith(("sync.(*Mutex).", "sync.(*RWMutex)."))


def is_of_program(name, file):
    return name and not (is_runtime(name, file) or is_standard(name) or name.startswith("golang.org/x/sync/"))


def is_yours(stack, at):
    """The rule of Findings in c/tools/README.md."""
    name, file = stack[at]
    if not is_of_program(name, file) or "._Cfunc_" in name or os.path.basename(file) == "_cgo_gotypes.go":
        return False
    if at + 1 < len(stack) and name.rsplit(".", 1)[-1] in METHODS:
        caller = stack[at + 1][0]
        if is_standard(caller) and re.match(r"[^/.]*", caller)[0] in LIBRARY:
            return False
    return at == 0 or not is_lock(name, stack[at - 1][0])


def own(stack):
    """The function that a stack, with files, is named after; and whether that is yours,
    or nothing in the stack is of more than the runtime."""
    at = next((i for i, (name, file) in enumerate(stack) if name and not is_runtime(name, file)), None)
    if at is None:
        return stack[-1][0], True
    for i in range(at, len(stack)):
        if is_yours(stack, i):
            return stack[i][0], True
    of_program = [name for name, file in stack[at:] if is_of_program(name, file)]
    return (of_program or [stack[-1][0] or stack[at][0]])[0], False


def by_own(profile, created=None):
    """Sums by the function of the program, and by work or kind. What can be named after
    the creation of its goroutine is added to CREATED instead, if that is given."""
    sums = collections.Counter()
    for one in profile.samples:
        name, yours = own([(frame.function, frame.file) for frame in one.stack])
        work = one.labels.get("work", one.labels.get("kind"))
        if created is not None and not yours and work == "program" and not name.startswith("("):
            created[work] += one.values[1]
        else:
            sums[name if not name.startswith("(") else "", work] += one.values[1]
    return sums


def named(event, work):
    args = event["args"]
    return {
        "n": args.get("n"),
        "fn": args.get("fn", ""),
        "caller": args.get("caller", ""),
        "g": args.get("g", -1),
        "work": work,
        "start": event["ts"],
        "duration": event["dur"],
    }


def counted(items):
    return collections.Counter(items)


def words(text):
    """They do not depend on where lines end."""
    return text.split()


class Names:
    """Slices, stops and blocks have the same names in every output. The findings are the
    same sentences in the summary, its JSON, pages and comparisons."""

    def __init__(self, trace, scratch):
        self.trace, self.scratch, self.same = trace, scratch, trace.same

    def check(self):
        (one,) = self.trace.objects()
        self.profile(one["functions"])
        events = self.trace.timeline()
        if events is None:
            self.same("unit without a timeline", one["slices"]["count"] == 0 or one.get("unit"), True)
            return
        slices = [named(at, at["cat"]) for at in events if is_slice(at)]
        stops = [named(at, at["args"]["held up by"]) for at in events if at["ph"] == "X" and at["name"] == "stopping"]
        self.lists(one, slices, stops)
        self.functions(slices, one["functions"])
        self.silences(slices)
        self.verdict(slices, stops)
        self.blocks([at for at in events if at["ph"] == "X" and at["pid"] == 3])
        self.page(one)

    def lists(self, one, slices, stops):
        """The slices and stops that a summary lists."""
        names = ("fn", "caller", "work")
        found = collections.defaultdict(list)
        for at in slices:
            found[at["g"], at["start"], at["duration"]].append([at[name] for name in names])
        for at in one["longest_slices"]:
            have, want = [at[name] for name in names], found[at["g"], at["start"], at["duration"]]
            # Of a damaged trace, several can be at one time.
            self.same("a slice", have, have if have in want else want)
        stops = {at["n"]: at for at in stops}
        for at in one["longest_stops"]:
            self.same("a stop", [at[name] for name in names], [stops[at["n"]][name] for name in names])

    def functions(self, slices, functions):
        sums = collections.defaultdict(lambda: [0, 0, 0])
        for one in slices:
            at = sums[one["caller"] or one["fn"]]
            at[0] += 1
            at[1] += one["duration"]
            at[2] = max(at[2], one["duration"])
        want = collections.defaultdict(lambda: [0, 0, 0])
        for one in (one for one in functions if one["count"]):
            at = want[one["fn"]]
            at[0] += one["count"]
            at[1] += one["sum"]
            at[2] = max(at[2], one["max"])
        self.same("functions of the list", dict(sums), dict(want))
        self.waits(slices, functions)

    def waits(self, slices, functions):
        """How long goroutines had waited when the slices of functions began."""
        ended = {(one["g"], one["ran"]): one["wait"] for one in self.trace.objects("-wait=" + ALL) if one["over"]}
        found = collections.defaultdict(list)
        for one in slices:
            if (one["g"], one["start"]) in ended:
                found[one["caller"] or one["fn"]].append(ended[one["g"], one["start"]])
        works = collections.Counter(one["fn"] for one in functions if one["count"])
        for one in (one for one in functions if one["count"] and works[one["fn"]] == 1):
            lengths = sorted(found[one["fn"]])
            want = lengths[-(-len(lengths) * 99 // 100) - 1] if lengths else -1
            near = abs(one["ready_p99"] - want) <= 3 + want / 50 and (one["ready_p99"] < 0) == (want < 0)
            self.same("99 % of the waits for " + one["fn"], one["ready_p99"], one["ready_p99"] if near else want)

    def profile(self, functions):
        profile = self.trace.profile("greedy")
        want = collections.Counter()
        for one in (one for one in functions if one["count"]):
            want[one["fn"], one["work"]] += one["sum"]
        if profile is not None:
            leaves = {one.stack[0].function for one in profile.samples}
            created, more = collections.Counter(), collections.Counter()
            have = by_own(profile, created)
            self.same("more in -pprof", [key for key in have if have[key] > want[key]], [])
            for key in want:
                more[key[1]] += want[key] - have[key]
            self.same("functions of -pprof", +more, +created)
            waiting = {"sync.(*Mutex).Lock", "sync.(*Cond).Wait", "sync.(*WaitGroup).Wait", "runtime.chanrecv1", "runtime.selectgo"}
            self.same("functions that wait in -pprof", leaves & waiting, set())

    def silences(self, slices):
        """Sets how long no thread wrote an event in each slice."""
        found = {(one["g"], one["start"], one["duration"]): one["off_cpu_min"] for one in self.trace.objects("-diagreedy=" + ALL)}
        for one in slices:
            one["off"] = found[one["g"], one["start"], one["duration"]]

    def verdicts(self, *limits):
        """They are messages, and the exit status is that of an error."""
        _, printed, messages = self.trace.run(*limits)
        return (printed + messages).decode("utf-8", "replace")

    def verdict(self, slices, stops):
        lines = self.verdicts("-max-slice=1ns", "-max-stop=1ns")
        self.same(
            "slices of a verdict",
            counted(re.findall(r": slice of .* goroutine -?\d+(?: in ([^\s,]+).*| \(no stack\)(?:, without .*)?)$", lines, re.M)),
            counted(one["caller"] or one["fn"] for one in slices if one["duration"] - one["off"] > 1),
        )
        have = re.findall(r": stop-the-world pause of \d.*?, waited \S+ for (no goroutine|goroutine -?\d+)(?: in a system call)?(?: in ([^\s,]+))?", lines)
        want = [(one["g"], one["caller"] or one["fn"]) for one in stops if one["work"] != "none" and one["duration"] > 1]
        self.same(
            "stops of a verdict",
            counted(have),
            counted(("no goroutine" if g == -1 else f"goroutine {g}", fn) for g, fn in want),
        )

    def blocks(self, spans):
        """By function of the program, as a comparison of the trace with itself has them."""
        blocks = json.loads(self.trace.bytes("-user", "-compare", "-format=json", self.trace.path))["blocks"]
        self.same("changes of blocks", [one["change"] for one in blocks], [0] * len(blocks))
        locks = collections.Counter()
        for one in blocks:
            if one["kind"] == "lock":
                locks[one["fn"]] += one["old"]["count"]
        have = re.findall(r": block of .*, lock, goroutine \d+(?: in ([^\s,]+)| \(no stack\))", self.verdicts("-user", "-max-block=1ns"))
        self.same("locks of a verdict", counted(have), locks)
        # The tracer alone rests there.
        never_rest = ("lock", "channel send", "assist")
        want = collections.Counter()
        for one in blocks:
            if one["kind"] in never_rest:
                want[one["fn"], one["kind"]] += one["old"]["sum"]
        have = {key: time for key, time in by_own(self.trace.profile("block", "-user")).items() if key[1] in never_rest}
        self.same("places of -pprof=block", have, want)
        for g in sorted({at["args"]["g"] for at in spans})[:3]:
            have = collections.Counter()
            for at in spans:
                if at["args"]["g"] == g:
                    args = at["args"]
                    have[args.get("caller") or args.get("fn", ""), args["kind"]] += at["dur"]
            self.same(f"blocks of G{g} in a timeline", have, by_own(self.trace.profile("block", f"-g={g}")))

    def page(self, one):
        name = os.path.join(self.scratch, "page.html")
        if self.trace.bytes("-html=" + name) is None:
            return
        with open(name, encoding="utf-8") as file:
            text = file.read()
        title, explanation = re.search("<h1>(.*?)</h1><p class=faint>(.*?)</p>", text).groups()
        self.same("h1", re.split(r"\s", html.unescape(title)), one["headline"].split(" "))
        self.same("explanation", re.split(r"\s", html.unescape(explanation)), one["explanation"].split(" "))
        self.same("units on the next line", re.findall(r"[0-9] (?!\()", title + explanation), [])
        rows = re.findall(r'<details class="?row[^>]* id=b[0-9]+.*?<span class="what(.*?)<span class=aside', text)
        places = [place for place in self.trace.objects("-block=10") if not place["rest"]]
        self.same("places", len(rows), len(places))
        for row, place in zip(rows, places):
            name, _ = own([(at["fn"], at["file"]) for at in place["stack"]] or [("", "")])
            names = [html.unescape(name) for name in re.findall('class=fn title="([^"]*)"', row)]
            self.same("place", name in names or not name, True)
        cards = re.findall('<h2><b class=badge>[0-9]</b>([a-z ]+), [0-9\u2009]+\u00a0% of the time</h2><p class=big><span class=num title="([0-9,]+) ns">', text)
        told = re.findall("<div class=card id=f.*?</p><p>(.*?)\\.</p><p class=leads>.*?</p><p class=faint><code class=command>gtrace (.*?)</code></p></div>", text)
        first = [at for at in one["findings"][:5] if at["rank"] * 100 >= one["time"]]
        self.same("texts of cards", [words(html.unescape(at)) for at, _ in told[: len(first)]], [words(at["text"]) for at in first])
        self.same("next of cards", [html.unescape(at) for _, at in told[: len(first)]], [at["next"] for at in first])
        self.sentences(one, first)
        self.same(
            "cards",
            [(kind, int(harm.replace(",", ""))) for kind, harm in cards],
            [({"stop": "pause"}.get(at["kind"], at["kind"]), at["harm"]) for at in first],
        )

    def sentences(self, one, first):
        """The first finding begins the summary, and a comparison of the trace with itself."""
        text = self.trace.text()
        head = words(first[0]["text"] if first else one["headline"])
        self.same("first lines", words(text)[: len(head)], head)
        if not first:
            return
        name = first[0]["fn"]
        if any(at["fn"] == name != "" and at["work"] != "tracer" for at in one["functions"]):
            table = text.split("  function\n")[1].split(" number ")[0]
            self.same("function of the headline in the first table", name.rsplit("/", 1)[-1] in table, True)
        have = words(self.trace.text("-compare", self.trace.path))
        # A select that waits to send is in no list of a comparison.
        select = first[0]["kind"] == "channel send" and have[0] == "Before:"
        if first[0]["kind"] == "leak":  # its text begins with a number
            head = [at for at in head if at.startswith(name.rsplit("/", 1)[-1])]
        if select or first[0]["kind"] in ("load", "machine", "collector") or not first[0]["fn"]:
            head = ["Before:", *head[:-1], head[-1] + "."]
        else:
            # Only the function: the list may have another place in it.
            head = head[:1]
        self.same("first words of a comparison", have[: len(head)], head)


# ------------------------------------------------------------------ traces --

# Of any trace, with and without filters.
CHECKS = (lists, stops, timeline, delays, assists, sweeps, summary, ten)


def count(trace):
    """How many slices and stops there are."""
    return sum(sums_of(trace, name).total()[0] for name in ("slices", "stops"))


def readable(gtrace, path):
    """The trace, or what can be read of it; None: nothing."""
    for flags in ((), ("-partial",)):
        trace = Trace(gtrace, path, flags)
        if trace.bytes("-diagreedy=1") is not None:
            return trace
    return None


def filters_of(path, number):
    """One filter each, and all of them for a few; those of the ten longest for all."""
    some = os.path.basename(path) in ("cpu.trace", "mix.trace")
    return [one for at, one in enumerate(FILTERS) if some or at == number % len(FILTERS)]


def check_all(trace, number):
    """Returns how often a filter passes some and not all."""
    filtered = 0
    for check in CHECKS:
        check(trace)
    for filters in FILTERS:
        passed = Trace(trace.gtrace, trace.path, trace.flags + filters)
        if filters in filters_of(trace.path, number):
            for check in CHECKS:
                check(passed)
            filtered += 0 < count(passed) < count(trace)
        else:
            ten(passed)
    return filtered


def main():
    gtrace, *paths = sys.argv[1:]
    at = paths.index("--")
    some = set(paths[at + 1 :])
    read = filtered = names = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in paths[:at]:
            # One at a time: its outputs are kept.
            trace = readable(gtrace, path)
            if trace is not None and path in some:
                filtered += check_all(trace, read)
                read += 1
            if trace is not None and trace.bytes() is not None:
                Names(trace, scratch).check()
                names += 1
    if read < 0.9 * len(some) or filtered < len(some) // 2 or names < 0.9 * at:
        fail(f"{read} of {len(some)} traces, {names} of {at}, {filtered} times a filter passes some and not all")
    print(f"sums of {read} traces, and {filtered} times of what passes a filter; names of {names}")


if __name__ == "__main__":
    main()
