# SPDX-License-Identifier: BSD-3-Clause
#
# timeline_test.py GTRACE SCRATCH - see timeline_test.sh.
import collections
import functools
import glob
import http.server
import json
import os
import re
import subprocess
import sys
import threading

sys.path.insert(0, "tests")
from browser import MISSING, Browser  # noqa: E402

gtrace, scratch = sys.argv[1:]
ALL = "1000000000"
PROCESSORS, RUNTIME, BLOCKED, PATHS = "Processors", "Runtime", "Blocked goroutines", "Critical paths"
STOPS, COLLECTIONS = "Stop-the-world pauses", "Garbage collections"
FILTERS = (["-user"], ["-p=1,3"], ["-min=20us"], ["-func=^main[.]", "-min=1us"], ["-from=200us", "-to=3ms"], ["-from=20ms", "-to=40ms"])

# Where Go has its viewer: up to 1.21, and later.
VIEWERS = (
    "/usr/lib/go-*/src/internal/trace/traceviewer/static/trace_viewer_full.html",
    "/usr/lib/go-*/src/cmd/trace/static/trace_viewer_full.html",
)
SHOWN = (
    "testdata/before.trace",
    "testdata/paths/pipeline.trace",
    "testdata/go1.22-small/task.trace",
    "testdata/go1.22-small/gc.trace",
    "testdata/stops/go1.21_spin.trace",
    "testdata/silences/stopped_profile-go1.22.trace",
    "testdata/stops/go1.27_copy.trace",
)


def fail(message):
    sys.exit("timeline_test.py: " + message)


def run(*arguments):
    done = subprocess.run([gtrace, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout


def lines(*arguments):
    status, text = run("-format=json", *arguments)
    if status != 0:
        fail(f"{arguments}: status {status}")
    return [json.loads(line) for line in text.splitlines()]


def nanoseconds(digits):
    """A number of microseconds with three decimals, which are nanoseconds."""
    if not re.fullmatch(r"\d+\.\d{3}", digits):
        fail(f"{digits} µs")
    return int(digits.replace(".", ""))


class Timeline:
    """The spans of each track, and their names as the format has them."""

    def __init__(self, name, text):
        self.name = name
        self.names = {}
        self.events = []
        self.ready = []
        self.heap = {"Heap": [], "Heap goal": []}
        self.flows = collections.defaultdict(list)
        document = json.loads(text, parse_float=nanoseconds)
        if document["displayTimeUnit"] != "ns":
            fail(f"{name}: unit {document['displayTimeUnit']}")
        for event in document["traceEvents"]:
            # Perfetto takes number 0 for the idle thread.
            if event["pid"] < 1 or event.get("tid", 1) < 1:
                fail(f"{name}: {event}")
            if event["ph"] == "M":
                self.metadata(event)
            elif event["ph"] == "X":
                self.span(event)
            elif event["ph"] == "C" and event["name"] == "Ready goroutines":
                self.ready.append((event["ts"], event["args"]["ready"]))
            elif event["ph"] == "C" and event["name"] in self.heap:
                self.heap[event["name"]].append((event["ts"], event["args"]["bytes"]))
            elif event["ph"] in ("s", "t", "f"):
                self.flow(event)
            else:
                fail(f"{name}: a phase {event['ph']}")
        self.times = [ts for values in (self.ready, *self.heap.values()) for ts, _ in values]
        self.nested()

    def metadata(self, event):
        thread = None if event["name"].startswith("process") else event["tid"]
        what, value = {
            "process_name": (str, "name"),
            "process_sort_index": (int, "sort_index"),
            "thread_name": (str, "name"),
            "thread_sort_index": (int, "sort_index"),
        }[event["name"]]
        if type(event["args"][value]) is not what:
            fail(f"{self.name}: {event}")
        key = (event["name"], event["pid"], thread)
        if key in self.names:
            fail(f"{self.name}: {key} twice")
        self.names[key] = event["args"][value]

    def span(self, event):
        """Names of tracks come before their first event."""
        start, length = event["ts"], event["dur"]
        self.events.append(
            (
                self.names["process_name", event["pid"], None],
                self.names["thread_name", event["pid"], event["tid"]],
                start,
                start + length,
                event["name"],
                event["args"] if "args" in event else {},
                event["cat"],
            )
        )

    def flow(self, event):
        """It is in a slice that has come before, and binds to that."""
        thread = self.names["thread_name", event["pid"], event["tid"]]
        slices = [one[2:4] for one in self.events if one[1] == thread and one[2] <= event["ts"] < max(one[3], one[2] + 1)]
        if len(slices) != 1 or event["cat"] != event["name"] or (event.get("bp") == "e") != (event["ph"] == "f"):
            fail(f"{self.name}: {event} in {slices}")
        self.flows[event["id"]].append((event["ph"], thread, slices[0], event["ts"]))

    def nested(self):
        """Perfetto drops a span that overlaps the one before it in part."""
        tracks = collections.defaultdict(list)
        for process, thread, start, end, *_ in self.events:
            tracks[process, thread].append((start, -end))
        for track, spans in tracks.items():
            ends = []
            for start, end in sorted(spans):
                while ends and ends[-1] <= start:
                    ends.pop()
                if ends and ends[-1] < -end:
                    fail(f"{self.name}: {track}: at {start} two spans overlap")
                ends.append(-end)

    def shown(self):
        """What a viewer is to show."""
        return collections.Counter(event[:5] for event in self.events)


def timeline(trace, *flags):
    status, text = run("-timeline", *flags, trace)
    return Timeline(" ".join((trace, *flags)), text) if status == 0 else None


# What of the tracer occurs in testdata.
TRACER = {
    "runtime.(*traceAdvancerState).start.func1",
    "runtime.traceStartReadCPU.func1",
    "runtime/trace.Start",
    "runtime/trace.Start.func1",
    "runtime/trace.Stop",
    "runtime/trace.(*traceMultiplexer).startLocked.func1",
}


def silence_of(slice_):
    """What is known of the times without events in it. Without any, a timeline says nothing."""
    fields = tuple(slice_.get(name, 0) for name in ("silent", "silent_class", "off_cpu_min", "off_cpu_likely"))
    return fields if fields[0] != 0 else None


def class_of(args, category, slice_=None):
    """What is known of the class of a slice without naming rules."""
    if slice_ is None:
        if category not in ("program", "runtime", "system call", "tracer",
                            "GC dedicated", "GC fractional", "GC idle",
                            "off CPU", "off CPU?", "unknown"):
            fail(f"a category {category}")
        if category in ("system call", "tracer", "off CPU", "off CPU?"):
            return category
        # A worker of the collector may have no function, and its mode only.
        return args.get("fn", "") != "" or "unknown"
    shown = slice_["started_by" if slice_["still_running"] else "ended_by"]
    if any(frame["fn"] in TRACER for frame in shown["stack"]):
        return "tracer"
    if 2 * slice_["off_cpu_min"] > slice_["duration"]:
        return "off CPU"
    if 2 * slice_["off_cpu_likely"] > slice_["duration"]:
        return "off CPU?"
    if 2 * slice_["syscall_ns"] > slice_["duration"]:
        return "system call"
    ends = (slice_["ended_by"], slice_["started_by"])
    stacks = [end["stack"] for end in ends if end] + [slice_["last_stack"]]
    return any(frame["fn"] for stack in stacks for frame in stack) or "unknown"


def check_ready(found, flags, waits):
    """In sum, goroutines were ready for as long as the waits are."""
    steps = list(zip(found.ready, found.ready[1:]))
    begin, end = found.ready[0][0], found.ready[-1][0]
    if found.ready[-1][1] != 0 or any(x[0] >= y[0] or x[1] == y[1] for x, y in steps):
        fail(f"{found.name}: the counter does not end at 0, or has a value twice")
    if "-from=20ms" in flags and not 15_000_000 < begin <= end < 45_000_000:
        fail(f"{found.name}: the counter goes from {begin} to {end}")
    have = sum((y[0] - x[0]) * x[1] for x, y in steps) / 1000
    want = sum(max(0, min(to, end) - max(start, begin)) for start, to in waits)
    if abs(have - want) > (end - begin) / 1000 + 1:
        fail(f"{found.name}: {have} ns ready, want {want}")


def check_heap(found, trace, flags):
    """The values are those of events: of short parts of the trace, the last one."""
    window = [flag for flag in flags if flag.startswith(("-from=", "-to="))]
    values = {"HeapAlloc": [], "HeapGoal": []}
    for one in lines("-dump", *window, trace):
        name = one["name"].replace("NextGC", "HeapGoal")
        if name in values:
            values[name].append((one["ts"], one["args"][0]))
    goals = [(ts, 0 if bytes_ >> 60 else bytes_) for ts, bytes_ in values["HeapGoal"]]
    goals = [one for before, one in zip([(0, None)] + goals, goals) if before[1] != one[1]]
    if found.heap["Heap goal"] != goals:
        fail(f"{found.name}: goals {found.heap['Heap goal']}, want {goals}")
    heap, want = found.heap["Heap"], values["HeapAlloc"]
    if heap[-1:] != want[-1:] or not set(heap) <= set(want):
        fail(f"{found.name}: the heap ends with {heap[-1:]}, want {want[-1:]}, or has other values")
    part = max((event[3] for event in found.events), default=0) // 32768 + 1
    later = iter(heap)
    kept = next(later, None)
    for one in want:
        if kept[0] - one[0] > part:
            fail(f"{found.name}: the heap of {one} is left out before {kept}")
        if one == kept:
            kept = next(later, kept)
    return len(heap)


def check_blocks(found, trace, flags):
    """The goroutines of the ten first places have tracks, with all their blocks."""
    spans = [event for event in found.events if event[0] == BLOCKED]
    places = []
    # Blocks are on no processor.
    if not any(flag.startswith("-p=") for flag in flags):
        places = [one for one in lines(*flags, "-block=10", trace) if not one["rest"]]
    want = list(dict.fromkeys(one["g"] for one in places))
    if list(dict.fromkeys(sorted({event[1] for event in spans}))) != sorted(f"G{g}" for g in want):
        fail(f"{found.name}: tracks of blocked goroutines, want {want}")
    for g in want:
        have, sums = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
        for _, _, start, end, name, args, _ in (event for event in spans if event[1] == f"G{g}"):
            if args["g"] != g or not name.startswith(args["kind"] + " "):
                fail(f"{found.name}: {name}: {args}")
            have[args["kind"]][0] += 1
            have[args["kind"]][1] += end - start
        for one in lines(*flags, f"-g={g}", "-block=" + ALL, trace):
            sums[one["kind"]][0] += one["count"]
            sums[one["kind"]][1] += one["sum"]
        if have != sums:
            fail(f"{found.name}: blocks of G{g}: {dict(have)}, want {dict(sums)}")
    return len(want)


STATES = ("ran", "assisted", "system call")  # in which a goroutine can have a processor


def slices_of(path, slices):
    """Those that a path goes through, each after another one, and when it comes to each."""
    through = []
    for one in path["segments"]:
        end = one["start"] + one["length"]
        for thread, start, to in slices[one["g"]] if one["state"] in STATES else ():
            if start < end and one["start"] < to and through[-1:] != [(thread, start, to)]:
                through.append((thread, start, to))
    return through


def check_paths(found, trace, flags):
    """The tracks have the segments of -critical-path, and arrows lead along these."""
    values = {flag[:flag.index("=")]: flag[flag.index("=") + 1:] for flag in flags if "=" in flag}
    ns = lambda name: int(float(values[name][:-2]) * {"us": 1000, "ms": 1000000}[values[name][-2:]]) if name in values else 0  # noqa: E731
    paths = [one for one in lines("-critical-path=3", trace) if "segments" in one]
    have = collections.Counter(
        (start, end, args["g"], args["state"], args.get("kind", ""), args.get("ended by", ""), args["level"], args.get("held up", -1), args.get("at", ""))
        for process, _, start, end, _, args, _ in found.events
        if process == PATHS
    )
    want = collections.Counter(
        (one["start"], one["start"] + one["length"], one["g"], one["state"], one["kind"], one["by"], one["level"],
         one.get("cause", {}).get("g", -1), one.get("cause", {}).get("kind", ""))
        for path in paths
        for one in path["segments"]
        if one["start"] + one["length"] >= ns("-from") and (not ns("-to") or one["start"] < ns("-to")) and one["length"] >= ns("-min")
    )
    if have != want:
        fail(f"{found.name}: parts of paths: too many {list(have - want)[:3]}, missing {list(want - have)[:3]}")
    names = [name for (what, pid, thread), name in found.names.items() if pid == 4 and what == "thread_name"]
    if not flags and sum(name.endswith(", not over") for name in names) != sum(path["unfinished"] for path in paths if path["segments"]):
        fail(f"{found.name}: what is not over in {names}")
    slices = collections.defaultdict(list)
    for process, thread, start, end, _, args, _ in sorted(found.events, key=lambda event: event[2]):
        if process == PROCESSORS and "g" in args:
            slices[args["g"]].append((thread, start, end))
    for number, path in enumerate(paths):
        through = slices_of(path, slices)
        flow = found.flows.pop(number + 1, [])
        if [(thread, *slice_) for _, thread, slice_, _ in flow] != (through if len(through) > 1 else []):
            fail(f"{found.name}: an arrow through {flow}, want {through}")
        if "".join(phase for phase, *_ in flow) != ("s" + "t" * (len(through) - 2) + "f" if flow else ""):
            fail(f"{found.name}: the arrow {flow}")
    if found.flows:
        fail(f"{found.name}: arrows {dict(found.flows)}")
    return len(paths)


# Of times in which a processor was held without a goroutine.
BARE = "without a goroutine"

# Of times without an event, the summary has the first ones only.
STRETCHES_MAX = 400


def check_bare(found, machine):
    """The times without a goroutine are those of the summary."""
    bare = sorted(
        (thread, start, end, args["silent_class"])
        for process, thread, start, end, _, args, category in found.events
        if process == PROCESSORS and category == BARE
    )
    stretches = machine["stretches"]
    want = sorted((f"P{one['p']}", one["from"], one["to"], one["class"]) for one in stretches if one["g"] == -1)
    if len(stretches) < STRETCHES_MAX and bare != want or len(bare) < len(want):
        fail(f"{found.name}: times without a goroutine {bare}, want {want}")


def check(trace, *flags):
    """The slices and stops are those of the reports as JSON."""
    found = timeline(trace, *flags)
    if found is None:
        return False
    slices = collections.Counter(
        (thread, start, end, args["g"], args.get("m", -1), class_of(args, category), silence_of(args))
        for process, thread, start, end, _, args, category in found.events
        if process == PROCESSORS and category != BARE
    )
    want = collections.Counter(
        (f"P{one['p']}", one["start"], one["end"], one["g"], one["m"], class_of(None, None, one), silence_of(one))
        for one in lines(*flags, "-diagreedy=" + ALL, trace)
    )
    if not flags:
        check_bare(found, lines(trace)[0]["machine"])
    if slices != want:
        fail(f"{found.name}: {len(slices)} slices, want {len(want)}: {list((slices - want) + (want - slices))[:3]}")
    stops = sorted(
        (args["n"], name, start, end) for _, thread, start, end, name, args, _ in found.events if thread == STOPS
    )
    want = []
    for one in lines(*flags, "-stw=" + ALL, trace):
        if one["inferred"]:
            want.append((one["n"], "stopping (bounds)", one["requested_min"], one["ended"]))
            continue
        for name, start, end in (("stopping", "requested", "obtained"), ("stopped", "obtained", "restarted")):
            if one[start] != -1 and one[end] != -1:
                want.append((one["n"], name, one[start], one[end]))
    if stops != sorted(want):
        fail(f"{found.name}: stops {stops}, want {sorted(want)}")
    check_ready(found, flags, [(one["start"], one["start"] + one["wait"]) for one in lines(*flags, "-wait=" + ALL, trace)])
    check_blocks(found, trace, flags)
    check_paths(found, trace, flags)
    check_heap(found, trace, flags)
    if not flags:
        collections_ = sum(event[1] == COLLECTIONS for event in found.events)
        (summary,) = lines(trace)
        if collections_ != summary["collections"]:
            fail(f"{trace}: {collections_} collections, want {summary['collections']}")
    return True


# --------------------------------------------------------------- viewer --

PAGE = """<!DOCTYPE html>
<html><head>
<script src="/webcomponents.min.js"></script>
<link rel="import" href="/trace_viewer_full.html">
</head><body><script>
window.failure = null;
window.addEventListener('WebComponentsReady', () => { window.ready = true });
async function load(address) {
	const model = new tr.Model();
	const importer = new tr.importer.Import(model);
	const text = await (await fetch(address)).text();
	await importer.importTraces([text]);
	const view = document.createElement('tr-ui-timeline-view');
	view.track_view_container = document.createElement('track-view-container');
	view.track_view_container.id = 'track_view_container';
	Polymer.dom(view).appendChild(view.track_view_container);
	Polymer.dom(document.body).appendChild(view);
	view.model = model;
	window.view = view;
	window.warnings = model.importWarnings.map(w => w.message);
}
function begin(address) {
	if (!window.ready)
		return null;
	load(address).catch(e => { window.failure = String(e) });
	return true;
}
/* The ends of each arrow: track, begin and name of the slices. */
function arrows() {
	const end = slice => [slice.parentContainer.name, slice.start, slice.title];
	return view.model.flowEvents.map(flow => [end(flow.startSlice), end(flow.endSlice)]);
}
/* The spans of each thread, once the view has its tracks. */
function spans() {
	if (window.failure)
		return [];
	if (!window.view || !view.model || !view.trackView)
		return null;
	const all = [];
	for (const thread of view.model.getAllThreads())
		for (const slice of thread.sliceGroup.slices)
			all.push([thread.parent.name, thread.name, slice.start, slice.end, slice.title]);
	return all;
}
</script></body></html>
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The viewer, a page around it, and timelines from SCRATCH."""

    def __init__(self, viewer, *arguments):
        self.viewer = viewer
        super().__init__(*arguments)

    def translate_path(self, path):
        name = os.path.basename(path)
        folder = scratch if name.startswith("timeline") else self.viewer
        return os.path.join(folder, name)

    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


def look(browser, address, number, trace, *flags):
    """Every span is in the viewer's model, in its track and under its name."""
    status, text = run("-timeline", *flags, trace)
    if status != 0:
        fail(f"{trace}: status {status}")
    with open(os.path.join(scratch, f"timeline{number}"), "wb") as file:
        file.write(text)
    want = Timeline(trace, text).shown()
    browser.go(address + "/")
    browser.wait("return begin('/timeline%d')" % number)
    spans = browser.wait("return spans()")
    failure, warnings = browser.run("return [window.failure, window.warnings]")
    if failure or warnings:
        fail(f"{trace}: the viewer says {failure} {warnings}")
    first = min([event[2] for event in want] + Timeline(trace, text).times)
    shown = collections.Counter()
    for process, thread, start, end, title in spans:
        # Milliseconds, from the first span on.
        shown[process, thread, first + round(start * 1e6), first + round(end * 1e6), title] += 1
    if shown != want:
        fail(
            f"{trace}: {sum(shown.values())} spans in the viewer, want {sum(want.values())}:"
            f" too many {list(shown - want)[:3]}, missing {list(want - shown)[:3]}"
        )
    hops = []
    for flow in Timeline(trace, text).flows.values():
        hops += [((x[1], x[2][0]), (y[1], y[2][0])) for x, y in zip(flow, flow[1:])]
    arrows = [tuple((thread, first + round(start * 1e6)) for thread, start, _ in ends) for ends in browser.run("return arrows()")]
    if sorted(arrows) != sorted(hops):
        fail(f"{trace}: arrows {arrows[:3]} ..., want {hops[:3]} ...")
    print(f"{trace}: {sum(shown.values())} spans and {len(arrows)} arrows in Chromium")


def look_at_all(viewer):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, viewer))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = "http://127.0.0.1:%d" % server.server_port
    browser = Browser()
    try:
        for number, trace in enumerate(SHOWN):
            look(browser, address, number, trace)
        look(browser, address, len(SHOWN), SHOWN[0], "-from=20ms", "-to=40ms", "-user")
    finally:
        browser.close()
        server.shutdown()


def main():
    traces = sorted(
        glob.glob("testdata/*.trace") + glob.glob("testdata/*-small/*.trace") + glob.glob("testdata/stops/*.trace")
    )
    filtered = SHOWN[-1]
    if "GTRACE_LONG" not in os.environ:
        # The largest ones take most of the time.
        traces = [trace for trace in traces if os.path.getsize(trace) <= 16384]
        filtered = "testdata/stops/go1.24_copy.trace"
    for number, trace in enumerate(traces):
        if not check(trace):
            fail(f"{trace}: no timeline")
        if os.path.getsize(trace) < 200000:
            check(trace, *FILTERS[number % len(FILTERS)])
    for flags in FILTERS:
        check(filtered, *flags)
    lock = "testdata/go1.19-small/lock.trace"
    if check_blocks(timeline(lock), lock, ()) != 1:
        fail(f"{lock}: not one blocked goroutine")
    collected = "testdata/go1.22-small/gc.trace"
    for flags in (), ("-from=3ms", "-to=7ms"):
        if check_heap(timeline(collected, *flags), collected, flags) < 500:
            fail(f"{collected}: hardly any values of the heap")
    for name, arrows in (("pipeline", 5), ("fsync", 5), ("chain", 8), ("created", 3)):
        known = f"testdata/paths/{name}.trace"
        found = timeline(known)
        if len(found.flows[1]) < arrows or check_paths(found, known, ()) != 1:
            fail(f"{known}: {found.flows}, want {arrows} slices")
    # A slice that ends before it starts is an error, as in the other reports.
    status, text = run("-timeline", "testdata/attack/negative.trace")
    if status != 1 or text:
        fail(f"a negative length: status {status}, {text}")
    print(f"{len(traces)} timelines")
    viewers = sorted(
        (name for pattern in VIEWERS for name in glob.glob(pattern)),
        key=lambda name: [int(number) for number in re.findall(r"\d+", name)],
    )
    if MISSING:
        print("skipped: the viewer:", MISSING)
    elif not viewers:
        print("skipped: the viewer: no sources of Go in /usr/lib")
    else:
        look_at_all(os.path.dirname(viewers[-1]))


main()
