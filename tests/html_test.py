# SPDX-License-Identifier: BSD-3-Clause
#
# html_test.py GTRACE SCRATCH - see html_test.sh.
import base64
import glob
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, "tests")
from browser import MISSING, Browser  # noqa: E402
from loader import Trace, fail  # noqa: E402

gtrace, scratch = sys.argv[1:]
VOID = {"meta", "br", "img", "link", "input", "hr"}
# HTML leaves these out: the next one of a table ends them.
OPTIONAL = {"td", "th", "tr", "thead", "tbody", "li", "dt", "dd", "p"}
SIZE_MAX = 2_000_000

# Of the length of the names that they replace.
FUNCTION = b"<script>x()</script>ab"
LONG = b"main.(*contextOfFiles).scanImportsAndExportsOfEach.func1"
FILE = b'"><img src=x onerror=y'


class Page(html.parser.HTMLParser):
    """Checks that elements nest, and collects what a page could load."""

    def __init__(self, name, text):
        super().__init__()
        self.name, self.text, self.open, self.ids, self.links = name, text, [], set(), []
        self.scripts, self.data, self.style, self.is_data = [], "", "", False
        # The numbers of rows and of late processors, and names in pictures.
        self.rows, self.late, self.names, self.parts = {}, [], 0, {}
        self.feed(text)
        self.close()
        if self.open:
            fail(f"{name}: {self.open} left open")
        for link in self.links:
            if not link.startswith("#") or link[1:] not in self.ids:
                fail(f"{name}: a link to {link}")

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "data-of" in given:
            numbers = [int(number) for number in given["data-of"].split()]
            if tag == "tr":
                self.late.append(numbers)
            else:
                self.rows[given["id"]] = numbers
        if "data-part" in given:
            row = [id for id in self.rows if id[0] == "q"][-1]
            self.parts.setdefault(row, []).append([int(number) for number in given["data-part"].split()])
        if "template" in self.open and self.open[-1] == "template":
            self.names += 1
        for key, value in attributes:
            if key == "id":
                if value in self.ids:
                    fail(f"{self.name}: id {value} twice")
                self.ids.add(value)
            elif key == "href":
                self.links.append(value)
            elif key in ("src", "srcset", "data", "action") or key.startswith("on"):
                fail(f"{self.name}: <{tag} {key}={value}>")
            elif key == "style":
                fail(f"{self.name}: the policy forbids <{tag} style={value}>")
        if tag == "script":
            self.is_data = ("type", "application/json") in attributes
            self.scripts += [] if self.is_data else [""]
        if tag in ("img", "iframe", "object", "embed", "link", "base", "form"):
            fail(f"{self.name}: <{tag}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            fail(f"{self.name}: </{tag}> closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        elif self.open and self.open[-1] == "script" and self.is_data:
            self.data += data
        elif self.open and self.open[-1] == "script":
            self.scripts[-1] += data


def escaped(text):
    """TEXT as pages have it."""
    return html.escape(text).replace("&#x27;", "&#39;")


def make(trace, *flags):
    name = os.path.join(scratch, os.path.basename(trace) + ".html")
    subprocess.run([gtrace, "-html=" + name, *flags, trace], check=True, stderr=subprocess.PIPE)
    return name


def read(name):
    """A page, which loads nothing and has the scripts and the style that its policy allows."""
    with open(name, encoding="utf-8", newline="") as file:
        text = file.read()
    size = os.path.getsize(name)
    if size > SIZE_MAX:
        fail(f"{name}: {size} bytes")
    # The name of SVG is no place to load from.
    if re.search(r"https?:|@import", text.replace("http://www.w3.org/2000/svg", "")):
        fail(f"{name}: names another place")
    page = Page(name, text)
    for kind, parts in (("script", page.scripts), ("style", [page.style])):
        digests = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in parts]
        if f"{kind}-src " + " ".join(f"'sha256-{digest}'" for digest in digests) not in text:
            fail(f"{name}: {kind} sha256 {digests}")
    return text, page


def check(name):
    text, page = read(name)
    if len(page.scripts) != 2 or "<" in page.data:
        fail(f"{name}: {len(page.scripts)} scripts, or < in the data")
    check_data(name, json.loads(page.data), page)
    return text


def check_comparison(old, new, *flags):
    """The tables have the numbers of the JSON, the largest change first."""
    name = os.path.join(scratch, "comparison.html")
    subprocess.run([gtrace, *flags, "-compare", "-html=" + name, old, new], check=True)
    data = json.loads(subprocess.run([gtrace, *flags, "-compare", "-format=json", old, new], check=True, capture_output=True).stdout)
    text, page = read(name)
    if re.search(r"[0-9] (?!\()", re.search("<h1>(.*?)</h1>", text, flags=re.S)[1]):
        fail(f"{name}: a unit can be on the next line of the title")
    tables = re.findall("<table.*?</table>", text, flags=re.S)
    ns = lambda value: "–" if value is None or value < 0 else f'title="{value:,} ns"'  # noqa: E731
    traces, lengths, *lists = ([row for row in table.split("<tr")[1:] if "<td" in row] for table in tables)
    for row, side in zip(traces, ("old", "new")):
        shown = escaped(os.path.basename(data[side]["trace"]))
        if f"{side}: <b>{shown}</b>" not in row or ns(data[side]["length"]) not in row:
            fail(f"{name}: {side}: {row}")
    for first, what in ((0, "slices"), (6, "waits"), (11, "stops")):
        for i, field in enumerate(["median", "p99"] + ["p999"] * (what == "slices") + ["max"]):
            values = [ns(data[side][what][field]) for side in ("old", "new")]
            if not re.search(".*?".join(map(re.escape, values)), lengths[first + 2 + i]):
                fail(f"{name}: {what}, {field}: {values} is not in {lengths[first + 2 + i]}")
    shown = 0
    for key in ("findings", "functions", "delays", "holders", "blocks"):
        wanted = [one for one in data[key] if one["change"] != 0][:10]
        found = lists.pop(0) if wanted else []
        for row, one in zip(found, wanted):
            if any(ns(one[side]["rate"]) not in row for side in ("old", "new")) or f'{abs(one["change"]):,} ns"' not in row:
                fail(f"{name}: {key}: {one} is not in {row}")
        if len(found) != len(wanted):
            fail(f"{name}: {len(found)} rows for {len(wanted)} of {key}")
        shown += len(found)
    if ("only what passes the filters" in text) != bool(flags):
        fail(f"{name}: {flags}: what is said of filters")
    # The last five, times without an event, are there if one trace has some.
    if lists or len(lengths) not in (16, 21) or page.data:
        fail(f"{name}: {len(lists)} tables more, or {len(lengths)} lengths")
    return shown


KINDS, BLOCKED, ASSIST = 7, 5, 6


def check_data(name, data, page):
    """The lists have the places that the script takes from them."""
    whole, rows = data["whole"], {}
    for id, list, places in (("s", "slices", 5), ("r", "waits", 6), ("b", "blocks", 6), ("w", "stops", 9), ("q", "paths", 10)):
        rows[list] = [numbers for row, numbers in page.rows.items() if row[0] == id]
        if any(len(row) != places for row in rows[list]):
            fail(f"{name}: rows of {list} of other lengths")
        if len(data[list]) > len(rows[list]) and "The rest is left out" not in page.text:
            fail(f"{name}: {len(data[list])} windows of {list}")
    if whole["bars"] or not data["ready"]:
        fail(f"{name}: lists of other lengths")
    if any(len(late) != 6 for late in page.late):
        fail(f"{name}: late processors of other lengths")
    for window in [whole] + data["slices"] + data["waits"] + data["blocks"] + data["stops"]:
        length = window["to"] - window["from"]
        if not (window["bins"] - 1) * window["width"] < length <= window["bins"] * window["width"]:
            fail(f"{name}: {window['bins']} bins of {window['width']} ns in {length}")
        lanes = window["lanes"] + window.get("goroutines", [])
        if any(len(lane) != 2 + KINDS or len(max(lane[2:], key=len)) > window["bins"] for lane in lanes):
            fail(f"{name}: lanes of other lengths")
        # A mark assist is within the bar of its slice, or that is too short for a bar.
        end, slice_end = {}, {}
        for lane, start, to, kind, number, g, duration, chosen in window["bars"]:
            assists = kind == ASSIST
            if assists and start < slice_end.get(lane, (0, g))[0] and not (to, g) <= slice_end[lane]:
                fail(f"{name}: a mark assist of G{g} from {start} to {to} in the slice of another goroutine")
            slice_end[lane] = slice_end.get(lane) if assists else (to, g)
            if not end.get((lane, assists), 0) <= start < to <= length or kind >= KINDS or to - start > duration:
                fail(f"{name}: a bar from {start} to {to} in {length}, {duration} long")
            if lane >= len(lanes) or number >= page.names or chosen not in (0, 1):
                fail(f"{name}: a bar in lane {lane}, named {number}")
            end[lane, assists] = to
    # A slice with a picture is in it.
    for slice, window in zip(rows["slices"], data["slices"]):
        chosen = [bar for bar in window["bars"] if bar[7]]
        if slice[1] > slice[0]:
            if len(chosen) != 1 or chosen[0][5] != slice[3] or chosen[0][6] != slice[4]:
                fail(f"{name}: a slice, {slice}, is {chosen} in its picture")


outputs = {}


def found_by(flag, trace):
    """The lines of JSON that a flag makes of a trace."""
    if trace not in outputs:
        outputs.clear()
        outputs[trace] = Trace(gtrace, trace)
    return outputs[trace].objects(flag)


def check_lost(trace, page):
    """Silences, and times without a goroutine, are those that the summary counts."""
    machine, lost = found_by("-format=json", trace)[0]["machine"], json.loads(page.data)["lost"]
    for bare, name, sum_name in ((False, "silences", "silence_sum"), (True, "off_cpu", "off_cpu_sum")):
        times = {(start, end, p if bare else -1) for p, start, end, _, g in lost if (g < 0) == bare}
        lengths = [end - start for start, end, _ in times]
        if len(lost) < 400 and (len(lengths) != machine[name] or abs(sum(lengths) - machine[sum_name]) > len(lost)):
            fail(f"{trace}: {name}: {lengths}, and not {machine[name]}, {machine[sum_name]} ns in all")
    have = [(one["p"], one["from"], one["to"]) for one in machine["stretches"]]
    if have != [tuple(one[:3]) for one in lost]:
        fail(f"{trace}: stretches: {lost}, and not {have}")


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def check_collections(trace, page):
    """The band has the collections of -gctrace, and assists are as long as those of -goroutines.
    Returns how long they are."""
    data, wanted = json.loads(page.data), []
    for line in found_by("-gctrace", trace):
        if "n" in line:
            wanted.append([line[name] for name in ("n", "heap_start", "heap_end", "heap_live", "heap_goal", "reason")])
    found = [[one[0], *one[6:10], one[11]] for one in data["collections"]]
    if found != wanted:
        fail(f"{trace}: collections {found}, and not {wanted}")
    whole = data["whole"]
    for one in data["collections"]:
        if one[1] != 1 or not 0 <= one[2] <= one[3] <= whole["to"]:
            fail(f"{trace}: collection {one}")
    ticks = sum(DIGITS.index(digit) * lane[1] for lane in whole["lanes"] for digit in lane[2 + ASSIST])
    drawn = ticks * whole["width"] / 63
    assisted = sum(row["assisted"] for row in found_by("-goroutines=1000000", trace))
    # A digit is rounded.
    if abs(drawn - assisted) > 1 + (whole["bins"] + 1) * data["processors"] * whole["width"] / 126:
        fail(f"{trace}: {drawn} ns of mark assists, and not {assisted}")
    return drawn


def check_waits(trace, page):
    """What kept a wait is coloured, and a sum over time is that of all waits."""
    waits, data = found_by("-wait=1000000", trace), json.loads(page.data)
    width, *ready = data["ready"]
    if abs(sum(ready) * width / 1000 - sum(wait["wait"] for wait in waits)) > (len(ready) + 1) * width / 1000:
        fail(f"{trace}: {sum(ready) * width} ps ready, of {len(waits)} waits")
    for wait, window in zip(waits, data["waits"]):
        kept = sorted((slice["g"], slice["length"]) for slice in wait["kept"])
        if kept != sorted((bar[5], bar[6]) for bar in window["bars"] if bar[7]):
            fail(f"{trace}: {kept} is not in the picture of the wait of G{wait['g']}")
        shown = [window["lanes"][bar[0]][0] for bar in window["bars"] if bar[7]]
        if sorted(shown) != sorted(slice["p"] for slice in wait["kept"]):
            fail(f"{trace}: what kept G{wait['g']} is on {shown}")


def check_blocks(trace, page):
    """The lane of a goroutine has its longest block, and what it did before and after
    does not overlap with that; the one that ended it has a lane too."""
    places = [place for place in found_by("-block=10", trace) if not place["rest"]]
    windows = json.loads(page.data)["blocks"]
    if len(places) != len(windows):
        fail(f"{trace}: {len(windows)} windows of {len(places)} places")
    for place, window in zip(places, windows):
        goroutines = [place["g"]] + [g for g in (place["max_by"],) if g not in (-1, place["g"])]
        if [lane[0] for lane in window["goroutines"]] != goroutines:
            fail(f"{trace}: goroutines of a block are not {goroutines}")
        first = len(window["lanes"])
        bars = [bar for bar in window["bars"] if bar[0] >= first]
        if any(bar[5] != goroutines[bar[0] - first] for bar in bars):
            fail(f"{trace}: bars of another goroutine than {goroutines}")
        blocked = (place["start"] - window["from"], place["start"] + place["max"] - window["from"])
        # Of a system call only what comes after the slice is a block there.
        if place["kind"] != "system call" and place["max"] > 0 and not any(
            bar[0] == first and bar[3] == BLOCKED and (bar[1], bar[2]) == blocked for bar in bars
        ):
            fail(f"{trace}: no bar of the block of G{place['g']}")
    return len(places)


PATHS = 3  # kinds, and paths of each
STATES = ["ran", "assisted", "ready", "system call", "blocked"]


def state_of(segment):
    return STATES.index(segment["state"]) if segment["state"] in STATES else len(STATES)


def parts_of(path):
    """What a path is shown as: segments of 1 % of its length or more, and what is between them."""
    parts = []
    for one in path["segments"]:
        cause, is_short = one.get("cause", {}), one["length"] < path["length"] // 100
        if is_short and parts and parts[-1][3] < 0:
            parts[-1][1] += one["length"]
            parts[-1][2] = min(parts[-1][2], one["level"])
        else:
            parts.append([one["start"], one["length"], one["level"], -1 if is_short else state_of(one), one["g"],
                          cause.get("g", -1), int(cause.get("kind") == "started by")])
    return parts


def check_shares(trace, path, shares):
    """Short segments are drawn in the lanes of their levels, as much as they are long."""
    wanted, drawn = {}, {}
    for one in path["segments"]:
        if one["length"] < path["length"] // 100:
            key = (min(one["level"], 11), state_of(one))
            wanted[key] = wanted.get(key, 0) + one["length"]
    for level, (first, _, *states) in enumerate(shares["lanes"]):
        if first != level or len(states) != 6 or len(max(states, key=len)) > shares["bins"]:
            fail(f"{trace}: lane {level} of a path: {first}, {states}")
        for state, digits in enumerate(states):
            drawn[level, state] = sum(DIGITS.index(digit) for digit in digits) * shares["width"] / 63
    if len(shares["lanes"]) != 1 + min(11, max((one["level"] for one in path["segments"]), default=0)):
        fail(f"{trace}: {len(shares['lanes'])} lanes of a path")
    if not path["length"] <= shares["width"] * shares["bins"] < path["length"] + shares["width"]:
        fail(f"{trace}: {shares['bins']} bins of {shares['width']} ns of {path['length']}")
    for key in drawn.keys() | wanted.keys():
        # A digit is rounded.
        if abs(drawn.get(key, 0) - wanted.get(key, 0)) > 1 + shares["bins"] * shares["width"] / 126:
            fail(f"{trace}: {key}: {drawn.get(key)} ns in the picture of a path, and not {wanted.get(key)}")


def check_compared(trace, kind, text):
    """The table has the rows of the comparison."""
    group, more = kind["group"], kind["slow"] - kind["typical"]
    rows = [row for row in kind["rows"] if abs(row["slow"] - row["typical"]) >= more // 100 + 1][:10]
    found = re.findall("<tr><td>.*?(?=<tr>|</table>)", text)
    if len(found) != len(rows):
        fail(f"{trace}: {len(found)} rows of {kind['name']}, and not {len(rows)}")
    for row, have in zip(rows, found):
        cause = escaped(row.get("cause", {}).get("fn", ""))
        for words in (f"{row['slow'] // group:,} ns", f"{row['typical'] // group:,} ns", escaped(row["fn"]), row["state"], cause):
            if words not in have:
                fail(f"{trace}: {words} is not in {have}")
        if re.findall(r"<td><span class=num>(\d+)</span> of", have) != [str(row["slow_in"]), str(row["typical_in"])]:
            fail(f"{trace}: in {row['slow_in']} and {row['typical_in']}, not {have}")
    for words in [f"{kind['slow'] // group:,} ns", f"{kind['typical'] // group:,} ns"] if rows else []:
        if words not in text:
            fail(f"{trace}: {words} is not in {text[:500]}")


def check_paths(trace, page, text):
    """The paths are those of -critical-path. Returns how many there are."""
    found = found_by(f"-critical-path={PATHS}", trace)
    paths, kinds = [one for one in found if "segments" in one], [one for one in found if "rows" in one]
    if not paths:
        if "id=requests" in text or json.loads(page.data)["paths"]:
            fail(f"{trace}: requests that there are not")
        return 0
    section = text[text.index("<section id=requests>"):]
    section = section[:section.index("</section>")]
    rows = {id: numbers for id, numbers in page.rows.items() if id[0] == "q"}
    if len(rows) != len(paths) or len(json.loads(page.data)["paths"]) != len(paths):
        fail(f"{trace}: {len(rows)} paths, and not {len(paths)}")
    for (id, numbers), path, shares in zip(rows.items(), paths, json.loads(page.data)["paths"]):
        sums = [0] * 6
        for one in path["segments"]:
            sums[state_of(one)] += one["length"]
        if numbers != [path["start"], path["start"] + path["length"], path["g"], path["length"], *sums]:
            fail(f"{trace}: path {id} is {numbers}")
        if page.parts.get(id, []) != parts_of(path):
            fail(f"{trace}: parts of {id}: {page.parts.get(id)}, and not {parts_of(path)}")
        check_shares(trace, path, shares)
        row = section[section.index(f" id={id}"):]
        if ("not over" in row[:row.index("</summary>")]) != path["unfinished"]:
            fail(f"{trace}: {id}, and whether it is over")
        row = row[:row.index("</ol>\n") if "</ol>\n" in row else None]
        for one in path["segments"]:
            frames = one["stack"] + one.get("cause", {}).get("stack", []) + one.get("cause", {}).get("ended", [])
            for frame in frames if one["length"] >= path["length"] // 100 else []:
                if f'title="{escaped(frame["fn"])}"' not in row:
                    fail(f"{trace}: {frame['fn']} is not in {id}")
    tables = section.split("<h3>")
    for kind in kinds:
        begin = f'{kind["what"]} <code class=fn title="{escaped(kind["name"])}"'
        (table,) = [part for part in tables if part.startswith(begin)]
        check_compared(trace, kind, table)
        said = re.search(r"and <span class=num>(\d+)</span> not over</small></h3>", table)
        if (int(said[1]) if said else 0) != kind["unfinished"]:
            fail(f"{trace}: {kind['unfinished']} of {kind['name']} are not over, not {table[:300]}")
    return len(paths)


def check_numbers(trace, text):
    """The page lists the slices, waits, blocks and stops that the JSON lists."""
    check_waits(trace, Page(trace, text))
    check_lost(trace, Page(trace, text))
    check_blocks(trace, Page(trace, text))
    check_collections(trace, Page(trace, text))
    check_paths(trace, Page(trace, text), text)
    check_goroutines(trace, text)
    for flag, row in (("-diagreedy=10", "s"), ("-wait=10", "r"), ("-block=10", "b"), ("-stw=10", "w")):
        found = found_by(flag, trace)
        if row == "s":
            wanted = [f"{slice['duration']:,} ns" for slice in found]
            delays = {(slice["start"], slice["p"]): slice["delay"] for slice in found_by("-delay=1000000", trace)}
        elif row == "r":
            wanted = [f"{wait['wait']:,} ns" for wait in found]
        elif row == "b":
            wanted = [f"{place['sum']:,} ns" for place in found if not place["rest"]]
        else:
            found = [stop for stop in found if stop["measured"]]
            wanted = [f"{stop['stopping']:,} ns" for stop in found]
        rows = re.findall(rf'<details class="?row[^>]* id={row}[0-9A-Z]+.*?</summary>', text)
        if row != "w" and len(rows) != len(wanted):
            fail(f"{trace}: {len(rows)} rows for {len(wanted)} of {flag}")
        for want, have in zip(wanted, rows):
            if f'title="{want}"' not in have:
                fail(f"{trace}: {want} is not in {have[:300]}")
        for slice, have in zip(found, rows if row == "s" else []):
            delay = delays.get((slice["start"], slice["p"]))
            words = f'delayed others <span class=num title="{delay:,} ns">' if delay else "delayed no goroutine<"
            if words not in have:
                fail(f"{trace}: {words} is not in {have}")


def hostile():
    with open("testdata/before.trace", "rb") as file:
        trace = file.read()
    for name, instead in ((b"main.godeadloop1.func1", FUNCTION), (b"/go/src/diagreedy/x.go", FILE)):
        assert len(name) == len(instead) and name in trace
        trace = trace.replace(name, instead)
    # A string has its length before it.
    short = b"main.godeadloop2.func1"
    trace = trace.replace(bytes([len(short)]) + short, bytes([len(LONG)]) + LONG)
    name = os.path.join(scratch, "<b>&'hostile.trace")
    with open(name, "wb") as file:
        file.write(trace)
    return name


# -------------------------------------------------------------- browser --


def look(browser, name):
    for width in (360, 800, 1280, 1920):
        browser.log("performance")
        browser.open(name, width)
        browser.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
        inner, scroll = browser.run("return [innerWidth, document.documentElement.scrollWidth]")
        if scroll > inner:
            fail(f"{name}: {scroll} pixels wide in a window of {inner}")
        over = browser.run(
            "return [...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth).map(c => c.textContent)"
        )
        if over:
            fail(f"{name}: text leaves its card in a window of {inner}: {over}")
        requests = [
            message["params"]["request"]["url"]
            for message in (json.loads(entry["message"])["message"] for entry in browser.log("performance"))
            if message["method"] == "Network.requestWillBeSent"
        ]
        if len(requests) != 1:
            fail(f"{name}: asks for {requests}")
    colours = []
    for scheme in ("dark", "light"):
        browser.scheme(scheme)
        colours.append(
            browser.run(
                "return ['body', '.lane', '.bar.chosen', '.card'].map(s => {"
                "  const style = getComputedStyle(document.querySelector(s));"
                "  return s[1] === 'b' || s[1] === 'l' ? style.fill : style.backgroundColor })"
            )
        )
    if any(dark == light for dark, light in zip(*colours)):
        fail(f"{name}: dark and light pages are {colours}")
    if browser.run("return document.scripts.length") != 3:
        fail(f"{name}: scripts of others")
    # Each picture has the bars that the data has, and all text is inside it.
    wrong = browser.run(
        "const data = JSON.parse(document.getElementById('data').textContent), wrong = [];"
        "for (const list of ['slices', 'waits', 'blocks', 'stops']) data[list].forEach((w, i) => {"
        "  const row = document.querySelectorAll(`#${list} details`)[i];"
        "  const g = list === 'waits' ? +row.dataset.of.split(' ')[2] : -1;"
        "  const wanted = w.bars.length + (list === 'waits' || list === 'blocks') + w.bars.filter(b => b[5] === g).length;"
        "  const bars = row.querySelectorAll('.plot > .bar').length;"
        "  if (bars !== wanted) wrong.push(`${row.id}: ${bars} bars of ${wanted}`);"
        "});"
        "if (document.querySelectorAll('#picture-whole path.ready').length !== 1) wrong.push('nothing is ready');"
        "if (document.querySelectorAll('#picture-whole .plot > .gc').length !== data.collections.length)"
        "  wrong.push('collections');"
        "for (const [kind, of] of [['lost', p => p >= 0], ['silence', p => p < 0]]) {"
        "  const count = data.lost.filter(([p]) => of(p)).length, picture = document.getElementById('picture-whole');"
        "  if (picture.querySelectorAll(`.plot > .${kind}`).length !== count || !picture.querySelector(`.legend .${kind}`) !== !count)"
        "    wrong.push(`${count} times ${kind}`);"
        "}"
        "const over = document.querySelector('#picture-whole .silence');"
        "if (over && +over.getAttribute('height') <= +document.querySelector('#picture-whole .lane').getAttribute('height') * (data.whole.lanes.length - 1))"
        "  wrong.push('a silence is not over all lanes');"
        "const marks = document.querySelectorAll('#picture-whole .plot > a > .bar').length;"
        "const rows = id => document.querySelectorAll(`#${id} details`).length;"
        "if (marks !== rows('slices')) wrong.push(`${marks} marks of ${rows('slices')}`);"
        "const areas = document.querySelectorAll('#picture-whole path.area').length;"
        "const shares = data.whole.lanes.flatMap(l => l.slice(2)).filter(s => s !== '').length;"
        "if (areas !== shares) wrong.push(`${areas} areas of ${shares}`);"
        "if (document.querySelectorAll('.meter').length < rows('slices') + rows('waits') + rows('blocks') + rows('stops'))"
        "  wrong.push('rows without bars');"
        "return wrong"
    )
    if wrong:
        fail(f"{name}: {wrong}")
    # The buttons of the script zoom, and a link opens its row.
    zoomed = browser.run(
        "const b = document.querySelector('[aria-label=\"zoom in\"]');"
        "if (!b) return [1, 2];"
        "const p = document.querySelector('.plot'), w = p.clientWidth;"
        "b.click(); return [w, p.clientWidth]"
    )
    if zoomed[1] < 1.9 * zoomed[0]:
        fail(f"{name}: zoomed from {zoomed[0]} to {zoomed[1]} pixels")
    opened = browser.run(
        "const r = document.querySelectorAll('details'); if (!r.length) return true;"
        "r.forEach(d => { d.open = false }); location.hash = r[r.length - 1].id;"
        "dispatchEvent(new Event('hashchange')); return r[r.length - 1].open"
    )
    if not opened:
        fail(f"{name}: a link does not open its row")
    messages = [entry["message"] for entry in browser.log("browser")]
    if messages:
        fail(f"{name}: {messages}")


def use(browser, name):
    """Keys, the wheel and a drag zoom; cards lead to rows, and to the picture of the whole trace;
    commands can be copied."""
    browser.open(name, 1280)
    scale = "const p = document.querySelector('.plot'); return Math.round(100 * p.clientWidth / p.parentElement.clientWidth)"
    browser.run("document.querySelector('.scroll').focus()")
    for keys, wanted in (("w", 150), ("w", 225), ("s", 150), ("+", 300), ("-", 150), ("0", 100), ("W", 150), ("0", 100)):
        browser.press(*keys)
        if browser.run(scale) != wanted:
            fail(f"{name}: after {keys} {browser.run(scale)} % wide, and not {wanted}")
    browser.press("+", "+")
    at = "return document.querySelector('.scroll').scrollLeft"
    middle = browser.run(at)
    browser.press("d")
    right = browser.run(at)
    browser.press("a", "a")
    if not browser.run(at) < middle < right:
        fail(f"{name}: A and D move to {right} and {browser.run(at)} from {middle}")
    wheel = (
        "document.querySelector('.scroll').dispatchEvent(new WheelEvent('wheel', {deltaY: -100, cancelable: true, ctrlKey: %s}))"
    )
    for focus, held, wanted in (("focus", "false", 125), ("blur", "false", 100), ("blur", "true", 125)):
        browser.press("0")
        browser.run(f"document.querySelector('.scroll').{focus}(); " + wheel % held)
        if browser.run(scale) != wanted:
            fail(f"{name}: with {focus} and Ctrl {held} the wheel makes it {browser.run(scale)} % wide")
        browser.run("document.querySelector('.scroll').focus()")
    browser.press("0")
    browser.drag(".plot", -100, 100)
    if not 400 < browser.run(scale) < 700:
        fail(f"{name}: a drag makes it {browser.run(scale)} % wide")
    browser.press("0")
    cards = browser.run(
        "return [...document.querySelectorAll('.card')].map(c => [c.id, c.dataset.of.split(' ').map(Number),"
        "  ...[...c.querySelectorAll('.leads a')].map(a => a.getAttribute('href').slice(1))])"
    )
    marks = browser.run("return [...document.querySelectorAll('#picture-whole rect.found')].map(m => m.parentElement.getAttribute('href').slice(1))")
    if not cards or sorted(marks) != [card[0] for card in cards if card[1][0] >= 0 or len(card) > 4]:
        fail(f"{name}: marks {marks} of {cards}")
    order = browser.run("return [...document.querySelectorAll('main > section[id]')].map(s => s.id)")
    contents = browser.run("return [...document.querySelectorAll('.contents a')].map(a => a.getAttribute('href').slice(1))")
    if order != contents or order[1] != next((card[2] for card in cards if card[2] != "whole"), order[1]):
        fail(f"{name}: sections {order}, contents {contents}, findings in {cards}")
    number = cards[0][0]
    browser.click(f"#{number} .leads a[href='#whole']")
    shown = browser.run("return document.querySelectorAll('#picture-whole .shown').length")
    if shown != 1 or browser.run(scale) < 100:
        fail(f"{name}: the card shows {shown} times")
    browser.click(f"#{number} .copy")
    time.sleep(0.5)
    said = browser.run(f"return [document.querySelector('#{number} .copy').textContent, getSelection().toString()]")
    command = browser.run(f"return document.querySelector('#{number} .command').textContent")
    if said[0] not in ("Copied", "Selected") or not command.startswith("gtrace -") or said[1].split() != command.split():
        fail(f"{name}: copied {said}, and not {command}")


def check_goroutines(trace, text):
    """The table of goroutines by function has the numbers of the JSON."""
    wanted = found_by("-goroutines=10", trace)[:10]
    section = text[text.index("<section id=goroutines>"):]
    rows = re.findall(r"<tr id=g\d+>.*?(?=<tr|</table>)", section[: section.index("</section>")])
    if len(rows) != len(wanted):
        fail(f"{trace}: {len(rows)} functions of goroutines, and not {len(wanted)}")
    for want, have in zip(wanted, rows):
        for words in (f'title="{want["lived"]:,} ns"', f'title="{escaped(want["fn"])}"' if want["fn"] else "not known"):
            if words not in have:
                fail(f"{trace}: {words} is not in {have}")


def look_at_paths(browser, name):
    """A picture has a bar for each part, in the lane of its level. A click on one and Enter
    open what the bar is, with the stack."""
    look(browser, name)
    browser.open(name, 1280)
    browser.run("document.querySelectorAll('#requests > details').forEach(d => { d.open = true })")
    time.sleep(0.5)
    wrong = browser.run(
        "return [...document.querySelectorAll('#requests > details')].flatMap(row => {"
        "  const parts = [...row.querySelectorAll('li[data-part]')].map(p => p.dataset.part.split(' ').map(Number));"
        "  const bars = [...row.querySelectorAll('.plot > a > .bar')], shown = parts.filter(p => p[3] >= 0), top = {};"
        "  if (!parts.length) return [row.id + ': no parts'];"
        "  if (bars.length !== shown.length) return [`${row.id}: ${bars.length} bars of ${shown.length}`];"
        "  if (row.querySelector('.same')) return [row.id + ': stacks of others'];"
        "  shown.forEach((p, i) => { (top[bars[i].getAttribute('y')] ??= new Set()).add(p[2]) });"
        "  return Object.values(top).some(levels => levels.size !== 1) ? [row.id + ': levels that share a lane'] : [];"
        "})"
    )
    if wrong:
        fail(f"{name}: {wrong}")
    opened = (
        "return [...document.querySelectorAll('#q1 .path details')].filter(d => d.open)"
        ".map(d => d.id + ' ' + d.querySelectorAll('.stack').length)"
    )
    bars = browser.run("return [...document.querySelectorAll('#q1 .plot > a')].map(a => a.getAttribute('href').slice(1))")
    browser.run("document.querySelector('#q1 .plot > a:last-of-type').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    clicked = browser.run(opened)
    browser.run("document.querySelector('#q1 .plot > a').focus()")
    browser.press("\ue007")
    pressed = browser.run(opened)
    for found, bar in ((clicked, bars[-1]), (pressed, bars[0])):
        if len(found) != 1 or not re.fullmatch(bar + " [1-9]", found[0]):
            fail(f"{name}: {found} opened, and not {bar}")


lock = "testdata/go1.19-small/lock.trace"
silent = "testdata/go1.22-small/gens.trace"
traces = sorted(glob.glob("testdata/*.trace") + glob.glob("testdata/*-small/*.trace") + glob.glob("testdata/stops/*.trace"))
if "GTRACE_LONG" not in os.environ:
    # A page of any trace takes as long.
    traces = traces[::4]
named = hostile()
for trace in traces:
    check_numbers(trace, check(make(trace)))
page = make(named)
text = check(page)
for name in (FUNCTION, FILE[-8:]):
    if escaped(name.decode()) not in text:
        fail(f"{name} is not on the page")
if check_comparison("testdata/stops/go1.26_flight.trace", "testdata/stops/go1.27_copy.trace") < 4:
    fail("a comparison has no functions")
check_comparison(named, "testdata/after.trace")
check_comparison("testdata/before.trace", "testdata/after.trace", "-user")
if check_blocks(lock, Page(lock, check(make(lock)))) != 1:
    fail(f"{lock}: not one place")
collected = "testdata/go1.19-small/gc.trace"
if check_collections(collected, Page(collected, check(make(collected)))) < 1e6:
    fail(f"{collected}: no mark assists")
# Programs in which the reason is known.
for trace in sorted(glob.glob("testdata/paths/*.trace")) + ["testdata/go1.27-small/http.trace", "testdata/go1.22-small/task.trace", "testdata/go1.8-small/wide.trace"]:
    text = check(make(trace))
    if check_paths(trace, Page(trace, text), text) < 1:
        fail(f"{trace}: no path")
many = make("testdata/stops/go1.27_copy.trace", "-rows=1000")
check(many)
# The overview and the lengths of slices cover what filters leave out.
text = check(make("testdata/stops/go1.27_copy.trace", "-func=nothing$"))
for words, count in (
    ("No slice passes the filters", 2),
    ("No stop-the-world pause passes the filters", 1),
    ("No block (but for those at rest) passes the filters", 1),
    ("The filters do not apply here", 4),
    ("No goroutine ran", 0),
    ("No stop-the-world pause in this trace", 0),
):
    if text.count(words) != count:
        fail(f"with filters: {text.count(words)} times {words}")
# Without stacks nothing is said of what ran.
cut = os.path.join(scratch, "cut.trace")
with open("testdata/go1.27-small/http.trace", "rb") as file, open(cut, "wb") as to:
    to.write(file.read(9000))
text = check(make(cut, "-partial=unfinished"))
for words in ("waits, delays, blocks and collections count up to", ">unknown<", "damaged: read up to byte"):
    if words not in text:
        fail(f"of a trace that is cut off, not: {words}")
data = json.loads(Page(cut, text).data)
if not 0 <= data["known"] < data["whole"]["to"]:
    fail(f"of a trace that is cut off, known until {data['known']}")
print(f"{len(traces)} pages, and one whose names are HTML")
if MISSING:
    print("skipped: the browser:", MISSING)
    sys.exit()
browser = Browser()
try:
    for trace in ("testdata/before.trace", "testdata/stops/go1.27_copy.trace", silent, lock, collected, named):
        look(browser, make(trace))
    use(browser, make("testdata/stops/go1.27_copy.trace"))
    use(browser, make("testdata/go1.27-small/http.trace"))
    look_at_paths(browser, make("testdata/paths/chain.trace"))
    look_at_paths(browser, make("testdata/go1.27-small/http.trace"))
    browser.open(cut + ".html", 1400)
    if browser.run("return document.querySelectorAll('#picture-whole .missing').length") < 2:
        fail("of a trace that is cut off, nothing is missing in the picture")
    said = browser.run("return [...document.querySelectorAll('#picture-whole .legend li')].map(item => item.textContent)")
    if "not in the file" not in said:
        fail(f"of a trace that is cut off, the legend says {said}")
    browser.open(page, 1400)
    shown = browser.run("return document.body.textContent")
    if FUNCTION.decode() not in shown:
        fail("the browser does not show the name of a function as it is")
finally:
    browser.close()
print("8 pages in Chromium, at 360, 800, 1280 and 1920 pixels")
