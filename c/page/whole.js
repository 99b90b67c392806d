/*
 * whole.js draws the picture of the whole trace: findings, goroutines that were ready, the
 * collector, and all processors; and the table of lengths.
 */

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
      plot.append(letter(scale, stop, at, READY_TOP + 13));
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
  const [width, ...ready] = data.ready, most = Math.max(1000, ...ready), y = READY_TOP + 62 - READY;
  const path = ready.map((height, i) => `V${most - height}H${i + 1}`).join("");
  const length = whole.to - whole.from; // the parts begin at 0
  const place = {x: percent(-whole.from, length), y, height: READY, width: percent(ready.length * width, length)};
  plot.append(svg("rect", {class: "lane", width: "100%", y, height: READY}),
    stretched(place, ready.length || 1, most, svg("path", {class: "ready", d: `M0 ${most}${path}V${most}Z`})));
  names.append(svg("text", {class: "time", y: y + 10}, (most / 1000).toFixed(most < 1e4 ? 1 : 0)),
    svg("text", {class: "time", y: y + READY - 2}, "ready"));
}

// The page in a frame of which the report is (see drop.js) gets the times that are chosen,
// and can make the report of these.
function chooseTimes(zoom) {
  const time = (part) => Math.round(whole.from + part * (whole.to - whole.from));
  if (framed)
    zoom.chosen = (from, to) => {
      if (to - from > .005)
        parent.postMessage({range: [time(from), time(to)]}, "*");
    };
}

// Where the longest of each finding is, with the number of its card. Numbers that would be
// on top of each other stand side by side, and bars below each other.
function wholeFindings(plot, scale) {
  let last = null, beside = 0;
  const ends = [];
  for (const finding of [...marked].sort((a, b) => a.from - b.from)) {
    beside = last !== null && scale.near(last, finding.from, .02) ? beside + 18 : 0;
    if (beside === 0)
      last = finding.from;
    const words = `finding ${finding.rank}: the longest, ${duration(finding.length)}`;
    const to = finding.from + finding.length, level = Math.min(2, ends.filter((end) => end > finding.from).length);
    ends.push(to);
    plot.append(svg("a", {href: "#" + finding.id, "aria-label": words},
      svg("rect", {class: "found", y: 18 + 3 * level, height: 2, ...scale.across(finding.from, to, 1 / 330)}),
      svg("svg", {class: "mark", x: scale.at(finding.from)},
        svg("g", {transform: `translate(${beside + 8} 9)`}, svg("circle", {class: "found", r: 8}),
          svg("text", {class: "on-found", y: 4}, finding.rank))),
      svg("title", {}, words)));
  }
  return marked.length ? [["findings: the longest of each", "circle", {class: "found", cx: 11, cy: 7, r: 6}]] : [];
}

// Shows when the longest of a finding was.
function showFinding(finding, {plot, zoom}) {
  const scale = new Scale(whole.from, whole.to), to = finding.from + finding.length;
  const share = (time) => (scale.clip(time) - scale.from) / scale.length;
  plot.querySelector(".shown")?.remove();
  plot.append(svg("rect", {class: "shown", y: 0, height: "100%", ...scale.across(finding.from, to)}));
  zoom.show(share(finding.from - 2 * finding.length), share(to + 2 * finding.length));
  byId("whole").scrollIntoView();
}

// Returns the picture; null: there are no processors.
function drawWhole() {
  const lanes = whole.lanes.length, scale = new Scale(whole.from, whole.to), used = new Set();
  const section = byId("whole"), [height, gap, every] = wholeSizes(lanes);
  if (lanes === 0) {
    section.remove();
    return null;
  }
  const bottom = WHOLE_TOP + lanes * height, group = whole.lanes[0][1];
  const place = (lane) => [WHOLE_TOP + lane * height + gap / 2, height - gap];
  const {names, plot, zoom, element} = picture(section.querySelector("h2"), bottom + AXIS,
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
  chooseTimes(zoom);
  const items = [...wholeFindings(plot, scale), ["goroutines ready, waiting for a processor", ...box("ready")], ...ofCollections,
    ...legendKinds(used, whole), ...ofLost];
  if (slices.length)
    items.push(["the longest slices (numbers)", ...box("bar chosen")]);
  if (stops.length)
    items.push(["stop-the-world pauses (letters)", ...box("stop-bar", {y: 4, height: 6})]);
  byId("picture-whole").append(element, legend(items));
  byId("picture-whole").append(html("p", {class: "hint keys"}, "Zoom with W and S, + and −, the wheel with Ctrl " +
    "or after a click on a picture, or a drag over times; A and D move, 0 shows all."));
  return {plot, zoom};
}

/* -------------------------------------------------------------- lengths -- */

const sum = (list) => list.reduce((a, b) => a + b, 0);

function drawLengths() {
  const classes = data.lengths.map(([begin, slices, ...kinds]) => ({begin, slices, kinds}));
  const all = sum(classes.map((one) => sum(one.kinds)));
  const most = Math.max(1, ...classes.map((one) => sum(one.kinds)));
  while (classes.length && classes.at(-1).slices === 0)
    classes.pop();
  if (!classes.length) {
    byId("lengths").remove();
    document.querySelector(".contents a[href='#lengths']").parentElement.remove();
    return;
  }
  const first = classes.findIndex((one) => one.slices);
  const rows = classes.slice(first).reverse().map(({begin, slices, kinds}) => {
    const parts = kinds.map((ns, kind) => ["k" + KINDS[kind][0], sum(kinds.slice(0, kind)), ns]);
    const ns = sum(kinds), share = 100 * ns / (all || 1);
    return html("tr", {}, html("td", {class: "right"}, begin ? "from " + round(begin) : "under 1 µs"),
      html("td", {class: "right"}, slices ? count(slices) : "–"),
      html("td", {class: "right"}, slices ? number(ns) : ""),
      html("td", {}, html("div", {}, meter(most, parts),
        html("small", {}, share >= .5 ? Math.round(share) + "\u00a0%" : ""))));
  });
  const head = ["length", "slices", "time in them", "share"]
    .map((words, i) => html("th", i < 3 ? {class: "right"} : {}, words));
  byId("picture-lengths").append(html("table", {class: "lengths"},
    html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)));
}
