/*
 * pictures.js reads the JSON in the element "data", and has what all pictures
 * consist of, and the one of the whole trace; page.js, which comes after it,
 * adds those of the rows. c/html_data.c writes the JSON, and says what each
 * place of its lists is; the numbers of a row are in the row, see slices.html,
 * waits.html and so on. Pictures are SVG without a viewBox: across in percent,
 * down in pixels. So they fit any width, no text is stretched, and to zoom is
 * to make one wider in a box that scrolls.
 */
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const whole = data.whole;

// The numbers of an element's data-of, by name.
const numbersOf = (element, names) => {
  const values = element.dataset.of.split(" ").map(Number);
  return Object.fromEntries(names.split(" ").map((name, i) => [name, values[i]]));
};

// The rows of a list, with what each has its numbers for.
const listOf = (id, names) => [...document.querySelectorAll(`#${id} details.row`)].map((row) => ({
  row, id: row.id, rank: row.querySelector(".rank").textContent, ...numbersOf(row, names),
  name: row.querySelector(".what").firstChild.textContent,
  late: [...row.querySelectorAll("tr[data-of]")].map((late) =>
    numbersOf(late, "p g how start left gaveUp")),
}));
const slices = listOf("slices", "from to p g length");
const waits = listOf("waits", "from to g length busy stopped");
const blocks = listOf("blocks", "from to g length by sum");
const stops = listOf("stops", "from stood to ended inferred p g stopping stopped");
const paths = listOf("requests", "from to g length ran assisted ready call blocked absent");
// Those of which the picture can show where they are.
const placed = stops.filter((stop) => stop.from >= 0);
const barNames = [...byId("names").content.children].map((name) => name.textContent);
const collections = data.collections.map(
  ([n, joined, from, to, mark, term, start, end, live, goal, assists, reason]) =>
    ({n, joined, from, to, mark, term, start, end, live, goal, assists, reason}));
const SCHEDULER = 2, BLOCKED = 5, ASSIST = 6;

// The kinds of slices: the work that the style sheet has a colour for, and words.
const KINDS = [
  [0, "program"], [1, "runtime, GC"], [2, "in a system call"], [5, "the tracer"],
  [9, "not known: no stack"], [10, "a goroutine that is blocked"], [11, "mark assist: for the collector"]];
// The states of critical paths, likewise.
const STATES = [
  [0, "ran"], [11, "mark assist: for the collector"], [12, "ready, waiting for a processor"], [2, "in a system call"],
  [10, "blocked, and no goroutine ended that"], [9, "not there, or not known"]];
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LEVELS = 63;

// Pixels.
const LANE = 24, BAR = 18, AXIS = 18, READY = 40, GC = 10, HEAP = 40, SLICE_TOP = 24, STOP_TOP = 34;
// Of the overview: the band of collections, their heap, and the lanes.
const GC_TOP = 70, HEAP_TOP = 84, WHOLE_TOP = collections.length ? 140 : 74;

/* ------------------------------------------------------------- elements -- */

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const html = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

/* -------------------------------------------------------------- numbers -- */

const UNITS = ["ns", "µs", "ms", "s"];
const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009");

// Three significant digits: 640 ns, 47.2 µs, 4.08 ms, 1.25 s.
function duration(ns) {
  let value = Math.abs(ns), unit = 0;
  for (; unit < 3 && Math.round(value) >= 1000; unit++)
    value /= 1000;
  let text = String(value);
  for (let digits = 2; unit > 0 && digits >= 0; digits--) {
    text = value.toFixed(digits);
    if (text.length <= 4)
      break;
  }
  return (ns < 0 ? "-" : "") + text + "\u00a0" + UNITS[unit];
}

// A round number: 5 ms and not 5.00 ms.
function round(ns) {
  let unit = 0;
  for (; unit < 3 && ns >= 1000; unit++)
    ns /= 1000;
  return +ns.toFixed(3) + " " + UNITS[unit];
}

// Bytes as the runtime prints them, a MB being 2^20: 3.4 MB.
function bytes(n) {
  if (n < 0)
    return "–";
  const mb = n / 2 ** 20;
  return mb.toFixed(mb < 10 ? 1 : 0) + "\u00a0MB";
}

const number = (ns) =>
  html("span", {class: "num", title: ns.toLocaleString("en") + " ns"}, duration(ns));
const link = (item, text) => html("a", {href: "#" + item.id}, text);

/* --------------------------------------------------------------- places -- */

const percent = (part, all) => (100 * part / all).toFixed(3) + "%";

// A scale puts times into percent of the width of a picture.
class Scale {
  constructor(from, to) {
    this.from = from;
    this.to = to;
    this.length = to - from;
  }
  clip(time) {
    return Math.min(Math.max(time, this.from), this.to);
  }
  at(time) {
    return percent(this.clip(time) - this.from, this.length);
  }
  // x and width of what goes from one time to another, at least a share wide.
  across(from, to, least = 1 / 1250) {
    from = this.clip(from);
    const width = Math.max(this.clip(to) - from, this.length * least);
    return {x: percent(from - this.from, this.length), width: percent(width, this.length)};
  }
  // Text within `edge` of the ends is not centred, or it would be cut off.
  anchor(time, edge = 1 / 40) {
    const share = (this.clip(time) - this.from) / this.length;
    return share < edge ? "start" : share > 1 - edge ? "end" : "middle";
  }
  // Whether two times are nearer than a share.
  near(a, b, share) {
    return Math.abs(a - b) < this.length * share;
  }
}

// 1, 2 or 5 times a power of ten, of which a length has at most nine.
function stepOf(length) {
  for (let step = 1;; step *= 10)
    for (const by of [1, 2, 5])
      if (length / (by * step) <= 9)
        return by * step;
}

// The time axis, with 0 at `zero`.
function axis(plot, scale, zero, signed, bottom) {
  const step = stepOf(scale.length);
  for (let i = Math.ceil((scale.from - zero) / step); zero + i * step <= scale.to; i++) {
    const time = zero + i * step, x = scale.at(time);
    plot.append(svg("line", {class: "grid", x1: x, x2: x, y2: bottom}));
    if (time - scale.from > scale.length * 24 / 25)
      continue;
    plot.append(svg("text", {
      x, y: bottom + 13, class: i % 2 ? "time odd" : "time",
      "text-anchor": time - scale.from < scale.length / 15 ? "start" : "middle",
    }, i === 0 ? "0" : (i < 0 ? "−" : signed ? "+" : "") + round(Math.abs(i * step))));
  }
}

// Shapes with units of their own, stretched over a place of a picture.
const stretched = (place, width, height, ...shapes) => svg("svg", {
  ...place, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "inner"}, ...shapes);

// What slices without bars of their own took: as high as the share of time. Mark
// assists, which are parts of slices, are drawn over all.
function areas(plot, window, lane, y, height, used, assists, kinds = KINDS) {
  const bins = Array(window.bins).fill(0), shapes = [];
  kinds.forEach(([work], kind) => {
    const text = window.lanes[lane][2 + kind];
    if (text === "" || (kind === ASSIST) !== !!assists)
      return;
    used.add(kind);
    let path = `M0 ${LEVELS}`, last = 0;
    for (let i = 0; i < window.bins; i++) {
      bins[i] = Math.min(LEVELS, bins[i] + (i < text.length ? DIGITS.indexOf(text[i]) : 0));
      if (bins[i] !== last)
        path += `H${i}V${LEVELS - bins[i]}`;
      last = bins[i];
    }
    shapes.unshift(svg("path", {class: `area k${work}`, d: path + `H${window.bins}V${LEVELS}Z`}));
  });
  if (!shapes.length)
    return;
  // The last bin can end after the window.
  const width = percent(window.bins * window.width, window.to - window.from);
  plot.append(stretched({y, height, width}, window.bins, LEVELS, ...shapes));
}

/* -------------------------------------------------------------- picture -- */

function button(text, label, act) {
  const made = html("button", {type: "button", "aria-label": label}, text);
  made.onclick = act;
  return made;
}

// Zooms a picture by its buttons, keys, and the wheel.
function zoomable(box, plot, heading) {
  let scale = 1;
  const zoom = (by, x = box.clientWidth / 2) => {
    const at = (box.scrollLeft + x) / (box.clientWidth * scale);
    scale = Math.min(64, Math.max(1, scale * by));
    plot.style.width = 100 * scale + "%";
    box.scrollLeft = at * box.clientWidth * scale - x;
  };
  heading.append(html("span", {class: "buttons"},
    button("−", "zoom out", () => zoom(.5)), button("+", "zoom in", () => zoom(2))));
  box.addEventListener("keydown", (event) => {
    const by = {"+": 2, "=": 2, "-": .5, 0: 1e-9}[event.key];
    if (by) {
      zoom(by);
      event.preventDefault();
    }
  });
  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : .8, event.clientX - box.getBoundingClientRect().left);
    }
  }, {passive: false});
}

// An empty picture: the names of its lanes, and its plot, which scrolls.
function picture(heading, height, label, namesWidth) {
  const names = svg("svg", {class: "names", width: namesWidth, height, "aria-hidden": true});
  const plot = svg("svg", {class: "plot", height, role: "img", "aria-label": label});
  const box = html("div", {
    class: "scroll", tabindex: 0, role: "region", "aria-label": label + ", scrolls when it is zoomed",
  }, plot);
  zoomable(box, plot, heading);
  return {names, plot, element: html("div", {class: "picture"}, names, box)};
}

function legend(items) {
  const list = html("ul", {class: "legend"});
  for (const [words, shape, attributes] of items)
    list.append(html("li", {}, svg("svg", {width: 22, height: 14, "aria-hidden": true},
      svg(shape, attributes)), words));
  return list;
}
const box = (name, more) => ["rect", {class: name, width: 22, height: 14, ...more}];

// The kinds that a picture has, and what is not known.
function legendKinds(used, window) {
  const items = KINDS.map(([work, words], kind) => [words, ...box(`bar k${work}`), kind])
    .filter((item) => used.has(item[3]));
  items.push([window.goroutines ? "idle; a goroutine that is ready, or not there" : "idle", ...box("lane")]);
  if (data.known < window.to)
    items.push(["not in the file", ...box("missing")]);
  return items;
}

// The background of lanes: `y` and `height` of each.
function background(plot, scale, y, height) {
  plot.append(svg("rect", {class: "lane", width: "100%", y, height}));
  if (data.known < scale.to)
    plot.append(svg("rect", {class: "missing", y, height, ...scale.across(data.known, scale.to)}));
}

// What is known of a time without events, by its class.
const SILENT = ["", "without a CPU, for certain", "off the CPU, or asleep", "most likely without a CPU", "computed or without a CPU (undecided)"];

// Hatches slices without events, and processors without a goroutine, on lanes
// by class. LANES has `y` and `height` of the lanes of a processor. Returns
// what the legend says.
function drawLost(plot, scale, lanes) {
  const drawn = new Set();
  for (const [p, from, to, what] of data.lost)
    for (const [y, height] of to > scale.from && from < scale.to ? lanes(p) : []) {
      drawn.add(what);
      plot.append(svg("rect", {class: what < 4 ? "lost" : "silence", y, height, ...scale.across(from, to)}));
    }
  return [...drawn].sort().map((what) => [SILENT[what], ...box(what < 4 ? "lost" : "silence")]);
}

/* ------------------------------------------------------ the whole trace -- */

// The height of a lane, the gap below it, and how many lanes have a name.
function wholeSizes(lanes) {
  if (lanes > 64)
    return [Math.max(3, Math.floor(576 / lanes)), 0, 32];
  return lanes > 24 ? [9, 1, 8] : lanes > 8 ? [14, 2, 4] : lanes > 4 ? [22, 4, 1] : [30, 4, 1];
}

const middle = (item) => (item.from + item.to) / 2;

// A letter above a picture, which leads to its stop.
const letter = (scale, stop, at, y) => svg("a", {href: "#" + stop.id, "aria-label": "pause " + stop.rank},
  svg("text", {class: "letter", y, x: scale.at(at), "text-anchor": scale.anchor(at)}, stop.rank));

function wholeStops(plot, scale) {
  for (let i = placed.length - 1; i >= 0; i--) {
    const stop = placed[i], at = middle(stop);
    plot.append(svg("rect", {
      class: "stop-bar", y: WHOLE_TOP - 9, height: 6, ...scale.across(stop.from, stop.to, 1 / 330)}));
    if (!placed.slice(0, i).some((other) => scale.near(at, middle(other), .032)))
      plot.append(letter(scale, stop, at, 13));
  }
}

function wholeNumber(scale, slice, y, height) {
  const inside = height >= 14 && slice.to - slice.from > scale.length / 60;
  const left = !inside && slice.to > scale.to - scale.length / 40;
  return svg("text", {
    class: inside ? "on-chosen" : "beside", y: y + height / 2 + 4,
    "text-anchor": inside ? "middle" : left ? "end" : "start",
    x: scale.at(inside ? middle(slice) : left ? slice.from : slice.to),
  }, slice.rank);
}

function wholeSlices(plot, scale, place) {
  const group = whole.lanes[0][1], lane = (slice) => Math.floor(slice.p / group);
  for (let i = slices.length - 1; i >= 0; i--) {
    const slice = slices[i];
    if (slice.p < 0 || lane(slice) >= whole.lanes.length)
      continue;
    const [y, height] = place(lane(slice));
    const near = slices.slice(0, i).some((other) => lane(other) === lane(slice) &&
      scale.near(middle(slice), middle(other), .026));
    plot.append(svg("a", {href: "#" + slice.id, "aria-label": "slice " + slice.rank},
      svg("rect", {class: "bar chosen", y, height, ...scale.across(slice.from, slice.to, 1 / 400)},
        svg("title", {}, `slice ${slice.rank}: ${slice.name}, ${duration(slice.length)}`)),
      ...near ? [] : [wholeNumber(scale, slice, y, height)]));
  }
}

// What a collection was, in words.
function wordsOf(one) {
  const words = one.joined > 1 ? `${one.joined} collections, the last one: ` : "";
  return words + `collection ${one.n} (${one.reason}), ${duration(one.to - one.from)}; ` +
    `heap ${bytes(one.start)} → ${bytes(one.end)}, live ${bytes(one.live)}, goal ${bytes(one.goal)}` +
    (one.assists > 0 ? `; ${duration(one.assists)} in mark assists` : "");
}

// When the collector was on, above the lanes; below that the heap, and its goal.
function drawCollections(names, plot, scale) {
  if (!collections.length)
    return [];
  const values = collections.flatMap(({start, end, live, goal}) => [start, end, live, goal]);
  const most = Math.max(1, ...values), x = (time) => (1e4 * (time - whole.from) / scale.length).toFixed(1);
  const y = (value) => (1e3 - 970 * value / most).toFixed(1);
  let heap = "", goals = "", last = whole.from;
  for (const one of collections) {
    for (const [time, value] of [[one.from, one.start], [one.to, one.end], [one.to, one.live]])
      if (value >= 0)
        heap += (heap ? "L" : "M") + x(time) + " " + y(value);
    if (one.goal > 0)
      goals += `M${x(last)} ${y(one.goal)}H${x(one.to)}`;
    last = one.to;
  }
  plot.append(svg("rect", {class: "lane", width: "100%", y: GC_TOP, height: GC}),
    svg("rect", {class: "lane", width: "100%", y: HEAP_TOP, height: HEAP}),
    stretched({y: HEAP_TOP, height: HEAP, width: "100%"}, 10000, 1000,
      svg("path", {class: "goal", d: goals}), svg("path", {class: "heap", d: heap})));
  for (const one of collections) {
    const title = () => svg("title", {}, wordsOf(one)), across = scale.across(one.from, one.to, 1 / 500);
    plot.append(svg("rect", {class: "gc", y: GC_TOP, height: GC, ...across}, title()),
      svg("rect", {class: "over", y: HEAP_TOP, height: HEAP, ...across}, title()));
  }
  names.append(svg("text", {class: "time", y: GC_TOP + 9}, "GC"),
    svg("text", {class: "time", y: HEAP_TOP + 10}, bytes(most)),
    svg("text", {class: "time", y: HEAP_TOP + HEAP - 2}, "heap"));
  return [["the collector was on", ...box("gc", {y: 2, height: GC})],
    ...heap ? [["heap, at the begin and end of collections", "path", {class: "heap", d: "M0 12L16 3L16 9L22 6"}]] : [],
    ...goals ? [["its goal", "path", {class: "goal", d: "M0 7H22"}]] : []];
}

// How many goroutines were ready, above the lanes.
function drawReady(names, plot) {
  const [width, ...ready] = data.ready, most = Math.max(1000, ...ready), y = 62 - READY;
  const path = ready.map((height, i) => `V${most - height}H${i + 1}`).join("");
  const length = whole.to - whole.from; // the parts begin at 0
  const place = {x: percent(-whole.from, length), y, height: READY, width: percent(ready.length * width, length)};
  plot.append(svg("rect", {class: "lane", width: "100%", y, height: READY}),
    stretched(place, ready.length || 1, most, svg("path", {class: "ready", d: `M0 ${most}${path}V${most}Z`})));
  names.append(svg("text", {class: "time", y: y + 10}, (most / 1000).toFixed(most < 1e4 ? 1 : 0)),
    svg("text", {class: "time", y: y + READY - 2}, "ready"));
}

// The page in a frame of which the report is (see drop.js) gets the times that a drag
// of the pointer over the plot chooses, and can make the report of these.
function chooseTimes(plot) {
  if (!framed)
    return;
  const mark = svg("rect", {class: "chosen-times", y: 0, height: "100%"});
  let from = null;
  const share = (event) => {
    const {left, width} = plot.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const time = (part) => Math.round(whole.from + part * (whole.to - whole.from));
  const end = (event) => {
    const parts = [from, share(event)].sort((a, b) => a - b);
    if (from !== null && parts[1] - parts[0] > .005)
      parent.postMessage({range: parts.map(time)}, "*");
    from = null;
    mark.remove();
  };
  plot.addEventListener("pointerdown", (event) => {
    from = share(event);
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener("pointermove", (event) => {
    if (from === null)
      return;
    const to = share(event);
    mark.setAttribute("x", 100 * Math.min(from, to) + "%");
    mark.setAttribute("width", 100 * Math.abs(to - from) + "%");
    plot.append(mark);
  });
  plot.addEventListener("pointerup", end);
  plot.addEventListener("pointercancel", () => from = null);
}

function drawWhole() {
  const lanes = whole.lanes.length, scale = new Scale(whole.from, whole.to), used = new Set();
  const section = byId("whole"), [height, gap, every] = wholeSizes(lanes);
  if (lanes === 0) {
    section.remove();
    return;
  }
  const bottom = WHOLE_TOP + lanes * height, group = whole.lanes[0][1];
  const place = (lane) => [WHOLE_TOP + lane * height + gap / 2, height - gap];
  const {names, plot, element} = picture(section.querySelector("h2"), bottom + AXIS,
    `how busy each of ${data.processors} processors was` +
    (collections.length ? ", and when the collector was on" : ""), group > 1 ? 84 : 40);
  for (let i = 0; i < lanes; i++)
    background(plot, scale, ...place(i));
  for (let i = 0; i < lanes; i += every) {
    const first = whole.lanes[i][0], last = Math.min(first + group, data.processors) - 1;
    names.append(svg("text", {class: "p", y: place(i)[0] + place(i)[1] / 2 + 4},
      last > first ? `P${first}–P${last}` : "P" + first));
  }
  axis(plot, scale, 0, false, bottom);
  drawReady(names, plot);
  const ofCollections = drawCollections(names, plot, scale);
  for (const stop of placed)
    plot.append(svg("rect", {
      class: "band", y: WHOLE_TOP - 4, height: bottom - WHOLE_TOP + 6,
      ...scale.across(stop.from, stop.to, 1 / 330)}));
  for (let i = 0; i < lanes; i++)
    areas(plot, whole, i, ...place(i), used);
  for (let i = 0; i < lanes; i++)
    areas(plot, whole, i, ...place(i), used, true);
  wholeStops(plot, scale);
  wholeSlices(plot, scale, place);
  const ofLost = drawLost(plot, scale, (p) => whole.lanes.flatMap(([first], i) =>
    p < 0 || (p >= first && p < first + group) ? [place(i)] : []));
  chooseTimes(plot);
  const items = [["goroutines ready, waiting for a processor", ...box("ready")], ...ofCollections,
    ...legendKinds(used, whole), ...ofLost];
  if (slices.length)
    items.push(["the longest slices (numbers)", ...box("bar chosen")]);
  if (stops.length)
    items.push(["stop-the-world pauses (letters)", ...box("stop-bar", {y: 4, height: 6})]);
  byId("picture-whole").append(element, legend(items));
}
