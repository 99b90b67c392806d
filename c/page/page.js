/*
 * page.js draws the pictures of a report from the JSON in the element "data",
 * adds bars, facts and relations to the rows, and zooms. c/html_data.c writes
 * the JSON, and says what each place of its lists is; the numbers of a row are
 * in the row, see slices.html, waits.html and so on. Pictures are SVG without
 * a viewBox: across in percent, down in pixels. So they fit any width, no text
 * is stretched, and to zoom is to make one wider in a box that scrolls.
 */
"use strict";
(() => {
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const whole = data.whole;

// The numbers of an element's data-of, by name.
const numbersOf = (element, names) => {
  const values = element.dataset.of.split(" ").map(Number);
  return Object.fromEntries(names.split(" ").map((name, i) => [name, values[i]]));
};

// The rows of a list, with what each has its numbers for.
const listOf = (id, names) => [...byId(id).querySelectorAll("details")].map((row) => ({
  row, id: row.id, rank: row.querySelector(".rank").textContent, ...numbersOf(row, names),
  name: row.querySelector(".what").firstChild.textContent,
  late: [...row.querySelectorAll("tr[data-of]")].map((late) =>
    numbersOf(late, "p g how start left gaveUp")),
}));
const slices = listOf("slices", "from to p g length");
const waits = listOf("waits", "from to g length busy stopped");
const blocks = listOf("blocks", "from to g length by sum");
const stops = listOf("stops", "from stood to ended inferred p g stopping stopped");
const barNames = [...byId("names").content.children].map((name) => name.textContent);
const collections = data.collections.map(
  ([n, joined, from, to, mark, term, start, end, live, goal, assists, reason]) =>
    ({n, joined, from, to, mark, term, start, end, live, goal, assists, reason}));
const SCHEDULER = 2, BLOCKED = 5, ASSIST = 6;

// The kinds of slices: the work that the style sheet has a colour for, and words.
const KINDS = [
  [0, "program"], [1, "runtime, GC"], [2, "in a system call"], [5, "the tracer"],
  [9, "not known: no stack"], [10, "a goroutine that is blocked"], [11, "mark assist: for the collector"]];
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LEVELS = 63;

// Pixels.
const LANE = 24, BAR = 18, AXIS = 18, READY = 40, GC = 10, HEAP = 40, SLICE_TOP = 24, STOP_TOP = 34;
// Of the overview: the band of collections, their heap, and the lanes.
const GC_TOP = 70, HEAP_TOP = 84, WHOLE_TOP = collections.length ? 140 : 74;

/* ------------------------------------------------------------- elements -- */

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {}))
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

/* ------------------------------------------------------------ relations -- */

// Times of stops and of slices differ by a little.
function isLateIn(late, slice) {
  if (late.p !== slice.p || late.g !== slice.g || late.how === SCHEDULER)
    return false;
  const shared = Math.min(late.left, slice.to) - Math.max(late.start, slice.from);
  return shared > (late.left - late.start) / 2;
}

// How the goroutine of a slice was related to a stop; "": not.
function relation(slice, stop) {
  const i = stop.late.findIndex((late) => isLateIn(late, slice));
  if (i >= 0)
    return stop.inferred ? "may have held up" : i === 0 ? "held up" : "late for";
  if (!stop.inferred && stop.g === slice.g && stop.p === slice.p &&
      stop.from >= slice.from && stop.from < slice.to)
    return "requested";
  return "";
}

// Texts, and links if they are wanted, of all relations of a slice.
function relations(slice, links) {
  const parts = [];
  for (const stop of stops) {
    const words = relation(slice, stop), name = "stop " + stop.rank;
    if (words)
      parts.push(parts.length ? ", " : "", words + " ", links ? link(stop, name) : name);
  }
  return parts;
}

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

// What slices without bars of their own took: as high as the share of time. Mark
// assists, which are parts of slices, are drawn over all.
function areas(plot, window, lane, y, height, used, assists) {
  const bins = Array(window.bins).fill(0), shapes = [];
  KINDS.forEach(([work], kind) => {
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
  plot.append(svg("svg", {
    y, height, width: percent(window.bins * window.width, window.to - window.from),
    viewBox: `0 0 ${window.bins} ${LEVELS}`, preserveAspectRatio: "none",
    class: "inner",
  }, ...shapes));
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
      svg(shape || "rect", attributes)), words));
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

// Hatches the times without a CPU on lanes, and shades silences over all of them.
// LANES has `y` and `height` of the lanes of a processor, or of all for -1.
// Returns what the legend says.
function drawLost(plot, scale, lanes) {
  const words = {lost: "off CPU, for certain", silence: "silence: no event of any thread"};
  const drawn = new Set();
  for (const [p, from, to] of data.lost) {
    const kind = p < 0 ? "silence" : "lost";
    let places = to > scale.from && from < scale.to ? lanes(p) : [];
    if (p < 0 && places.length > 1) {
      const [[top], [last, height]] = [places[0], places.at(-1)];
      places = [[top, last + height - top]];
    }
    for (const [y, height] of places) {
      drawn.add(kind);
      plot.append(svg("rect", {class: kind, y, height, ...scale.across(from, to)}));
    }
  }
  return [...drawn].map((kind) => [words[kind], ...box(kind)]);
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
const letter = (scale, stop, at, y) => svg("a", {href: "#" + stop.id, "aria-label": "stop " + stop.rank},
  svg("text", {class: "letter", y, x: scale.at(at), "text-anchor": scale.anchor(at)}, stop.rank));

function wholeStops(plot, scale) {
  for (let i = stops.length - 1; i >= 0; i--) {
    const stop = stops[i], at = middle(stop);
    if (stop.from < 0)
      continue;
    plot.append(svg("rect", {
      class: "stop-bar", y: WHOLE_TOP - 9, height: 6, ...scale.across(stop.from, stop.to, 1 / 330)}));
    if (!stops.slice(0, i).some((other) => scale.near(at, middle(other), .032)))
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
    svg("svg", {y: HEAP_TOP, height: HEAP, width: "100%", class: "inner", viewBox: "0 0 10000 1000",
      preserveAspectRatio: "none"}, svg("path", {class: "goal", d: goals}), svg("path", {class: "heap", d: heap})));
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
  plot.append(svg("rect", {class: "lane", width: "100%", y, height: READY}), svg("svg", {
    y, height: READY, width: percent(ready.length * width, whole.to - whole.from), class: "inner",
    viewBox: `0 0 ${ready.length || 1} ${most}`, preserveAspectRatio: "none",
  }, svg("path", {class: "ready", d: `M0 ${most}${path}V${most}Z`})));
  names.append(svg("text", {class: "time", y: y + 10}, (most / 1000).toFixed(most < 1e4 ? 1 : 0)),
    svg("text", {class: "time", y: y + READY - 2}, "ready"));
}

// A page that shows the report in a frame gets the times that a drag of the pointer
// over the plot chooses, and can make the report of these.
function chooseTimes(plot) {
  if (parent === window)
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
  for (const stop of stops)
    if (stop.from >= 0)
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
    items.push(["STW pauses (letters)", ...box("stop-bar", {y: 4, height: 6})]);
  byId("picture-whole").append(element, legend(items));
}

/* ------------------------------------------------ pictures of the rows -- */

// A bar, and the text in it, which is cut off at its end. That of a mark assist is
// within the bar of its slice, below the text.
function bar(plot, labels, scale, window, item, y, used) {
  const [, from, to, kind, name, g, length, chosen] = item, below = kind === ASSIST ? 12 : 0;
  const [work] = KINDS[kind], text = `G${g} ${barNames[name]}`;
  const across = scale.across(window.from + from, window.from + to);
  const share = 100 * (to - from) / scale.length;
  if (!chosen)
    used.add(kind);
  plot.append(svg("rect", {
    class: "bar " + (chosen ? "chosen" : "k" + work), y: chosen ? y - 1.25 : y + below,
    height: chosen ? BAR + 2.5 : BAR - below, ...across,
  }, svg("title", {}, `${text}, ${duration(length)}`)));
  if (share >= 5 && !below)
    labels.push(svg("svg", {
      class: "inner" + (share < 16 ? " wide" : share < 30 ? " medium" : ""), y, height: BAR, ...across,
    }, svg("text", {class: "on" + (chosen ? "-chosen" : work), x: 5, y: 13}, text)));
}

// The bands of stops, with their letters.
function bands(plot, scale, top, bottom, own) {
  const y = top - 4, height = bottom - y;
  let any = false, stood = false;
  for (const stop of stops) {
    if (stop.from < 0 || stop.to <= scale.from || stop.from >= scale.to)
      continue;
    const standing = stop.stood >= 0;
    any = true;
    plot.append(svg("rect", {
      class: "band", y, height, ...scale.across(stop.from, standing ? stop.stood : stop.to)}));
    if (standing && stop.stood < scale.to) {
      stood = true;
      plot.append(svg("rect", {class: "stood", y, height, ...scale.across(stop.stood, stop.to)}));
    }
    const at = (scale.clip(stop.from) + scale.clip(stop.to)) / 2;
    // No letters where the stop that is drawn has its words.
    if (!own || at <= own.from - scale.length / 8 || at >= own.to + scale.length / 8)
      plot.append(letter(scale, stop, at, 14));
  }
  return [...any ? [["an STW pause, from its request", ...box("band")]] : [],
    ...stood ? [["the world stands", ...box("stood")]] : []];
}

// What a stop has to do with a processor.
function partOf(stop, p) {
  const i = stop.late.findIndex((late) => late.p === p);
  if (i >= 0)
    return i === 0 && !stop.inferred ? " held up" : " late";
  return stop.p === p ? " asked" : "";
}

function laneNames(names, window, y, stop) {
  window.lanes.forEach(([p, processors], i) => {
    if (p < 0)
      names.append(svg("text", {y: y(i) + 14}, `${processors} others`));
    else
      names.append(svg("text", {y: y(i) + 14, class: p === window.own ? "own" : ""},
        svg("tspan", {class: "p"}, "P" + p), stop ? partOf(stop, p) : ""));
  });
}

// How many of the processors without lanes were busy.
function othersLabel(window, lane) {
  const [, processors, ...shares] = window.lanes[lane];
  const levels = shares.join("").split("").map((digit) => DIGITS.indexOf(digit));
  const busy = processors * sum(levels) / LEVELS / window.bins;
  return `${processors} other processors, ${busy.toFixed(1)} busy on average`;
}

// A window: returns the plot, its scale, where lanes are, and its legend.
function drawWindow(heading, window, zero, top, label, chosen, stop) {
  const scale = new Scale(window.from, window.to);
  const bottom = top + window.lanes.length * LANE, y = (lane) => top + lane * LANE + 3;
  const wide = stop || window.goroutines || window.lanes.some((lane) => lane[0] < 0);
  const {names, plot, element} = picture(heading, bottom + AXIS, label, wide ? 84 : 40);
  const used = new Set(), short = new Set(), labels = [];
  laneNames(names, window, y, stop);
  window.lanes.forEach((lane, i) => background(plot, scale, y(i) - 1, BAR + 2));
  axis(plot, scale, zero, true, bottom);
  const ofBands = bands(plot, scale, top, bottom, stop);
  const areasPlot = svg("g", {class: "short"});
  plot.append(areasPlot);
  window.lanes.forEach((lane, i) => areas(areasPlot, window, i, y(i), BAR, short));
  for (const item of window.bars)
    if (item[0] < window.lanes.length)
      bar(plot, labels, scale, window, item, y(item[0]), used);
  window.lanes.forEach((lane, i) => areas(plot, window, i, y(i), BAR, used, true));
  const ofLost = drawLost(plot, scale, (lost) => window.lanes.flatMap(([p], i) =>
    lost < 0 || p === lost ? [[y(i), BAR]] : []));
  window.lanes.forEach(([p], i) => {
    if (p < 0)
      labels.push(svg("text", {class: "out", x: 5, y: y(i) + 13}, othersLabel(window, i)));
  });
  plot.append(...labels);
  const items = [...legendKinds(new Set([...used, ...short]), window), ...ofBands, ...ofLost];
  if (window.bars.some((item) => item[7]))
    items.unshift([chosen, ...box("bar chosen")]);
  if (short.size)
    items.push(["paler: short slices, height is the share busy",
      ...box("short k" + KINDS[[...short][0]][0], {y: 6, height: 8})]);
  return {names, plot, element, scale, top, bottom, y, items};
}

function drawSlice(heading, slice, window) {
  const {element, items} = drawWindow(heading, window, slice.from, SLICE_TOP,
    "what processors did around slice " + slice.rank, "this slice");
  return [element, legend(items)];
}

// The goroutine that waits has a lane of its own, above those of processors.
function drawWait(heading, wait, window) {
  const {names, plot, element, scale, items} = drawWindow(heading, window, wait.from, SLICE_TOP + LANE,
    "what processors did during wait " + wait.rank, "slices that kept it longest");
  const y = SLICE_TOP + 3, labels = [], used = new Set();
  names.append(svg("text", {class: "own", y: y + 14}, "G" + wait.g));
  background(plot, scale, y - 1, BAR + 2);
  plot.append(svg("rect", {class: "bar waiting", y, height: BAR, ...scale.across(wait.from, wait.to)}),
    svg("svg", {class: "inner", y, height: BAR, ...scale.across(wait.from, wait.to)},
      svg("text", {class: "on-waiting", x: 5, y: 13}, "ready, " + duration(wait.length))));
  for (const item of window.bars)
    if (item[5] === wait.g)
      bar(plot, labels, scale, window, item, y, used);
  plot.append(...labels);
  return [element, legend([["ready, waiting for a processor", ...box("bar waiting")], ...items])];
}

// The goroutine that is blocked, and the one that ended that, have lanes above those of processors.
function drawBlock(heading, block, window) {
  const own = window.goroutines, lanes = window.lanes.length, used = new Set(), labels = [];
  const {names, plot, element, scale, items} = drawWindow(heading, window, block.from,
    SLICE_TOP + LANE * own.length, "what goroutines and processors did during block " + block.rank, "");
  own.forEach(([g], i) => {
    const y = SLICE_TOP + 3 + i * LANE, shares = svg("g", {class: "short"});
    names.append(svg("text", {class: i ? "p" : "own", y: y + 14}, "G" + g, i ? " ended" : ""));
    background(plot, scale, y - 1, BAR + 2);
    plot.append(shares);
    areas(shares, {...window, lanes: own}, i, y, BAR, used);
    for (const item of window.bars)
      if (item[0] === lanes + i)
        bar(plot, labels, scale, window, item, y, used);
  });
  const y = SLICE_TOP + 3, place = scale.across(block.from, block.to);
  plot.append(...labels, svg("rect", {class: "bar chosen", y: y - 1.25, height: BAR + 2.5, ...place}),
    svg("svg", {class: "inner", y, height: BAR, ...place},
      svg("text", {class: "on-chosen", x: 5, y: 13}, "blocked, " + duration(block.length))));
  const [work, words] = KINDS[BLOCKED];
  return [element, legend([["the longest block here", ...box("bar chosen")],
    ...used.has(BLOCKED) ? [[words, ...box("bar k" + work)]] : [], ...items])];
}

// A line down a picture, with words beside it.
function drawMoment({plot, scale, top, bottom}, time, kind, words, left) {
  const x = scale.at(time), share = (scale.clip(time) - scale.from) / scale.length;
  plot.append(svg("line", {class: kind, y1: words ? 8 : top - 4, y2: bottom, x1: x, x2: x}));
  if (!words)
    return;
  const before = left ? share > .1 : share > .9;
  plot.append(svg("text", {
    class: "moment", y: 13, dx: before ? -5 : 5, "text-anchor": before ? "end" : "start", x}, words));
}

// A line across, with words above it if it is long enough for them.
function drawMeasure({plot, scale}, from, to, words) {
  if (to - from < scale.length / 5)
    return;
  const at = (scale.clip(from) + scale.clip(to)) / 2;
  plot.append(svg("line", {class: "measure", y1: 22, y2: 22, x1: scale.at(from), x2: scale.at(to)}),
    svg("text", {class: "measured", y: 17, x: scale.at(at), "text-anchor": scale.anchor(at, .1)}, words));
}

// A diamond where each late processor was given up.
function drawDiamonds({plot, scale, y}, stop, window) {
  stop.late.forEach((late, i) => {
    const lane = window.lanes.findIndex(([p]) => p === late.p);
    if (lane < 0)
      return;
    plot.append(svg("svg", {class: "mark", y: y(lane) - 3, x: scale.at(late.gaveUp)},
      svg("path", {class: i === 0 ? "gave-up last" : "gave-up", d: "M0 6L6 12L0 18L-6 12Z"},
        svg("title", {},
          `P${late.p} gave up ${duration(late.gaveUp - stop.from)} after the request`))));
  });
}

function drawMeasured(drawn, stop, window) {
  drawMoment(drawn, stop.from, "requested", "requested", true);
  drawMoment(drawn, stop.stood, "obtained", "obtained");
  drawMeasure(drawn, stop.from, stop.stood, duration(stop.stopping) + " to stop");
  if (stop.stopped >= 0) {
    const before = stop.stood > drawn.scale.to - drawn.scale.length / 10;
    drawn.plot.append(svg("text", {
      class: "moment", y: 27, dx: before ? -5 : 5, "text-anchor": before ? "end" : "start",
      x: drawn.scale.at(stop.stood)}, "stood " + duration(stop.stopped)));
  }
  drawn.items.push(["requested", "line", {class: "requested", x1: 11, x2: 11, y2: 14}],
    ["obtained", "line", {class: "obtained", x1: 11, x2: 11, y2: 14}]);
  if (stop.ended >= 0 && stop.ended < window.to) {
    drawMoment(drawn, stop.ended, "ended");
    drawn.items.push(["ended", "line", {class: "ended", x1: 11, x2: 11, y2: 14}]);
  }
  drawDiamonds(drawn, stop, window);
  if (stop.late.length)
    drawn.items.push(["processor given up (filled: the last)", "path",
      {class: "gave-up last", d: "M11 1L17 7L11 13L5 7Z"}]);
}

function drawStop(heading, stop, window) {
  const drawn = drawWindow(heading, window, stop.from, STOP_TOP,
    "what processors did around stop " + stop.rank,
    stop.inferred ? "the last slice before the pause" : "the slice that held it up", stop);
  if (stop.inferred) {
    drawMoment(drawn, stop.from, "requested", "not before", true);
    drawMoment(drawn, stop.to, "ended", "started again");
    drawMeasure(drawn, stop.from, stop.to, "somewhere in here");
  } else {
    drawMeasured(drawn, stop, window);
  }
  return [drawn.element, legend(drawn.items)];
}

/* ----------------------------------------------------------------- rows -- */

// A link to the slice that held a stop up.
function heldBy(stop) {
  const held = slices.find((slice) => stop.late.length && isLateIn(stop.late[0], slice));
  return held ? [html("p", {}, "Held up by ", link(held, "slice " + held.rank), ", ",
    number(held.length), " long.")] : [];
}

// Adds to the row of an item, when it is first opened, its picture and more.
function openLater({row}, words, zero, window, draw, more) {
  const act = () => {
    const stacks = row.querySelector(".stacks");
    if (!row.open || !stacks)
      return;
    row.removeEventListener("toggle", act);
    const heading = html("h3", {}, words + " ", html("small", {}, "0 is " + zero));
    stacks.before(heading, ...window ? draw(heading)
      : [html("p", {class: "faint"}, "No picture: the file would be over 2 MB.")]);
    more(stacks);
  };
  row.addEventListener("toggle", act);
  act();
}

// The bar in the line of a row: parts are class, begin and length.
function meter(row, all, parts) {
  row.querySelector(".length").after(svg("svg", {class: "meter", "aria-hidden": true},
    ...parts.map(([name, from, length]) => svg("rect", {
      class: name, height: "100%", x: percent(from, all), width: percent(length, all)}))));
}

function sliceRow(slice, i) {
  const work = /k\d/.exec(slice.row.querySelector(".work").className)[0];
  meter(slice.row, slices[0].length || 1, [[work, 0, slice.length]]);
  const related = relations(slice, false);
  if (related.length)
    slice.row.querySelector(".what").append(html("small", {}, ...related));
  openLater(slice, "What all processors did around it", "where the slice began", data.slices[i],
    (heading) => drawSlice(heading, slice, data.slices[i]), () => {
      if (related.length)
        slice.row.querySelector(".facts").append(html("div", {}, html("dt", {}, "stops"),
          html("dd", {}, ...relations(slice, true))));
    });
}

function waitRow(wait, i) {
  const idle = wait.length - wait.busy - wait.stopped;
  meter(wait.row, waits[0].length || 1, [["ready", 0, wait.busy], ["stood", wait.busy, wait.stopped],
    ["idle", wait.busy + wait.stopped, idle]]);
  openLater(wait, "What all processors did meanwhile", "when the goroutine was ready", data.waits[i],
    (heading) => drawWait(heading, wait, data.waits[i]), () => {});
}

function blockRow(block, i) {
  meter(block.row, blocks[0].sum || 1, [["bound", 0, block.sum], ["stop-bar", 0, block.length]]);
  openLater(block, "What goroutines and processors did during the longest", "where it began", data.blocks[i],
    (heading) => drawBlock(heading, block, data.blocks[i]), () => {});
}

function stopRow(stop, i) {
  const all = Math.max(1, ...stops.map((other) => other.stopping + Math.max(0, other.stopped)));
  const window = data.stops[i];
  meter(stop.row, all, [[stop.inferred ? "bound" : "stop-bar", 0, Math.max(0, stop.stopping)],
    ...stop.stopped > 0 ? [["stood", stop.stopping, stop.stopped]] : []]);
  openLater(stop, "What all processors did", stop.inferred ? "the earliest time of the request" : "the request",
    stop.from >= 0 && window, (heading) => drawStop(heading, stop, window),
    (stacks) => stacks.after(...heldBy(stop)));
}

/* -------------------------------------------------------------- lengths -- */

const sum = (list) => list.reduce((a, b) => a + b, 0);

function drawLengths() {
  const classes = data.lengths.map(([begin, slices, ...kinds]) => ({begin, slices, kinds}));
  const all = sum(classes.map((one) => sum(one.kinds)));
  const most = Math.max(1, ...classes.map((one) => sum(one.kinds)));
  while (classes.length && classes[classes.length - 1].slices === 0)
    classes.pop();
  if (!classes.length) {
    byId("lengths").remove();
    return;
  }
  const first = classes.findIndex((one) => one.slices);
  const rows = classes.slice(first).reverse().map(({begin, slices, kinds}) => {
      let from = 0;
      const bars = kinds.map((ns, kind) => {
        const part = svg("rect", {
          class: "k" + KINDS[kind][0], height: "100%", x: percent(from, most), width: percent(ns, most)});
        from += ns;
        return part;
      });
      const share = 100 * from / (all || 1);
      return html("tr", {}, html("td", {class: "right"}, begin ? "from " + round(begin) : "under 1 µs"),
        html("td", {class: "right"}, slices ? count(slices) : "–"),
        html("td", {class: "right"}, slices ? number(from) : ""),
        html("td", {}, html("div", {}, svg("svg", {class: "meter", "aria-hidden": true}, ...bars),
          html("small", {}, share >= .5 ? Math.round(share) + "\u00a0%" : ""))));
    });
  const head = ["length", "slices", "time in them", "share"]
    .map((words, i) => html("th", i < 3 ? {class: "right"} : {}, words));
  byId("picture-lengths").append(html("table", {class: "lengths"},
    html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)));
}

/* ----------------------------------------------------------------- page -- */

// Opens the row that the address names.
function show() {
  const row = byId(location.hash.slice(1));
  if (row && row.tagName === "DETAILS") {
    row.open = true;
    row.scrollIntoView();
  }
}

function buttons(section) {
  const rows = [...section.querySelectorAll("details")];
  const set = (open) => () => rows.forEach((row) => { row.open = open; });
  if (rows.length > 1)
    section.querySelector("h2").append(html("span", {class: "buttons"},
      button("Open all", "open all " + section.id, set(true)),
      button("Close all", "close all " + section.id, set(false))));
}

document.body.classList.add("drawn");
drawWhole();
slices.forEach(sliceRow);
waits.forEach(waitRow);
blocks.forEach(blockRow);
stops.forEach(stopRow);
drawLengths();
buttons(byId("slices"));
buttons(byId("waits"));
buttons(byId("blocks"));
buttons(byId("stops"));
addEventListener("hashchange", show);
show();
})();
