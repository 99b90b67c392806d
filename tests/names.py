# SPDX-License-Identifier: BSD-3-Clause
"""names.py GTRACE TRACE... - slices, stops of the world and blocks have the same
names in every output: the summary (its headline, lists, functions and holders),
profiles, timelines, HTML pages, verdicts and comparisons. The findings are the
same sentences in the summary, its JSON, HTML pages and comparisons."""

import collections
import html
import json
import os
import re
import subprocess
import sys
import tempfile

from sums import fields, numbers


def fail(message):
    sys.exit("names.py: " + message)


def run(*arguments):
    """What is printed, and whether that is no error."""
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout, done.returncode == 0


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


def own(stack):
    """The function of the program that a stack, with files, is named after."""
    at = next((i for i, (name, file) in enumerate(stack) if name and not is_runtime(name, file)), None)
    if at is None:
        return stack[-1][0]
    if not is_standard(stack[at][0]):
        return stack[at][0]
    of_program = [name for name, _ in stack[at + 1:] if name and not is_standard(name)]
    return (of_program or [stack[-1][0] or stack[at][0]])[0]


def profile(data, leaves=None):
    """Sums by the function of the program, and by work or kind."""
    message = list(fields(data))
    strings = [value.decode("utf-8") for field, value in message if field == 6]
    functions, places, sums = {}, {}, collections.Counter()
    for field, value in message:
        if field == 5:
            one = dict(fields(value))
            functions[one[1]] = strings[one.get(2, 0)], strings[one.get(4, 0)]
    for field, value in message:
        if field == 4:
            one = dict(fields(value))
            places[one[1]] = functions[dict(fields(one[4]))[1]]
    for field, value in message:
        if field != 2:
            continue
        work = None
        for part, inner in fields(value):
            if part == 1:
                stack = [places[at] for at in numbers(inner)]
            elif part == 2:
                _, time = numbers(inner)
            elif part == 3:
                label = dict(fields(inner))
                if strings[label[1]] in ("work", "kind"):
                    work = strings[label[2]]
        name = own(stack)
        if leaves is not None:
            leaves.add(stack[0][0])
        sums[name if not name.startswith("(") else "", work] += time
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


class Trace:
    def __init__(self, gtrace, path, flags, scratch):
        self.start, self.path, self.scratch = [gtrace, *flags], path, scratch

    def same(self, what, have, want):
        if have != want:
            fail(f"{self.path}: {what}: {str(have)[:2000]}, want {str(want)[:2000]}")

    def output(self, *arguments):
        return run(*self.start, *arguments, self.path)

    def check(self):
        """Whether there is something to compare. Timelines have no ticks."""
        text, good = self.output("-format=json")
        timeline, has_timeline = self.output("-timeline")
        if not good:
            return False
        one = json.loads(text)
        self.profile(one["functions"])
        if not has_timeline:
            self.same("unit without a timeline", one["slices"]["count"] == 0 or one.get("unit"), True)
            return True
        # Of times with three decimals of a microsecond.
        events = json.loads(timeline, parse_float=lambda digits: int(digits.replace(".", "")))["traceEvents"]
        slices = [named(at, at["cat"]) for at in events if at["ph"] == "X" and at["pid"] == 1]
        stops = [named(at, at["args"]["held up by"]) for at in events if at["ph"] == "X" and at["name"] == "stopping"]
        self.lists(one, slices, stops)
        self.functions(slices, one["functions"])
        self.silences(slices)
        self.verdict(slices, stops)
        self.blocks([at for at in events if at["ph"] == "X" and at["pid"] == 3])
        self.page(one)
        return True

    def lists(self, one, slices, stops):
        """The slices and stops that a summary lists."""
        names = ("fn", "caller", "work")
        slices = {(at["g"], at["start"], at["duration"]): at for at in slices}
        for at in one["longest_slices"]:
            want = slices[at["g"], at["start"], at["duration"]]
            self.same("a slice", [at[name] for name in names], [want[name] for name in names])
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

    def profile(self, functions):
        text, good = self.output("-pprof=greedy")
        want = collections.Counter()
        for one in (one for one in functions if one["count"]):
            want[one["fn"], one["work"]] += one["sum"]
        if good:
            leaves = set()
            self.same("functions of -pprof", profile(text, leaves), want)
            waiting = {"sync.(*Mutex).Lock", "sync.(*Cond).Wait", "sync.(*WaitGroup).Wait", "runtime.chanrecv1", "runtime.selectgo"}
            self.same("functions that wait in -pprof", leaves & waiting, set())

    def silences(self, slices):
        """Sets how long no thread wrote an event in each slice."""
        text, _ = self.output("-diagreedy=1000000000", "-format=json")
        found = {}
        for line in text.splitlines():
            one = json.loads(line)
            found[one["g"], one["start"], one["duration"]] = one["off_cpu_min"]
        for one in slices:
            one["off"] = found[one["g"], one["start"], one["duration"]]

    def verdict(self, slices, stops):
        lines = subprocess.run(
            [*self.start, "-max-slice=1ns", "-max-stop=1ns", self.path],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        ).stdout.decode("utf-8", "replace")
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
        text, _ = run(*self.start, "-user", "-compare", "-format=json", self.path, self.path)
        blocks = json.loads(text)["blocks"]
        self.same("changes of blocks", [one["change"] for one in blocks], [0] * len(blocks))
        lines, _ = self.output("-user", "-max-block=1ns")
        locks = collections.Counter()
        for one in blocks:
            if one["kind"] == "lock":
                locks[one["fn"]] += one["old"]["count"]
        have = re.findall(r": block of .*, lock, goroutine \d+(?: in ([^\s,]+)| \(no stack\))", lines.decode("utf-8", "replace"))
        self.same("locks of a verdict", counted(have), locks)
        # The tracer alone rests there.
        never_rest = ("lock", "channel send", "assist")
        want = collections.Counter()
        for one in blocks:
            if one["kind"] in never_rest:
                want[one["fn"], one["kind"]] += one["old"]["sum"]
        text, _ = self.output("-user", "-pprof=block")
        have = {key: time for key, time in profile(text).items() if key[1] in never_rest}
        self.same("places of -pprof=block", have, want)
        for g in sorted({at["args"]["g"] for at in spans})[:3]:
            have = collections.Counter()
            for at in spans:
                if at["args"]["g"] == g:
                    args = at["args"]
                    have[args.get("caller") or args.get("fn", ""), args["kind"]] += at["dur"]
            text, _ = self.output(f"-g={g}", "-pprof=block")
            self.same(f"blocks of G{g} in a timeline", have, profile(text))

    def page(self, one):
        name = os.path.join(self.scratch, "page.html")
        _, good = self.output("-html=" + name)
        if not good:
            return
        with open(name, encoding="utf-8") as file:
            text = file.read()
        title, explanation = re.search("<h1>(.*?)</h1><p class=faint>(.*?)</p>", text).groups()
        self.same("h1", re.split(r"\s", html.unescape(title)), one["headline"].split(" "))
        self.same("explanation", re.split(r"\s", html.unescape(explanation)), one["explanation"].split(" "))
        self.same("units on the next line", re.findall(r"[0-9] (?!\()", title + explanation), [])
        rows = re.findall(r'<details class="?row[^>]* id=b[0-9]+.*?<span class="what(.*?)<span class=aside', text)
        places, _ = self.output("-block=10", "-format=json")
        places = [place for place in map(json.loads, places.splitlines()) if not place["rest"]]
        self.same("places", len(rows), len(places))
        for row, place in zip(rows, places):
            name = own([(at["fn"], at["file"]) for at in place["stack"]] or [("", "")])
            names = [html.unescape(name) for name in re.findall('class=fn title="([^"]*)"', row)]
            self.same("place", name in names or not name, True)
        cards = re.findall('<h2>([a-z ]+), [0-9\u2009]+\u00a0% of the time</h2><p class=big><span class=num title="([0-9,]+) ns">', text)
        told = re.findall("<div class=card><h2>.*?</p><p>(.*?)\\.</p><p class=faint><code>gtrace (.*?)</code></p></div>", text)
        first = [at for at in one["findings"][:5] if at["permille"] >= 10]
        self.same("texts of cards", [words(html.unescape(at)) for at, _ in told[: len(first)]], [words(at["text"]) for at in first])
        self.same("next of cards", [html.unescape(at) for _, at in told[: len(first)]], [at["next"] for at in first])
        self.sentences(one, first)
        self.same(
            "cards",
            [(kind, int(harm.replace(",", ""))) for kind, harm in cards],
            [(at["kind"], at["harm"]) for at in first],
        )

    def sentences(self, one, first):
        """The first finding begins the summary, and a comparison of the trace with itself."""
        text, _ = self.output()
        head = words(first[0]["text"] if first else one["headline"])
        self.same("first lines", words(text.decode("utf-8", "replace"))[: len(head)], head)
        if not first:
            return
        name = first[0]["fn"]
        if any(at["fn"] == name != "" and at["work"] != "tracer" for at in one["functions"]):
            table = text.decode("utf-8", "replace").split("  function\n")[1].split(" number ")[0]
            self.same("function of the headline in the first table", name.rsplit("/", 1)[-1] in table, True)
        text, _ = run(*self.start, "-compare", self.path, self.path)
        have = words(text.decode("utf-8", "replace"))
        # A select that waits to send is in no list of a comparison.
        select = first[0]["kind"] == "channel send" and have[0] == "Before:"
        if select or first[0]["kind"] in ("load", "machine", "collector") or not first[0]["fn"]:
            head = ["Before:", *head[:-1], head[-1] + "."]
        else:
            # Only the function: the list may have another place in it.
            head = head[:1]
        self.same("first words of a comparison", have[: len(head)], head)


def main():
    gtrace, *paths = sys.argv[1:]
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in paths:
            count += Trace(gtrace, path, (), scratch).check() or Trace(gtrace, path, ("-partial",), scratch).check()
    if count < 0.9 * len(paths):
        fail(f"{count} of {len(paths)} traces")
    print(f"names of {count} traces")


if __name__ == "__main__":
    main()
