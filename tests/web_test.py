# SPDX-License-Identifier: BSD-3-Clause
#
# web_test.py PAGE GTRACE SCRATCH - see web_test.sh.
import glob
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, "tests")
sys.path.insert(0, "c/page")
from browser import MISSING, Browser, Firefox  # noqa: E402
from template import stripped  # noqa: E402

page, gtrace, scratch = sys.argv[1:]
failures = 0


def fail(message):
    global failures
    failures += 1
    print("FAIL:", message)


def native(folder, *flags):
    return subprocess.run([gtrace, *flags], cwd=folder, capture_output=True, text=True)


class Page:
    """The page in a browser."""

    def start(self, width=1280):
        self.open(os.path.abspath(page), width)

    def choose(self, *paths):
        # The driver adds files to those that are chosen.
        self.run("document.getElementById('file').value = ''")
        self.upload("#file", list(map(os.path.abspath, paths)))

    def done(self):
        """Waits until a job has ended."""
        self.wait(
            "const $ = id => document.getElementById(id);"
            "return $('work').hidden && !($('report').hidden && $('text').hidden && $('failure').hidden) || null"
        )

    def shown(self):
        """What the page shows once a job has ended: the report, the text, the message."""
        self.done()
        return self.run(
            "const $ = id => document.getElementById(id);"
            "return [$('report').hidden ? '' : $('report').srcdoc, $('text').hidden ? '' : $('text').textContent,"
            " $('failure').hidden ? '' : $('message').textContent, !$('partial').hidden]"
        )

    def gone(self):
        """Waits until what was shown before is gone."""
        self.run("for (const id of ['report', 'text', 'failure']) document.getElementById(id).hidden = true")


def check_reports(browser):
    traces = sorted(glob.glob("testdata/go1.27-small/*.trace") + glob.glob("testdata/go1.8-small/*.trace"))
    for trace in traces:
        folder, name = os.path.split(trace)
        browser.start()
        browser.choose(trace)
        report, _, message, _ = browser.shown()
        want = native(folder, "-html=-", "-rows=10", name)
        if report != want.stdout or message != want.stderr.strip():
            fail(f"{trace}: the page is not that of the command: {len(report)} and {len(want.stdout)} characters; {message}")
    return len(traces)


def check_frame(browser):
    """The script of the report runs in its frame, and finds its data."""
    browser.start()
    browser.choose("testdata/go1.27-small/cpu.trace")
    browser.done()
    frame = browser.ask(browser.session + "/element", {"using": "css selector", "value": "#report"})
    browser.ask(browser.session + "/frame", {"id": frame})
    if not browser.wait("return document.querySelectorAll('#picture-whole svg').length"):
        fail("the report has no picture")
    browser.ask(browser.session + "/frame", {"id": None})


def check_messages(browser):
    """A damaged trace, what is no trace, one that is packed, two traces, filters."""
    trace = "testdata/stops/go1.27_copy.trace"
    cut, text, packed = (os.path.join(scratch, name) for name in ("cut.trace", "text", "copy.trace.gz"))
    # It has several generations.
    with open("testdata/go1.27-small/gens.trace", "rb") as file:
        data = file.read()
    with open(cut, "wb") as file:
        file.write(data[: len(data) * 4 // 5])
    with open(text, "w") as file:
        file.write("this text is no trace of a program\n")
    with open(packed, "wb") as file:
        subprocess.run(["gzip", "-c", trace], stdout=file, check=True)

    browser.start()
    for path, may_be_partial in ((text, False), (cut, True)):
        browser.choose(path)
        _, _, message, partial = browser.shown()
        want = native(scratch, "-html=-", os.path.basename(path)).stderr.strip()
        if message != want or partial != may_be_partial:
            fail(f"{path}: {message!r}, want {want!r}")
        if not may_be_partial:
            browser.gone()
    browser.click("#partial")
    report, _, message, _ = browser.shown()
    if report != native(scratch, "-partial", "-html=-", "-rows=10", "cut.trace").stdout or message == "":
        fail(f"-partial: {len(report)} characters; {message}")

    browser.start()
    browser.choose(packed)
    if "copyOnce" not in browser.shown()[0]:
        fail("a packed trace has no report")

    browser.start()
    browser.choose("testdata/before.trace", "testdata/after.trace")
    want = native("testdata", "-compare", "before.trace", "after.trace").stdout
    if browser.shown()[1] != want:
        fail("the comparison is not that of the command")

    browser.start()
    browser.choose(trace)
    browser.shown()
    browser.run(
        "const f = document.getElementById('filters').elements;"
        "document.getElementById('report').hidden = true;"
        "f.from.value = '20ms'; f.to.value = '40ms'; f.user.checked = true; f.rows.value = 3;"
        "document.getElementById('filters').requestSubmit()"
    )
    want = native("testdata/stops", "-from=20ms", "-to=40ms", "-user", "-html=-", "-rows=3", "go1.27_copy.trace").stdout
    if browser.shown()[0] != want:
        fail("filters: the page is not that of the command")


def drop(browser, size):
    """Drops a text that says that it has SIZE bytes."""
    browser.run(
        "const file = new File(['this is no trace'], 'text.txt');"
        f"Object.defineProperty(file, 'size', {{value: {size}}});"
        "const event = new DragEvent('drop', {bubbles: true, cancelable: true});"
        "Object.defineProperty(event, 'dataTransfer', {value: {files: [file]}});"
        "document.body.dispatchEvent(event)"
    )
    return browser.shown()


def check_drop(browser):
    """A file that is dropped is read, unless it is too large."""
    with open(os.path.join(scratch, "text.txt"), "w") as file:
        file.write("this is no trace")
    want = native(scratch, "-html=-", "text.txt").stderr.strip()
    browser.start()
    message = drop(browser, 16)[2]
    if not want or message != want:
        fail(f"what is dropped: {message!r}, want {want!r}")
    browser.gone()
    report, text, message, partial = drop(browser, 2_000_000_001)
    if report or text or partial or "2000.0 MB" not in message or "gtrace -html=report.html text.txt" not in message:
        fail(f"a file that is too large: {message!r}")


def check_large(browser):
    """What is done is told at once and all the time; a job ends when it is
    cancelled, and the next one works."""
    large = os.path.join(scratch, "large.trace")
    browser.start()
    browser.run(
        "const $ = id => document.getElementById(id), told = window.told = [];"
        "let begun;"
        "$('file').addEventListener('change', () => { begun = performance.now() });"
        "new MutationObserver(() => told.push([performance.now() - begun, $('state').textContent]))"
        ".observe($('state'), {childList: true});"
        "window.shown = new Promise(done => new MutationObserver(() => done(performance.now() - begun))"
        ".observe(document.body, {childList: true}))"
    )
    browser.choose(large)
    report, _, message, _ = browser.shown()
    if not report or message:
        fail(f"a large trace: {len(report)} characters, {message!r}")
    told, shown = browser.run("return window.shown.then(time => [window.told, time])")
    read = [time for time, text in told if " read" in text]
    analysed = [text for _, text in told if "analysed" in text]
    if not read or not analysed:
        fail(f"progress: {told}")
    print(f"{os.path.getsize(large)} bytes: the first ones read after {read[0]:.0f} ms, the report after {shown:.0f} ms")

    browser.gone()
    browser.choose(large, "testdata/go1.27-small/cpu.trace")
    _, text, message, _ = browser.shown()
    if not text or message:
        fail(f"a large trace is compared: {len(text)} characters, {message!r}")

    browser.start()
    browser.choose(large)
    analysing = browser.wait("return /analysed/.test(document.getElementById('state').textContent) || null")
    browser.click("#cancel")
    hidden = browser.run("return document.getElementById('work').hidden")
    if not analysing or not hidden or browser.run("return document.getElementById('report').checkVisibility()"):
        fail("a job goes on after it was cancelled")
    browser.choose("testdata/go1.27-small/cpu.trace")
    if not browser.shown()[0]:
        fail("no report after a job was cancelled")


def heap(browser):
    browser.ask(browser.session + "/goog/cdp/execute", {"cmd": "HeapProfiler.collectGarbage", "params": {}})
    browser.ask(browser.session + "/goog/cdp/execute", {"cmd": "Performance.enable", "params": {}})
    metrics = browser.ask(browser.session + "/goog/cdp/execute", {"cmd": "Performance.getMetrics", "params": {}})
    return next(m["value"] for m in metrics["metrics"] if m["name"] == "JSHeapUsedSize")


def check_memory(browser):
    browser.start()
    sizes = []
    for _ in range(10):
        browser.gone()
        browser.choose("testdata/before.trace")
        browser.done() # what a driver is told stays in memory
        sizes.append(heap(browser))
    if sizes[9] > sizes[1] * 1.2:
        fail(f"memory grows: {sizes}")
    targets = browser.ask(browser.session + "/goog/cdp/execute", {"cmd": "Target.getTargets", "params": {}})
    workers = [t for t in targets["targetInfos"] if t["type"] == "worker"]
    if workers:
        fail(f"{len(workers)} workers are left")
    print(f"heap {sizes[1]} and {sizes[9]}")


def check_network(browser):
    """Nothing but the page itself, and what is made in it, was asked for."""
    asked = set()
    for entry in browser.ask(browser.session + "/se/log", {"type": "performance"}):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.add(message["params"]["request"]["url"].split(":")[0])
    if not asked <= {"file", "blob", "data", "about"}:
        fail(f"requests by {asked}")
    blocked = browser.run(
        "return fetch('http://127.0.0.1:9/').then(() => 'sent', error => String(error))"
        ".then(text => text)"
    )
    if "sent" in blocked:
        fail("a connection is possible")


class Chromium(Page, Browser):
    pass


class FirefoxPage(Page, Firefox):
    pass


def check(browser, more):
    started = time.monotonic()
    try:
        count = check_reports(browser)
        check_messages(browser)
        check_drop(browser)
        check_large(browser)
        for function in more:
            function(browser)
    finally:
        browser.close()
    print(f"{type(browser).__name__}: {count} traces, {time.monotonic() - started:.0f} s")


def check_size():
    """Of the file, and of script and style without comments, as they are in it."""
    people = 0
    for name in glob.glob("c/web/*.js") + glob.glob("c/web/*.css") + ["c/page/page.js", "c/page/page.css"]:
        with open(name, encoding="utf-8") as file:
            people += len(stripped(file.read()))
    size = os.path.getsize(page)
    if size > 700_000 or people > 60_000:
        fail(f"{size} bytes, {people} of them script and style")
    print(f"{size} bytes, {people} of them script and style")


check_size()
for missing, kind, more in (
    (MISSING, Chromium, [check_frame, check_memory, check_network]),
    (Firefox.MISSING, FirefoxPage, []),
):
    if missing:
        print("skipped: a browser:", missing)
    else:
        check(kind(), more)
sys.exit(failures != 0)
