# SPDX-License-Identifier: BSD-3-Clause
#
# pages_test.py TOOL VERSION SCRATCH [browse|none] - the pages of a patched go tool
# trace about processors, over HTTP: what they list, and that their links lead
# to that part of the timeline. With "browse" in headless Chromium, too. With
# "none" that there are no such pages.
import html
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, "tests")
from browser import MISSING, Browser  # noqa: E402

tool, version, scratch = sys.argv[1:4]
browse = sys.argv[4:] == ["browse"]
failures = 0

# What each release reads; the first one is for the browser.
TRACES = {
    "1.8": ["go1.8-small/gc", "go1.8-small/http"],
    "1.19": ["go1.19-small/http", "go1.8-small/gc", "go1.19-small/mix"],
    "1.21": ["go1.21-small/http", "go1.8-small/gc", "go1.21-small/gc"],
    "1.22": ["go1.22-small/http", "go1.8-small/gc", "go1.21-small/gc", "go1.22-small/stw", "go1.22-small/task"],
    "1.23": ["go1.22-small/http", "go1.19-small/gc", "go1.22-small/stw", "go1.22-small/task"],
    "1.24": ["go1.22-small/http", "go1.19-small/gc", "go1.22-small/stw", "go1.22-small/task"],
    "1.26": ["go1.22-small/http", "go1.19-small/gc", "go1.26-small/sys", "paths/created"],
    "1.27": ["stops/go1.27_copy", "go1.22-small/http", "go1.19-small/gc", "go1.26-small/sys", "go1.22-small/task", "paths/pipeline"],
}
PAGES = ("/findings", "/slices", "/stw", "/waits", "/blocks", "/paths")
ROW = re.compile(
    r'<td class="number"><a href="(/trace[^"#]*)#([0-9.]+):([0-9.]+)">([^<]+)</a></td>\n'
    r'<td class="number">(?:<a href="([^"]+)">([0-9]+)</a>)?'
)


def fail(message):
    global failures
    failures += 1
    print("FAIL:", message)


class Server:
    """The tool, which serves a trace."""

    def __init__(self, trace):
        # Without PATH there is no browser for it to open.
        log = open(os.path.join(scratch, "log"), "w+b")
        environment = {"HOME": scratch, "PATH": scratch, "GOROOT": os.environ.get("GOROOT", "")}
        self.process = subprocess.Popen(
            [tool, "-http=127.0.0.1:0", trace], stdout=log, stderr=subprocess.STDOUT, env=environment
        )
        for _ in range(600):
            log.seek(0)
            said = re.search(rb"listening on (http://\S+)\n", log.read())
            if said:
                break
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        log.seek(0)
        if not said:
            self.close()
            sys.exit(f"FAIL: no server for {trace}: {log.read()}")
        self.url = said.group(1).decode()

    def close(self):
        self.process.kill()
        self.process.wait()

    def get(self, path):
        """Returns the status of a page and its text."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=300) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


class Viewer:
    """A server of Go 1.8 as a browser can use it. Its timeline needs HTML imports,
    which browsers do not have any more, so it gets the viewer of Go 1.19."""

    FILES = "/usr/lib/go-1.19/src/cmd/trace/static/"
    MISSING = "" if os.path.exists(FILES + "trace_viewer_full.html") else f"no viewer of Go 1.19 in {FILES}"

    def __init__(self, server):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind = "text/html"
                if self.path == "/trace_viewer_html":
                    data = open(Viewer.FILES + "trace_viewer_full.html", "rb").read()
                elif self.path == "/webcomponents.js":
                    data = open(Viewer.FILES + "webcomponents.min.js", "rb").read()
                    kind = "text/javascript"
                else:
                    data = server.get(self.path)[1].encode()
                if re.match(r"/trace\b", self.path):
                    data = (
                        data.replace(b"<head>", b'<head><script src="/webcomponents.js"></script>')
                        .replace(b"'DOMContentLoaded'", b"'WebComponentsReady'")
                        .replace(b"viewer.appendChild(", b"Polymer.dom(viewer).appendChild(")
                    )
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def nanoseconds(milliseconds):
    return round(float(milliseconds) * 1e6)


def text_slices(trace):
    """The lengths and the times of the slices that -diagreedy prints."""
    lines = subprocess.run(
        [tool, "-diagreedy=50", trace], check=True, capture_output=True, text=True
    ).stdout.split("\n")
    slices = []
    for i, line in enumerate(lines):
        if re.match(r"\t\d+ns -> ", line):
            start = int(re.search(r" Ts: (\d+) ", lines[i + 1]).group(1))
            slices.append((start, start + int(line[1 : line.index("ns")])))
    return slices


def timeline(server, address):
    """The bars of a timeline, as (start, end) in nanoseconds."""
    status, text = server.get("/json" + html.unescape(address)[1:])
    if status != 200:
        fail(f"{address}: status {status}")
    bars = set()
    for event in json.loads(text)["traceEvents"]:
        if event["ph"] == "X":
            start = event["ts"] * 1000
            bars.add((round(start), round(start + event.get("dur", 0) * 1000)))
    return bars


def check_slices(server, trace):
    status, text = server.get("/slices?n=50")
    rows = ROW.findall(text)
    found = [(nanoseconds(row[1]), nanoseconds(row[2])) for row in rows]
    want = text_slices(trace)
    # Not all releases take the same event for the first one.
    shift = found[0][0] - want[0][0]
    want = [(start + shift, end + shift) for start, end in want]
    if status != 200 or found != want:
        fail(f"{trace}: /slices: status {status}, {found[:3]}..., want {want[:3]}...")
    starts, ends = zip(*timeline(server, rows[0][0]))
    # A slice with a system call is several bars. The bar of a goroutine that
    # runs when the trace begins starts at 0. Since Go 1.23 the tool converts
    # older traces, in which a few slices end with a later event then.
    half = [(start, end) for start, end in found if (start in starts) != (end in ends)]
    none = [(start, end) for start, end in found if start not in starts and end not in ends]
    if none or len(half) > 3:
        fail(f"{trace}: not in the timeline: {none}, by one end only: {half}")
    for address, goroutine in {row[4]: row[5] for row in rows if row[4]}.items():
        status, text = server.get(html.unescape(address))
        if status != 200 or not re.search(rf"\b{goroutine}\b", text):
            fail(f"{trace}: {address}: status {status}, without goroutine {goroutine}")
    if not any(row[4] for row in rows):
        fail(f"{trace}: no link to a goroutine")
    # Those of the program are some of all, in their order.
    every = [row[1:3] for row in ROW.findall(server.get("/slices?n=10000")[1])]
    status, text = server.get("/slices?n=10&user=1")
    user = [row[1:3] for row in ROW.findall(text)]
    if status != 200 or not user or user != [row for row in every if row in user] or "<td><code>runtime." in text:
        fail(f"{trace}: /slices?user=1: status {status}, {user}")
    return len(rows)


def check_stops(server, trace):
    status, text = server.get("/stw?n=50")
    rows = re.findall(r'<a href="/trace[^"#]*#[0-9.]+:[0-9.]+">', text)
    said = subprocess.run([tool, "-stw=50", "-format=text", trace], check=True, capture_output=True, text=True).stdout
    measured, inferred = re.match(
        r"stops of the world: (\d+) measured, \d+ not measured, (\d+) inferred", said
    ).groups()
    if status != 200 or len(rows) != min(50, int(measured)) + min(50, int(inferred)):
        fail(f"{trace}: /stw: status {status}, {len(rows)} rows for {measured} + {inferred} stops")
    return len(rows)


def check_waits(server, trace):
    status, text = server.get("/waits?n=50")
    found = [(nanoseconds(row[1]), nanoseconds(row[2]), int(row[5] or 0)) for row in ROW.findall(text)]
    said = subprocess.run(
        [tool, "-wait=50", "-format=json", trace], check=True, capture_output=True, text=True
    ).stdout
    want = []
    for line in said.splitlines():
        wait = json.loads(line)
        # The timeline marks nothing that has no length.
        want.append((wait["start"], wait["start"] + max(wait["wait"], 1), wait["g"]))
    # Not all releases take the same event for the first one, or know each goroutine.
    shift = found[0][0] - want[0][0]
    same = [
        (start + shift, end + shift) == row[:2] and row[2] in (g, 0)
        for (start, end, g), row in zip(want, found)
    ]
    if status != 200 or len(found) != len(want) or not all(same) or not any(row[2] for row in found):
        fail(f"{trace}: /waits: status {status}, {found[:3]}..., want {want[:3]}...")
    return len(found)


def check_blocks(server, trace):
    status, text = server.get("/blocks?n=50")
    rows = re.findall(r'<a href="/trace[^"#]*#[0-9.]+:[0-9.]+">', text)
    said = subprocess.run(
        [tool, "-block=50", "-format=json", trace], check=True, capture_output=True, text=True
    ).stdout
    want = sum(not json.loads(line)["rest"] for line in said.splitlines())
    if status != 200 or len(rows) != want:
        fail(f"{trace}: /blocks: status {status}, {len(rows)} rows, want {want}")
    return len(rows)


def check_findings(server, trace):
    """The first finding is the one that the headline tells, unless that is of the machine."""
    status, text = server.get("/findings?n=5")
    headline = re.search(r"<b>(.*?)</b>", text)
    rows = re.findall(r'<tr>\n<td class="number">[0-9.]+[mµn]?s</td>.*?</tr>', text, flags=re.S)
    if status != 200 or not headline or len(rows) > 5 or bool(rows) == headline[1].startswith("Nothing stands out"):
        fail(f"{trace}: /findings: status {status}, {len(rows)} rows, {headline and headline[1]}")
    for row in rows:
        if not re.search(r'<a href="/(slices|stw|waits|blocks|paths)">|<code>go tool trace -', row):
            fail(f"{trace}: /findings: no details in {row}")
    return len(rows)


def go_duration(text):
    """1m2.5s, 3.25ms, 40µs and 7ns in nanoseconds."""
    units = {"h": 3600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6, "µs": 10**3, "ns": 1}
    return round(sum(float(number) * units[unit] for number, unit in re.findall(r"([0-9.]+)(ms|µs|ns|[hms])", text)))


def check_paths(server, trace):
    """The parts of each path follow one another, and fill it; what is long leads to the timeline."""
    status, text = server.get("/paths?n=2")
    link = r'<a href="/trace[^"#]*#([0-9.]+):([0-9.]+)">([^<]+)</a>'
    paths = [path.split("<h2>")[0] for path in text.split("<h3>")[1:]]
    for path in paths:
        start, end, length = re.search(link, path).groups()
        at = nanoseconds(start)
        if nanoseconds(end) - at != max(1, go_duration(length)):
            fail(f"{trace}: /paths: {length} from {start} to {end}")
        for took in re.findall(r'<tr>\s*<td class="number">(.*?)</td>', path):
            found = re.fullmatch(link, took)
            if found and (nanoseconds(found[1]), nanoseconds(found[2])) != (at, at + go_duration(found[3])):
                fail(f"{trace}: /paths: {took}, want it from {at} ns on")
            at += go_duration(found[3] if found else took)
        if at != nanoseconds(end) and go_duration(length):
            fail(f"{trace}: /paths: parts end at {at} ns, want {end} ms")
    said = re.search(r"No request begins|Below are the kinds of requests", text)
    if status != 200 or not said or said[0].startswith("No ") != (not paths):
        fail(f"{trace}: /paths: status {status}, {len(paths)} paths")
    return len(paths)


def check_main(server):
    status, text = server.get("/")
    if status != 200:
        fail(f"/: status {status}")
    main = text
    for link in PAGES:
        if f'<a href="{link}">' not in main:
            fail(f"no link to {link} on the main page")
        for query, want in (("", 200), ("?n=3", 200), ("?n=0", 400), ("?n=x", 400), ("?n=-1", 400), ("?n=10001", 400)):
            status, text = server.get(link + query)
            if status != want:
                fail(f"{link}{query}: status {status}, want {want}")
    status, text = server.get("/slices?user=2")
    if status != 400:
        fail(f"/slices?user=2: status {status}")


def look(browser, server, table):
    """From the main page to a row, and from there to the timeline."""
    browser.go(server.url + "/")
    browser.click(f'a[href="{table}"]')
    row = browser.wait(
        "const a = document.querySelector('.details a[href^=\"/trace\"]');"
        "return a && [a.hash, document.documentElement.scrollWidth, innerWidth]"
    )
    if row[1] > row[2]:
        fail(f"{table}: {row[1]} pixels wide in a window of {row[2]}")
    browser.click('.details a[href^="/trace"]')
    want = [float(number) for number in row[0][1:].split(":")]
    # The timeline sets the range once it has its model.
    shown = browser.wait(
        "const v = document.querySelector('tr-ui-timeline-view');"
        "if (!v || !v.model || !v.trackView) return null;"
        "const r = v.trackView.viewport.interestRange;"
        "if (r.isEmpty) return null;"
        "let bars = [];"
        "for (const t of v.model.getAllThreads())"
        "  for (const s of t.sliceGroup.slices) bars.push([s.start, s.end, s.title]);"
        "return [location.hash, r.min, r.max, bars]"
    )
    def near(a, b):
        return abs(a - b) < 1e-6

    if shown[0] != row[0] or not near(shown[1], want[0]) or not near(shown[2], want[1]):
        fail(f"{table}: the timeline marks {shown[:3]}, want {want}")
    bars = [bar for bar in shown[3] if near(bar[0], want[0]) and near(bar[1], want[1])]
    if table == "/slices" and not bars:
        fail(f"{table}: no bar of {len(shown[3])} lies at {want}")
    print(f"{table} in Chromium: {shown[1]} to {shown[2]} ms marked, {[bar[2] for bar in bars]}")


def check_none(server):
    main = server.get("/")
    if main[0] != 200 or any(link in main[1] for link in PAGES):
        fail(f"/ without pages: status {main[0]}, or with a link")
    # Every page that there is not is the main page.
    for link in PAGES:
        if server.get(link) != main:
            fail(f"there is a page {link}")


paths = 0
release = re.match(r"go(1\.\d+)", version).group(1)
for number, name in enumerate(TRACES[release]):
    trace = f"testdata/{name}.trace"
    server = Server(trace)
    try:
        if sys.argv[4:] == ["none"]:
            check_none(server)
            print(f"{trace}: no pages")
            continue
        check_main(server)
        slices, stops, waits = check_slices(server, trace), check_stops(server, trace), check_waits(server, trace)
        print(f"{trace}: {slices} slices, {stops} stops, {waits} waits, {check_blocks(server, trace)} places, {check_findings(server, trace)} findings")
        paths += check_paths(server, trace)
        if number == 0 and browse and MISSING:
            print("skipped: the browser:", MISSING)
        elif number == 0 and browse and release == "1.8" and Viewer.MISSING:
            print("skipped: the browser:", Viewer.MISSING)
        elif number == 0 and browse:
            browser = Browser()
            seen = Viewer(server) if release == "1.8" else server
            try:
                look(browser, seen, "/slices")
                if stops:
                    look(browser, seen, "/stw")
                look(browser, seen, "/waits")
            finally:
                browser.close()
                if seen is not server:
                    seen.close()
    finally:
        server.close()
if paths == 0 and sys.argv[4:] != ["none"]:
    fail("no trace has a path")
print(f"{paths} paths")
sys.exit(failures != 0)
