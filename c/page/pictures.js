/*
 * pictures.js reads the JSON in the element "data", and has what all pictures
 * consist of. zoom.js makes them wider; whole.js draws the one of the whole
 * trace, and page.js those of the rows. c/html_data.c writes the JSON, and says what each
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

// The whole name of the first function in a part of an element.
const functionIn = (element, part) => element.querySelector(part + " .fn")?.title;

// The rows of a list, with what each has its numbers for.
const listOf = (id, names) => [...document.querySelectorAll(`#${id} details.row`)].map((row) => ({
  row, id: row.id, rank: row.querySelector(".rank").textContent, ...numbersOf(row, names),
  name: row.querySelector(".what").firstChild.textContent, function: functionIn(row, ".what"),
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
// The cards, with when and in which goroutine the longest of what was found began.
const findings = [...document.querySelectorAll(".card[data-of]")].map((card) => ({
  card, id: card.id, rank: card.querySelector(".badge").textContent, ...numbersOf(card, "from length g"),
  section: card.querySelector(".leads a").hash.slice(1), function: functionIn(card, ".big"),
}));

// The row that a finding is about: that of its longest time, or the first of its function.
function rowOf({section, from, g, function: name}) {
  const rows = {slices, waits, blocks, stops}[section] || [];
  return rows.find((row) => row.g === g && row.from <= from && from < row.to) ||
    rows.find((row) => !name || row.function === name);
}

for (const finding of findings) {
  finding.row = rowOf(finding);
  // A finding without a time of its own is marked where its row is.
  if (finding.from < 0 && finding.row)
    Object.assign(finding, {from: finding.row.from, length: finding.row.to - finding.row.from});
}
const marked = findings.filter((finding) => finding.from >= 0);
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
// Of the overview, from the top: findings, letters and goroutines that are ready, the band
// of collections, their heap, and the lanes.
const READY_TOP = marked.length ? 28 : 0, GC_TOP = READY_TOP + 70, HEAP_TOP = READY_TOP + 84;
const WHOLE_TOP = READY_TOP + (collections.length ? 140 : 74);

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
      "text-anchor": scale.anchor(time, 1 / 15),
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

// An empty picture: the names of its lanes, and its plot, which scrolls.
function picture(heading, height, label, namesWidth) {
  const names = svg("svg", {class: "names", width: namesWidth, height, "aria-hidden": true});
  const plot = svg("svg", {class: "plot", height, role: "img", "aria-label": label});
  const box = html("div", {
    class: "scroll", tabindex: 0, role: "region", "aria-label": label + ", scrolls when it is zoomed",
  }, plot);
  const zoom = new Zoom(box, plot, heading);
  return {names, plot, zoom, element: html("div", {class: "picture"}, names, box)};
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
