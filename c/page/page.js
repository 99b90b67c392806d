/*
 * page.js adds pictures, bars, facts and relations to the rows.
 */

/* ------------------------------------------------ pictures of the rows -- */

// Text on a bar, which is cut off at its end.
const textOn = (y, across, kind, text, size = "") => svg("svg", {class: "inner" + size, y, height: BAR, ...across},
  svg("text", {class: "on" + kind, x: 5, y: 13}, text));

// A bar, and the text on it. That of a mark assist is within the bar of its slice, below
// the text.
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
    labels.push(textOn(y, across, chosen ? "-chosen" : work, text,
      share < 16 ? " wide" : share < 30 ? " medium" : ""));
}

// The bands of stops, with their letters.
function bands(plot, scale, top, bottom, own) {
  const y = top - 4, height = bottom - y;
  let any = false, stood = false;
  for (const stop of placed) {
    if (stop.to <= scale.from || stop.from >= scale.to)
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
  return [...any ? [["a stop-the-world pause, from its request", ...box("band")]] : [],
    ...stood ? [["the world is stopped", ...box("stood")]] : []];
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
  const y = SLICE_TOP + 3, labels = [], used = new Set(), place = scale.across(wait.from, wait.to);
  names.append(svg("text", {class: "own", y: y + 14}, "G" + wait.g));
  background(plot, scale, y - 1, BAR + 2);
  plot.append(svg("rect", {class: "bar waiting", y, height: BAR, ...place}),
    textOn(y, place, "-waiting", "ready, " + duration(wait.length)));
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
    textOn(y, place, "-chosen", "blocked, " + duration(block.length)));
  const [work, words] = KINDS[BLOCKED];
  return [element, legend([["the longest block here", ...box("bar chosen")],
    ...used.has(BLOCKED) ? [[words, ...box("bar k" + work)]] : [], ...items])];
}

// Words beside a line down a picture, or before it.
const wordsAt = (x, y, words, before) => svg("text", {
  class: "moment", y, dx: before ? -5 : 5, "text-anchor": before ? "end" : "start", x}, words);

// A line down a picture, with words beside it.
function drawMoment({plot, scale, top, bottom}, time, kind, words, left) {
  const x = scale.at(time), share = (scale.clip(time) - scale.from) / scale.length;
  plot.append(svg("line", {class: kind, y1: words ? 8 : top - 4, y2: bottom, x1: x, x2: x}));
  if (words)
    plot.append(wordsAt(x, 13, words, share > (left ? .1 : .9)));
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
  const {plot, scale, items} = drawn;
  const line = (name) => [name, "line", {class: name, x1: 11, x2: 11, y2: 14}];
  drawMoment(drawn, stop.from, "requested", "requested", true);
  drawMoment(drawn, stop.stood, "obtained", "obtained");
  drawMeasure(drawn, stop.from, stop.stood, duration(stop.stopping) + " to stop");
  if (stop.stopped >= 0)
    plot.append(wordsAt(scale.at(stop.stood), 27, "stopped " + duration(stop.stopped),
      stop.stood > scale.to - scale.length / 10));
  items.push(line("requested"), line("obtained"));
  if (stop.ended >= 0 && stop.ended < window.to) {
    drawMoment(drawn, stop.ended, "ended");
    items.push(line("ended"));
  }
  drawDiamonds(drawn, stop, window);
  if (stop.late.length)
    items.push(["processor given up (filled: the last)", "path",
      {class: "gave-up last", d: "M11 1L17 7L11 13L5 7Z"}]);
}

function drawStop(heading, stop, window) {
  const drawn = drawWindow(heading, window, stop.from, STOP_TOP,
    "what processors did around pause " + stop.rank,
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

/* ---------------------------------------------------------------- paths -- */

// The parts of a path. Those of state -1 are several short segments.
const partsOf = (path) => [...path.row.querySelectorAll("li[data-part]")].map((item) => {
  const [from, length, level, state, g, above, starts] = item.dataset.part.split(" ").map(Number);
  return {from, to: from + length, length, level, state, g, above, starts, item};
});

// When the goroutines of a lane were blocked while others further down did what counts.
function heldIn(lane, path, parts) {
  const held = [];
  let last = null;
  for (const part of parts) {
    const g = lane === 0 ? path.g : part.level === lane + 1 && part.state >= 0 ? part.above : -1;
    if (part.level <= lane) {
      last = null;
    } else if (last && (last.g === g || last.g < 0 || g < 0)) {
      last.to = part.to;
      last.g = Math.max(last.g, g);
    } else {
      held.push(last = {from: part.from, to: part.to, g});
    }
    if (last && g >= 0 && part.starts && lane > 0)
      last.words = "not started yet";
  }
  return held;
}

// Opens a part in the list below the picture, and closes the others.
function openPart(path, part) {
  const own = part.item.querySelector("details");
  path.row.querySelectorAll(".path details").forEach((other) => { other.open = other === own; });
  own.scrollIntoView({block: "nearest"});
}

// The bar of a segment; a click on it, or Enter, opens the segment below the picture.
function partBar(plot, labels, scale, path, part, y) {
  const [work] = STATES[part.state], across = scale.across(part.from, part.to);
  const share = part.length / scale.length;
  const text = part.item.querySelector("summary .what").textContent;
  const words = `${text}: ${STATES[part.state][1]}, ${duration(part.length)}`;
  const bar = svg("a", {href: "#" + part.item.querySelector("details").id, "aria-label": words},
    svg("rect", {class: "bar k" + work, y, height: BAR, ...across}, svg("title", {}, words)));
  bar.addEventListener("click", (event) => {
    event.preventDefault();
    openPart(path, part);
  });
  plot.append(bar);
  if (share >= .05)
    labels.push(textOn(y, across, work, text, share < .16 ? " wide" : share < .3 ? " medium" : ""));
}

// The grey bars of goroutines that are blocked while others are on the path.
function heldBars(plot, labels, scale, path, parts, lane, y) {
  for (const {from, to, g, words} of heldIn(lane, path, parts)) {
    const across = scale.across(from, to), text = (g < 0 ? "" : `G${g} `) + (words || "blocked");
    plot.append(svg("rect", {class: "bar held", y, height: BAR, ...across},
      svg("title", {}, `${text}, ${duration(to - from)}: see the lane below`)));
    if (g >= 0 && to - from >= scale.length / 5)
      labels.push(textOn(y, across, "-held", text, to - from < scale.length / 2 ? " medium" : ""));
  }
}

// Puts stacks where links lead to equal ones.
function repeatStacks(row) {
  row.querySelectorAll(".same a").forEach((same) =>
    same.parentElement.replaceWith(byId(same.hash.slice(1)).nextElementSibling.cloneNode(true)));
}

function drawPath(heading, path, shares) {
  const scale = new Scale(path.from, path.to), parts = partsOf(path), used = new Set(), labels = [];
  const lanes = shares.lanes.length, top = 6, y = (lane) => top + lane * LANE + 3;
  const {names, plot, element} = picture(heading, top + lanes * LANE + AXIS,
    "what request " + path.rank + " waited for, level by level", 50);
  const window = {...shares, from: path.from, to: path.to}, short = svg("g", {class: "short"});
  for (let lane = 0; lane < lanes; lane++) {
    background(plot, scale, y(lane) - 1, BAR + 2);
    names.append(svg("text", {y: y(lane) + 14, class: lane ? "p" : "own"},
      lane ? lane + (shares.lanes[lane][1] ? " …" : "") : "G" + path.g));
  }
  axis(plot, scale, path.from, false, top + lanes * LANE);
  for (let lane = 0; lane < lanes - 1; lane++)
    heldBars(plot, labels, scale, path, parts, lane, y(lane));
  plot.append(short);
  for (let lane = 0; lane < lanes; lane++)
    areas(short, window, lane, y(lane), BAR, used, false, STATES);
  const paler = used.size > 0;
  for (const part of parts)
    if (part.state >= 0) {
      used.add(part.state);
      partBar(plot, labels, scale, path, part, y(Math.min(part.level, lanes - 1)));
    }
  plot.append(...labels);
  repeatStacks(path.row);
  const items = STATES.map(([work, words], state) => [words, ...box("bar k" + work), state])
    .filter((item) => used.has(item[3]));
  if (lanes > 1)
    items.push(["blocked: the lane below says why", ...box("bar held")]);
  if (paler)
    items.push(["paler: short ones, height is their share", ...box("short k0", {y: 6, height: 8})]);
  return [element, legend(items)];
}

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
    const words = relation(slice, stop), name = "pause " + stop.rank;
    if (words)
      parts.push(parts.length ? ", " : "", words + " ", links ? link(stop, name) : name);
  }
  return parts;
}

/* ----------------------------------------------------------------- rows -- */

// A link to the slice that held a stop up.
function heldBy(stop) {
  const held = slices.find((slice) => stop.late.length && isLateIn(stop.late[0], slice));
  return held ? [html("p", {}, "Held up by ", link(held, "slice " + held.rank), ", ",
    number(held.length), " long.")] : [];
}

// Adds to the row of an item, when it is first opened, its picture and more.
function openLater(item, words, zero, window, draw, more = () => {}) {
  const {row} = item;
  const act = () => {
    const stacks = row.querySelector(".stacks, .path");
    if (!row.open || !stacks)
      return;
    row.removeEventListener("toggle", act);
    const heading = html("h3", {}, words + " ", html("small", {}, "0 is " + zero));
    stacks.before(heading, ...window ? draw(heading, item, window)
      : [html("p", {class: "faint"}, "No picture: the file would be over 2 MB.")]);
    more(stacks);
  };
  row.addEventListener("toggle", act);
  act();
}

// A bar in a line: parts are class, begin and length.
const meter = (all, parts) => svg("svg", {class: "meter", "aria-hidden": true},
  ...parts.map(([name, from, length]) => svg("rect", {
    class: name, height: "100%", x: percent(from, all), width: percent(length, all)})));
const rowMeter = (row, all, parts) => row.querySelector(".length").after(meter(all, parts));

function sliceRow(slice, i) {
  const work = /k\d/.exec(slice.row.querySelector(".work").className)[0];
  rowMeter(slice.row, slices[0].length || 1, [[work, 0, slice.length]]);
  const related = relations(slice, false);
  if (related.length)
    slice.row.querySelector(".what").append(html("small", {}, ...related));
  openLater(slice, "What all processors did around it", "where the slice began", data.slices[i],
    drawSlice, () => {
      if (related.length)
        slice.row.querySelector(".facts").append(html("div", {}, html("dt", {}, "pauses"),
          html("dd", {}, ...relations(slice, true))));
    });
}

function waitRow(wait, i) {
  const idle = wait.length - wait.busy - wait.stopped;
  rowMeter(wait.row, waits[0].length || 1, [["ready", 0, wait.busy], ["stood", wait.busy, wait.stopped],
    ["idle", wait.busy + wait.stopped, idle]]);
  openLater(wait, "What all processors did meanwhile", "when the goroutine was ready", data.waits[i], drawWait);
}

function blockRow(block, i) {
  rowMeter(block.row, blocks[0].sum || 1, [["bound", 0, block.sum], ["stop-bar", 0, block.length]]);
  openLater(block, "What goroutines and processors did during the longest", "where it began", data.blocks[i],
    drawBlock);
}

function stopRow(stop, i) {
  const all = Math.max(1, ...stops.map((other) => other.stopping + Math.max(0, other.stopped)));
  rowMeter(stop.row, all, [[stop.inferred ? "bound" : "stop-bar", 0, Math.max(0, stop.stopping)],
    ...stop.stopped > 0 ? [["stood", stop.stopping, stop.stopped]] : []]);
  openLater(stop, "What all processors did", stop.inferred ? "the earliest time of the request" : "the request",
    stop.from >= 0 && data.stops[i], drawStop, (stacks) => stacks.after(...heldBy(stop)));
}

function pathRow(path, i) {
  const sums = [path.ran, path.assisted, path.ready, path.call, path.blocked, path.absent];
  rowMeter(path.row, path.length || 1,
    sums.map((ns, state) => ["k" + STATES[state][0], sum(sums.slice(0, state)), ns]));
  if (path.length > 0)
    openLater(path, "What it waited for", "when the request began", data.paths[i], drawPath);
}

/* ----------------------------------------------------------------- page -- */

// Opens the row that the address names, and the one that it is in.
function show() {
  const row = byId(location.hash.slice(1));
  if (row && row.tagName === "DETAILS") {
    row.open = true;
    // A part of a path is in a row.
    const around = row.parentElement.closest("details");
    if (around)
      around.open = true;
    row.scrollIntoView();
  }
}

function buttons(id, what) {
  const section = byId(id);
  const rows = [...document.querySelectorAll(`#${id} details.row`)];
  const set = (open) => () => rows.forEach((row) => { row.open = open; });
  if (rows.length > 1)
    section.querySelector("h2").append(html("span", {class: "buttons"},
      button("Open all", "open all " + what, set(true)),
      button("Close all", "close all " + what, set(false))));
}

document.body.classList.add("drawn");
const drawnWhole = drawWhole();
findings.forEach((finding) => leads(finding, drawnWhole));
document.querySelectorAll(".command").forEach(command);
paths.forEach(pathRow);
slices.forEach(sliceRow);
waits.forEach(waitRow);
blocks.forEach(blockRow);
stops.forEach(stopRow);
drawLengths();
for (const id of ["requests", "slices", "waits", "blocks"])
  buttons(id, id);
buttons("stops", "pauses");
addEventListener("hashchange", show);
show();
