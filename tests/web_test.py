# SPDX-License-Identifier: BSD-3-Clause
#
# web_test.py PAGE GTRACE SCRATCH - see web_test.sh.
import glob
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
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


def html(trace, *flags, rows=10):
    folder, name = os.path.split(trace)
    return native(folder, *flags, "-html=-", f"-rows={rows}", "--", name).stdout


TAB, ENTER, SPACE = "\ue004", "\ue007", " "


class Page:
    """The page in a browser, which saves files in the folder downloads."""

    def start(self, width=1280):
        self.open(os.path.abspath(page), width)

    def choose(self, *paths):
        # The driver adds files to those that are chosen.
        self.run("document.getElementById('file').value = ''")
        self.upload("#file", list(map(os.path.abspath, paths)))

    def give(self, path):
        """Drops a file on the page."""
        self.run("document.body.insertAdjacentHTML('beforeend', '<input type=file id=given hidden>')")
        self.upload("#given", [os.path.abspath(path)])
        self.run(
            "const given = document.getElementById('given');"
            "const event = new DragEvent('drop', {bubbles: true, cancelable: true});"
            "Object.defineProperty(event, 'dataTransfer', {value: {files: given.files}});"
            "given.remove(); document.body.dispatchEvent(event)"
        )

    def done(self):
        """Waits until a job has ended."""
        self.wait(
            "const $ = id => document.getElementById(id);"
            "return $('work').hidden && !($('report').hidden && $('failure').hidden) || null"
        )

    def shown(self):
        """What the page shows once a job has ended: the report, the message."""
        self.done()
        return self.run(
            "const $ = id => document.getElementById(id);"
            "return [$('report').hidden ? '' : $('report').srcdoc,"
            " $('failure').hidden ? '' : $('message').textContent, !$('partial').hidden]"
        )

    def focus(self, selector):
        self.run(f"document.querySelector('{selector}').focus()")

    def focused(self):
        """The name of the element that keys go to, and how wide its outline is."""
        return self.run(
            "const at = document.activeElement, style = getComputedStyle(at);"
            "return [at.id || at.name || at.textContent,"
            " at.matches(':focus-visible') && style.outlineStyle !== 'none' ? parseFloat(style.outlineWidth) : 0]"
        )

    def gone(self):
        """Waits until what was shown before is gone."""
        self.run("for (const id of ['report', 'failure']) document.getElementById(id).hidden = true")


def check_reports(browser):
    traces = sorted(glob.glob("testdata/go1.27-small/*.trace") + glob.glob("testdata/go1.8-small/*.trace"))
    for trace in traces:
        folder, name = os.path.split(trace)
        browser.start()
        browser.give(trace)
        report, message, _ = browser.shown()
        want = native(folder, "-html=-", "-rows=10", name)
        for flag, field in (("-diagreedy=10", "duration"), ("-stw=10", "stopping"), ("-wait=10", "wait")):
            for line in native(folder, flag, "-format=json", name).stdout.splitlines():
                value = json.loads(line).get(field)
                if value not in (None, -1) and f'title="{value:,} ns"' not in report:
                    fail(f"{trace}: the page does not have {field} {value}")
        if report != want.stdout or message != want.stderr.strip():
            fail(f"{trace}: the page is not that of the command: {len(report)} and {len(want.stdout)} characters; {message}")
    return len(traces)


def check_frame(browser):
    """The script of the report runs in its frame, and finds its data."""
    browser.start()
    browser.choose("testdata/go1.27-small/cpu.trace")
    browser.done()
    browser.frame("#report")
    if not browser.wait("return document.querySelectorAll('#picture-whole svg').length || null"):
        fail("the report has no picture")
    browser.drag("#picture-whole .plot", -100, 100)
    browser.frame(None)
    times = browser.wait(
        "const f = document.getElementById('filters').elements; return f.to.value && [f.from.value, f.to.value] || null"
    )
    browser.wait("return document.getElementById('report').srcdoc.includes('only what passes the filters') || null")
    want = html("testdata/go1.27-small/cpu.trace", "-from=" + times[0], "-to=" + times[1])
    if browser.shown()[0] != want:
        fail(f"a drag over the overview, from {times}: the report is not that of the command")


def check_keyboard(browser):
    """All can be done with the keyboard, and what has the focus is to be seen."""
    trace = "testdata/stops/go1.27_copy.trace"
    browser.start()
    browser.press(TAB)
    if browser.focused()[0] != "file" or browser.run("return document.getElementById('file').type") != "file":
        fail(f"the first Tab leads to {browser.focused()}")
    browser.run(
        "window.opened = 0; document.getElementById('file').addEventListener('click',"
        " event => { event.preventDefault(); window.opened++ })"
    )
    browser.press(SPACE)
    if browser.run("return window.opened") != 1:
        fail("Space does not open the file control")
    browser.choose(trace)
    if browser.shown()[0] != html(trace):
        fail("the report is not that of the command")
    browser.focus("#file")
    order = ["file", "from", "to", "func", "p", "g", "rows", "user", "Apply", "Clear", "format", "save", "cut", "anonymise"]
    for i, want in enumerate(order):
        if i > 0:
            browser.press(TAB)
        name, outline = browser.focused()
        if name != want or outline < 1:
            fail(f"Tab {i} leads to {name}, want {want}; its outline is {outline} wide")
    # Enter in a field applies the filters, and Space on Clear removes them.
    browser.focus("[name=from]")
    browser.gone()
    browser.press(*"20ms", ENTER)
    if browser.shown()[0] != html(trace, "-from=20ms"):
        fail("Enter in a field does not apply the filters")
    browser.focus("[name=user]")
    browser.press(SPACE, TAB)
    browser.gone()
    browser.press(ENTER)
    if browser.shown()[0] != html(trace, "-from=20ms", "-user"):
        fail("Space on a box, and Enter on Apply, do not apply the filters")
    browser.focus("[type=reset]")
    browser.gone()
    browser.press(SPACE)
    if browser.shown()[0] != html(trace):
        fail("Space on Clear does not remove the filters")


def check_roles(browser):
    """What a screen reader is told about what changes."""
    browser.start()
    said = browser.run(
        "const $ = id => document.getElementById(id);"
        "return [$('state').getAttribute('role'), $('state').checkVisibility(), $('progress').tagName,"
        " $('progress').getAttribute('aria-labelledby'), $('failure').getAttribute('role'),"
        " [...document.querySelectorAll('input:not([type=checkbox]), select')].filter(e => !e.labels.length).length]"
    )
    if said != ["status", True, "PROGRESS", "state", "alert", 0]:
        fail(f"roles: {said}")


REPORTS = {
    "slices": "diagreedy", "pauses": "stw", "waits": "wait", "delays": "delay", "blocks": "block",
    "goroutines": "goroutines", "requests": "requests",
}
ALL = [f"-{flag}=10" for flag in REPORTS.values()]
# What is saved: its name in the list, the end of the file's name, and the flags that make it.
SAVED = [
    ("HTML page", ".html", ["-html=-", "-rows=10"]),
    ("text: all reports", ".txt", ALL),
    ("JSON: all reports", ".json", [*ALL, "-format=json"]),
    ("JSON: summary", ".summary.json", ["-format=json"]),
    *((f"CSV: {name}", f".{name}.csv", [f"-{flag}=10", "-format=csv"]) for name, flag in REPORTS.items()),
    *(
        (f"profile for pprof: {name}", f".{name}.pprof", [f"-pprof={name}"])
        for name in ("greedy", "stw", "wait", "delay", "block", "unblock", "assist", "path")
    ),
    ("collections, as GODEBUG=gctrace=1", ".gctrace.txt", ["-gctrace"]),
    ("timeline for Perfetto", ".timeline.json", ["-timeline"]),
]
SAVED_OF_TWO = [
    ("HTML page", ".comparison.html", ["-html=-"]), ("text", ".comparison.txt", []),
    ("JSON", ".comparison.json", ["-format=json"]),
]


def saved(browser, label, name):
    """What the file NAME holds after LABEL was chosen and saved. None: there is no file."""
    browser.run(
        f"const list = document.getElementById('format'), i = [...list.options].findIndex(o => o.text === '{label}');"
        "list.selectedIndex = i"
    )
    return downloaded(browser, "#save", name)


def downloaded(browser, button, name):
    """What the file NAME holds that a click on BUTTON saves. None: there is no file."""
    # After ten files Chromium saves no more without a click.
    browser.click(button)
    path = os.path.join(browser.downloads, name)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        # Browsers give a file another name as long as it has no end.
        unfinished = [other for other in os.listdir(browser.downloads) if other.endswith((".crdownload", ".part"))]
        if os.path.exists(path) and os.path.getsize(path) and not unfinished:
            with open(path, "rb") as file:
                return file.read()
        time.sleep(0.05)
    return None


def check_saved(browser):
    """Each format, byte for byte, with and without a filter."""
    browser.start()
    browser.choose("testdata/stops/go1.27_copy.trace")
    browser.shown()
    check_formats(browser, SAVED, "testdata/stops", [], ["go1.27_copy.trace"])
    browser.choose("testdata/stops/go1.26_flight.trace")
    browser.shown()
    browser.run("document.getElementById('filters').elements.p.value = '0'")
    # Three reports do not go with that filter.
    want = subprocess.run(
        [gtrace, "-p=0", *ALL[:4], "-format=json", "go1.26_flight.trace"], cwd="testdata/stops", capture_output=True
    ).stdout
    if not want or saved(browser, "JSON: all reports", "go1.26_flight.trace.json") != want:
        fail("all reports of what passes a filter")
    # What is saved while a report is made does not end that report.
    browser.run("document.getElementById('filters').requestSubmit(); document.getElementById('save').click()")
    if browser.wait("return document.getElementById('report').hidden ? null : 1", 20) != 1:
        fail("no report after something was saved")
    browser.start()
    browser.choose("testdata/before.trace", "testdata/after.trace")
    browser.shown()
    check_formats(browser, SAVED_OF_TWO, "testdata", ["-compare"], ["before.trace", "after.trace"])


def check_formats(browser, formats, folder, flags, traces):
    offered = browser.run("return [...document.getElementById('format').options].map(option => option.text)")
    if offered != [label for label, _, _ in formats]:
        fail(f"what can be saved is {offered}")
    for label, end, more in formats:
        data = saved(browser, label, "-".join(traces) + end)
        want = subprocess.run([gtrace, *flags, *more, *traces], cwd=folder, capture_output=True).stdout
        if not want or data != want:
            fail(f"{label}: {data and len(data)} bytes are saved, the command prints {len(want)}")


def check_parts(browser):
    """New traces: a part of one, and one with other names."""
    trace = "testdata/go1.27-small/gens.trace"
    with open(trace, "rb") as file:
        whole = file.read()
    state = "return document.getElementById('state').textContent"
    times = "const f = document.getElementById('filters').elements; [f.from.value, f.to.value] = "
    browser.start()
    browser.choose(trace)
    browser.shown()
    browser.click("#cut")
    if "Choose a time first" not in browser.shown()[1]:
        fail(f"a cut of no time: {browser.shown()[1]}")
    browser.run(times + "['1.5s', '1.6s']")
    part = downloaded(browser, "#cut", "gens.part.trace")
    folder, name = os.path.split(trace)
    want = subprocess.run([gtrace, "-cut=1.5s,1.6s", "-o=-", name], cwd=folder, capture_output=True)
    said = want.stderr.decode().strip().replace("-: ", "gens.part.trace: ", 1).replace("\n", "; ")
    if not part or part != want.stdout or browser.run(state) != said:
        fail(f"a cut has {part and len(part)} bytes, that of the command {len(want.stdout)}: {browser.run(state)}")
    both = downloaded(browser, "#anonymise", "gens.part.anonymous.trace")
    browser.run(times + "['', '']")
    names = downloaded(browser, "#anonymise", "gens.anonymous.trace")
    for data, of in ((both, part), (names, whole)):
        if not data or len(data) != len(of) or b"main.ages" in data or b"main.ages" not in of:
            fail(f"other names: {data and len(data)} bytes of {len(of)}")
    if browser.shown()[0] != html(trace):
        fail("the report has changed as new traces were made")
    # Older traces have no parts.
    browser.choose("testdata/go1.8-small/http.trace")
    browser.shown()
    browser.run(times + "['1ms', '']")
    browser.click("#cut")
    browser.wait("return document.getElementById('failure').hidden ? null : 1")
    if "Go 1.21 or older cannot be cut" not in browser.shown()[1]:
        fail(f"a cut of an old trace: {browser.shown()[1]}")


def check_several(browser):
    """Several traces are a list, two a comparison too, also with one name."""
    traces = ["testdata/before.trace", "testdata/after.trace", "testdata/stops/go1.27_copy.trace"]
    listed = (
        "return [...document.querySelectorAll('#traces button')]"
        ".map(b => b.textContent + (b.getAttribute('aria-current') === 'true' ? '*' : ''))"
    )
    browser.start()
    browser.choose(*traces)
    if browser.shown()[0] != html(traces[0]) or browser.run(listed) != ["before.trace*", "after.trace", "go1.27_copy.trace"]:
        fail(f"three traces: {browser.run(listed)}")
    browser.focus("#traces button:nth-child(3)")
    browser.gone()
    browser.press(ENTER)
    if browser.shown()[0] != html(traces[2]) or browser.focused()[0] != "go1.27_copy.trace":
        fail(f"the third trace: {browser.run(listed)}, {browser.focused()}")

    # Traces of two folders that have one name, which begins as a flag does.
    for i, trace in enumerate(traces[:2]):
        folder = os.path.join(scratch, f"folder{i}")
        os.makedirs(folder, exist_ok=True)
        for name in (os.path.join(folder, "-x.trace"), os.path.join(scratch, "-x.trace (2)" if i else "-x.trace")):
            shutil.copy(trace, name)
    browser.start()
    browser.choose(os.path.join(scratch, "folder0/-x.trace"), os.path.join(scratch, "folder1/-x.trace"))
    want = native(scratch, "-compare", "-html=-", "--", "-x.trace", "-x.trace (2)").stdout
    if not want or browser.shown()[0] != want or browser.run(listed) != ["-x.trace", "-x.trace (2)", "comparison*"]:
        fail(f"two traces with one name: {browser.run(listed)}")
    browser.focus("#traces button")
    browser.gone()
    browser.press(SPACE)
    if browser.shown()[0] != html(os.path.join(scratch, "-x.trace")):
        fail("a trace of a comparison has another report")


# Controls that are to be seen but are not in the window, or overlap.
MISPLACED = """
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`${document.documentElement.scrollWidth} wide`);
  const seen = [...document.querySelectorAll('h1, p, label, input, select, button, progress, #message')]
    .filter(e => e.checkVisibility() && !e.classList.contains('done'));
  const boxes = seen.map(e => e.getBoundingClientRect());
  boxes.forEach((a, i) => {
    const name = seen[i].id || seen[i].textContent || seen[i].name;
    if (a.left < 0 || a.right > innerWidth) wrong.push(`${name} from ${a.left} to ${a.right}`);
    boxes.forEach((b, j) => {
      if (j > i && !seen[i].contains(seen[j]) && a.left < b.right - 1 && b.left < a.right - 1 &&
          a.top < b.bottom - 1 && b.top < a.bottom - 1) wrong.push(`${name} over ${seen[j].id || seen[j].textContent}`);
    });
  });
  return [innerWidth, wrong]"""


def check_widths(browser):
    """Nothing overlaps or is cut off, from 360 to 1920 pixels."""
    states = [
        [], ["testdata/go1.27-small/cpu.trace"], ["testdata/before.trace", "testdata/after.trace"],
        [os.path.join(scratch, "cut.trace")], [os.path.join(scratch, "cut.trace"), "testdata/before.trace", "testdata/after.trace"],
    ]
    widths = set()
    for paths in states:
        browser.start()
        if paths:
            browser.choose(*paths)
            browser.done()
        for width in (360, 640, 1920):
            browser.resize(width)
            inner, wrong = browser.run(MISPLACED)
            widths.add(inner)
            if wrong:
                fail(f"{len(paths)} traces, {inner} pixels: {wrong}")
            if browser.run("return !document.getElementById('report').hidden"):
                browser.frame("#report")
                inner, scroll = browser.run("return [innerWidth, document.documentElement.scrollWidth]")
                if scroll > inner:
                    fail(f"the report is {scroll} pixels wide in {inner}")
                browser.frame(None)
    browser.resize(1280)
    print(f"widths: {sorted(widths)}")


# How much lighter one of a text and what is behind it is, the least of all texts.
CONTRAST = """
  const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(n => n / 255)
    .map(n => n <= .03928 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4)
    .reduce((sum, n, i) => sum + n * [.2126, .7152, .0722][i], 0);
  const behind = light(getComputedStyle(document.body).backgroundColor);
  const texts = [...document.querySelectorAll('body, header p, main p, label, .how, .faint')]
    .filter(e => e.checkVisibility() && !e.closest('.card')).map(e => light(getComputedStyle(e).color));
  return [behind, Math.min(...texts.map(text => (Math.max(text, behind) + .05) / (Math.min(text, behind) + .05)))]"""


def check_colours(browser, schemes=("light", "dark")):
    """The page and the report in it are light or dark, as readers prefer, and can be read."""
    for scheme in schemes:
        browser.scheme(scheme)
        browser.start()
        browser.choose("testdata/go1.27-small/cpu.trace")
        browser.done()
        for frame in (None, "#report"):
            browser.frame(frame)
            behind, contrast = browser.run(CONTRAST)
            if (behind > 0.5) != (scheme == "light") or contrast < 4.5:
                fail(f"{scheme}, {frame or 'page'}: background {behind:.2f}, contrast {contrast:.2f}")
        browser.frame(None)


def check_messages(browser):
    """A damaged trace, what is no trace, one that is packed, two traces, filters."""
    trace = "testdata/stops/go1.27_copy.trace"
    names = ("cut.trace", "wrong.trace", "text", "copy.trace.gz")
    cut, wrong, text, packed = (os.path.join(scratch, name) for name in names)
    # It has several generations.
    with open("testdata/go1.27-small/gens.trace", "rb") as file:
        data = file.read()
    with open(cut, "wb") as file:
        file.write(data[: len(data) * 4 // 5])
    with open(wrong, "wb") as file:
        file.write(data[: len(data) * 4 // 5] + b"\377" * (len(data) - len(data) * 4 // 5))
    with open(text, "w") as file:
        file.write("this text is no trace of a program\n")
    with open(packed, "wb") as file:
        subprocess.run(["gzip", "-c", trace], stdout=file, check=True)

    browser.start()
    for path, may_be_partial in ((text, False), (wrong, True), (cut, True)):
        browser.give(path)
        _, message, partial = browser.shown()
        want = native(scratch, "-html=-", os.path.basename(path)).stderr.strip()
        if message != want or partial != may_be_partial:
            fail(f"{path}: {message!r}, want {want!r}")
        if path != cut:
            browser.gone()
    browser.click("#partial")
    report, message, _ = browser.shown()
    if report != native(scratch, "-partial", "-html=-", "-rows=10", "cut.trace").stdout or message == "":
        fail(f"-partial: {len(report)} characters; {message}")

    browser.start()
    browser.choose(packed)
    if "copyOnce" not in browser.shown()[0]:
        fail("a packed trace has no report")

    browser.start()
    browser.choose("testdata/before.trace", "testdata/after.trace")
    want = native("testdata", "-compare", "-html=-", "before.trace", "after.trace").stdout
    if browser.shown()[0] != want:
        fail("the comparison is not that of the command")
    browser.frame("#report")
    heads = browser.run("return [...document.querySelectorAll('th')].filter(e => e.checkVisibility()).map(e => e.textContent)")
    if heads.count("old") < 3 or heads.count("new") < 3:
        fail(f"the comparison has tables with {heads}")
    browser.frame(None)

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
    browser.gone()
    browser.choose("testdata/before.trace")
    if browser.shown()[0] != html("testdata/before.trace"):
        fail("the filters of one trace are those of the next one")


def drop(browser):
    """Drops a text."""
    browser.run(
        "const file = new File(['this is no trace'], 'text.txt');"
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
    message = drop(browser)[1]
    if not want or message != want:
        fail(f"what is dropped: {message!r}, want {want!r}")
    browser.gone()
    large = os.path.join(scratch, "it's large")
    with open(large, "wb") as file:
        file.truncate(2_000_000_001)
    browser.choose(large)
    report, message, partial = browser.shown()
    if report or partial or "2000.0 MB" not in message or r"gtrace -html=report.html 'it'\''s large'" not in message:
        fail(f"a file that is too large: {message!r}")


def check_real_drop(browser):
    """Files that the browser itself drops, on the page and on the report in it."""
    browser.start()
    browser.choose("testdata/before.trace", "testdata/after.trace")
    browser.done()
    for place, trace in (
        ("#report", "testdata/go1.8-small/gc.trace"), ("#choose", "testdata/go1.27-small/cpu.trace"),
        ("#report", "testdata/go1.27-small/gens.trace"),
    ):
        if place == "#report":
            # Before its script has run, it does not hand on what is dropped.
            browser.frame(place)
            browser.wait("return document.URL === 'about:srcdoc' && document.readyState === 'complete' || null")
            browser.frame(None)
        browser.give(trace, place)
        name = f"<title>{os.path.basename(trace)}"
        if not browser.wait(f"return document.getElementById('report').srcdoc.includes('{name}') || null", 20):
            fail(f"{trace} is dropped on {place}")


def check_named(browser):
    """A file that is called - is read, in any report."""
    shutil.copy("testdata/go1.27-small/cpu.trace", os.path.join(scratch, "-"))
    browser.start()
    browser.choose(os.path.join(scratch, "-"))
    if browser.shown()[0] != native(scratch, "-html=-", "-rows=10", "--", "./-").stdout:
        fail("a file called - is not read")


def check_unpacked(browser):
    """What a small file holds is limited, too."""
    browser.start()
    errors = browser.run(
        "const zip = new Blob([new Uint8Array(1e7)]).stream().pipeThrough(new CompressionStream('gzip'));"
        "return Promise.all([new Response(zip).blob(), module]).then(([blob, module]) => new Promise(done => {"
        " const worker = new Worker(workerAddress);"
        " worker.onmessage = ({data}) => data.errors && done(data.errors);"
        " worker.postMessage({module, args: ['--', 'a.gz'], files: [['a.gz', blob]], most: 1e6}) }))"
    )
    if "it holds more than 1 MB when it is unpacked" not in errors:
        fail(f"a file that holds too much: {errors!r}")


def told(browser, count):
    """What the page around a report has got, COUNT messages or as many as come."""
    try:
        browser.wait(f"return window.got && got.length >= {count} || null", 2)
    except TimeoutError:
        pass
    return browser.run("return window.got || []")


def check_foreign(browser):
    """A report hands nothing on to a page that shows it by its address."""
    report = html("testdata/go1.27-small/cpu.trace")
    with open(os.path.join(scratch, "report.html"), "w") as file:
        file.write(report)
    frames = ("src=report.html", f'srcdoc="{report.replace("&", "&amp;").replace(chr(34), "&quot;")}"')
    for frame, wanted in zip(frames, ([], ["range", "files"])):
        host = os.path.join(scratch, "host.html")
        with open(host, "w") as file:
            file.write("<!DOCTYPE html><meta charset=utf-8><script>got = []; onmessage = ({data}) => got.push(Object.keys(data)[0])"
                       f"</script><iframe id=report width=1200 height=400 sandbox=allow-scripts {frame}></iframe>")
        browser.open(host, 1280)
        browser.frame("#report")
        browser.wait("return document.querySelectorAll('#picture-whole svg').length || null")
        browser.drag("#picture-whole .plot", -100, 100)
        browser.frame(None)
        got = told(browser, 1)
        # The browser goes to a file that is not read.
        browser.give("testdata/go1.8-small/gc.trace", "#report")
        got += told(browser, 2)[len(got):]
        if got != wanted:
            fail(f"{frame[:20]}: the page around it gets {got}")


def check_memory_message(browser):
    """When memory is full, the page says how the command reads the trace."""
    browser.start()
    browser.choose("testdata/go1.27-small/cpu.trace")
    browser.shown()
    browser.run("tell({status: 1, errors: 'gtrace: out of memory\\n'})")
    message = browser.shown()[1]
    if "out of memory" not in message or "gtrace -html=report.html 'cpu.trace'" not in message:
        fail(f"memory is full: {message!r}")


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
        "let last = performance.now(); window.still = 0;"
        "setInterval(() => { const now = performance.now(); still = Math.max(still, now - last); last = now }, 20);"
        "window.shown = new Promise(done => new MutationObserver(() => done(performance.now() - begun))"
        ".observe(document.body, {childList: true}))"
    )
    browser.choose(large)
    report, message, _ = browser.shown()
    if not report or message:
        fail(f"a large trace: {len(report)} characters, {message!r}")
    told, shown = browser.run("return window.shown.then(time => [window.told, time])")
    read = [time for time, text in told if "MB read" in text]
    analysed = [text for _, text in told if "analysed" in text]
    if not read or not analysed:
        fail(f"progress: {told}")
    if not any("of which the report has the first 4.0 MB: " in text for _, text in told):
        fail(f"nothing is shown before all is read: {told}")
    if "read up to byte" in report:
        fail("the report is that of the first bytes")
    still = browser.run("return window.still")
    if still > max(500, shown / 2):
        fail(f"the page does nothing else for {still:.0f} of {shown:.0f} ms")
    print(f"{os.path.getsize(large)} bytes: the first ones read after {read[0]:.0f} ms, the report after {shown:.0f} ms")

    browser.gone()
    browser.choose(large, "testdata/go1.27-small/cpu.trace")
    report, message, _ = browser.shown()
    if not report or message:
        fail(f"a large trace is compared: {len(report)} characters, {message!r}")

    browser.start()
    browser.choose(large)
    analysing = browser.wait("return /analysed/.test(document.getElementById('state').textContent) || null")
    browser.focus("#file")
    browser.press(TAB, ENTER)
    if browser.focused()[0] != "Apply" or "Cancelled" not in browser.run("return document.getElementById('state').textContent"):
        fail(f"what was cancelled: {browser.focused()}")
    hidden = browser.run("return document.getElementById('work').hidden")
    if not analysing or not hidden or browser.run("return document.getElementById('report').checkVisibility()"):
        fail("a job goes on after it was cancelled")
    browser.choose("testdata/go1.27-small/cpu.trace")
    if not browser.shown()[0]:
        fail("no report after a job was cancelled")

    # What is read of a packed trace, and how much there is, is counted unpacked.
    subprocess.run(["gzip", "-1", "-k", "-f", large], check=True)
    browser.start()
    browser.run(
        "const told = window.told = [], state = document.getElementById('state');"
        "new MutationObserver(() => told.push(state.textContent)).observe(state, {childList: true})"
    )
    browser.choose(large + ".gz")
    browser.done()
    size = f"of {os.path.getsize(large) / 1e6:.1f} MB read"
    told = browser.run("return window.told")
    if not any(size in text for text in told) or any("MB read" in text and size not in text for text in told):
        fail(f"a packed trace: {told}")


def heap(browser):
    browser.command("HeapProfiler.collectGarbage", {})
    browser.command("Performance.enable", {})
    metrics = browser.command("Performance.getMetrics", {})
    return next(m["value"] for m in metrics["metrics"] if m["name"] == "JSHeapUsedSize")


def resident(process):
    """Bytes of memory that PROCESS and those that it has started do not share with files."""
    size = 0
    for task in glob.glob(f"/proc/{process}/task/*/children"):
        with open(task) as file:
            size += sum(map(resident, file.read().split()))
    try:
        with open(f"/proc/{process}/status") as file:
            return size + sum(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon:"))
    except OSError:
        return size  # it has ended


# Bytes by which the memory of a browser differs that does the same again.
NOISE = 40_000_000


def check_memory(browser):
    """Memory after ten traces is that after two, with small ones and with large ones."""
    for trace, least in (("testdata/before.trace", 1), (os.path.join(scratch, "large.trace"), 20_000_000)):
        if os.path.getsize(trace) < least:
            fail(f"{trace} is too small")
        browser.start()
        heaps, sizes = [], []
        for _ in range(10):
            browser.gone()
            browser.choose(trace)
            browser.done()  # what a driver is told stays in memory
            heaps.append(heap(browser))
            sizes.append(resident(browser.driver.pid))
        # A process gives memory back some time after it is freed.
        end = time.monotonic() + 20
        while sizes[9] > sizes[1] + NOISE and time.monotonic() < end:
            time.sleep(1)
            sizes[9] = resident(browser.driver.pid)
        if heaps[9] > heaps[1] * 1.2 or sizes[9] > sizes[1] + NOISE:
            fail(f"{trace}: memory grows: heap {heaps}, all processes {sizes}")
        targets = browser.command("Target.getTargets", {})
        workers = [t for t in targets["targetInfos"] if t["type"] == "worker"]
        if workers:
            fail(f"{len(workers)} workers are left")
        print(f"{trace}: heap {heaps[1]} and {heaps[9]}, all processes {sizes[1]} and {sizes[9]}")


def check_network(browser):
    """Nothing but the page itself, and what is made in it, was asked for."""
    asked = set()
    for entry in browser.ask(browser.session + "/se/log", {"type": "performance"}):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.add(message["params"]["request"]["url"].split(":")[0])
    if not asked <= {"file", "blob", "data", "about"}:
        fail(f"requests by {asked}")


def check_served(browser):
    """From a web server the page is all that is asked for, and works."""
    asked = []

    class Files(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=os.path.dirname(os.path.abspath(page)))

        def log_message(self, *_):
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    name = "/" + os.path.basename(page)
    browser.go(f"http://127.0.0.1:{server.server_address[1]}{name}")
    browser.choose("testdata/stops/go1.27_copy.trace")
    if browser.shown()[0] != html("testdata/stops/go1.27_copy.trace"):
        fail("served: the report is not that of the command")
    server.shutdown()
    server.server_close()
    # A browser asks for an icon by itself.
    if name not in asked or set(asked) - {name, "/favicon.ico"}:
        fail(f"served: {asked}")


class Counted(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_GET(self):
        Counted.asked += 1
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def asks(browser):
    """How often a server is asked by what a script of the page and of a worker try."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Counted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Counted.asked = 0
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    browser.run(
        "const image = new Image();"
        f"image.src = '{address}image';"
        f"const asks = `fetch('{address}worker', {{mode: 'no-cors'}}).catch(() => 0).then(() => postMessage(0))`;"
        "const worker = new Worker(URL.createObjectURL(new Blob([asks])));"
        "return Promise.all(["
        f" fetch('{address}', {{mode: 'no-cors'}}).catch(() => 0),"
        " new Promise(done => { image.onload = image.onerror = done }),"
        " new Promise(done => { worker.onmessage = done })]).then(() => 0)"
    )
    server.shutdown()
    server.server_close()
    return Counted.asked


def check_policy(browser):
    """The page can connect to nothing; one without its policy can."""
    free = os.path.join(scratch, "free.html")
    with open(free, "w") as file:
        file.write("<!DOCTYPE html><title>a page without a policy</title>")
    browser.open(free, 1280)
    without = asks(browser)
    browser.start()
    count = asks(browser)
    if without == 0 or count != 0:
        fail(f"a server is asked {count} times, without the policy {without} times")


class Chromium(Page, Browser):
    def __init__(self):
        super().__init__()
        self.downloads = tempfile.mkdtemp(dir=scratch)
        self.command("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": self.downloads})

    def give(self, path, place="#choose"):
        """The browser itself drops the file."""
        x, y = self.run(f"const box = document.querySelector('{place}').getBoundingClientRect(); return [box.x + 99, box.y + 9]")
        data = {"items": [], "files": [os.path.abspath(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.command("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    def resize(self, width):
        """Without the least width that windows have."""
        values = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", values)


class FirefoxPage(Page, Firefox):
    def __init__(self):
        self.downloads = tempfile.mkdtemp(dir=scratch)
        super().__init__({
            "browser.download.folderList": 2,
            "browser.download.dir": self.downloads,
            # A panel of the browser would get the keys.
            "browser.download.alwaysOpenPanel": False,
            "layout.css.prefers-color-scheme.content-override": 0,
        })

    def scheme(self, name):
        pass

    def resize(self, width):
        self.ask("WebDriver:SetWindowRect", {"width": width, "height": 900})


def check(browser, more):
    started = time.monotonic()
    try:
        count = check_reports(browser)
        check_messages(browser)
        check_drop(browser)
        check_named(browser)
        check_unpacked(browser)
        check_large(browser)
        check_frame(browser)
        check_keyboard(browser)
        check_roles(browser)
        check_saved(browser)
        check_parts(browser)
        check_several(browser)
        check_widths(browser)
        for function in more:
            function(browser)
    finally:
        browser.close()
    print(f"{type(browser).__name__}: {count} traces, {time.monotonic() - started:.0f} s")


def check_size():
    """Of the file, and of script and style without comments, as they are in it."""
    people = 0
    for name in glob.glob("c/web/*.js") + glob.glob("c/web/*.css") + glob.glob("c/page/*.js") + ["c/page/page.css"]:
        with open(name, encoding="utf-8") as file:
            people += len(stripped(file.read()))
    size = os.path.getsize(page)
    if size > 700_000 or people > 80_000:
        fail(f"{size} bytes, {people} of them script and style")
    print(f"{size} bytes, {people} of them script and style")


check_size()
for missing, kind, more in (
    (MISSING, Chromium, [check_colours, check_real_drop, check_foreign, check_memory_message, check_memory, check_network, check_policy, check_served]),
    (Firefox.MISSING, FirefoxPage, [lambda browser: check_colours(browser, ["dark"]), check_policy]),
):
    if missing:
        print("skipped: a browser:", missing)
    else:
        check(kind(), more)
sys.exit(failures != 0)
