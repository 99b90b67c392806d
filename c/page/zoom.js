/*
 * zoom.js shows a part of a picture: its plot gets wider, in a box that scrolls. Buttons,
 * keys, the wheel, and a drag of the pointer over times do that.
 */
const ZOOM_MAX = 64;
const zooms = new Map();
let hovered = null; // the box under the pointer

class Zoom {
  constructor(box, plot, heading) {
    Object.assign(this, {box, plot, scale: 1});
    // What a drag over a part of the plot does: it shows that.
    this.chosen = this.show;
    zooms.set(box, this);
    heading.append(html("span", {class: "buttons"},
      button("−", "zoom out", () => this.by(.5)), button("+", "zoom in", () => this.by(2))));
    box.addEventListener("pointerenter", () => hovered = box);
    box.addEventListener("pointerleave", () => hovered = null);
    box.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    onDrag(plot, (from, to) => this.chosen(from, to));
  }
  // Makes the plot SCALE times as wide as the box, of which X pixels from the left show
  // the same as before.
  set(scale, at, x) {
    this.scale = Math.min(ZOOM_MAX, Math.max(1, scale));
    this.plot.style.width = 100 * this.scale + "%";
    this.box.scrollLeft = at * this.box.clientWidth * this.scale - x;
  }
  by(factor, x = this.box.clientWidth / 2) {
    this.set(this.scale * factor, (this.box.scrollLeft + x) / (this.box.clientWidth * this.scale), x);
  }
  // Moves by a share of what is seen.
  move(share) {
    this.box.scrollLeft += share * this.box.clientWidth;
  }
  // Shows a part of the plot, of which the ends are shares of its width.
  show(from, to) {
    this.set(1 / Math.max(to - from, 1e-9), (from + to) / 2, this.box.clientWidth / 2);
  }
  // The wheel scrolls the page, unless the picture has the focus, or Ctrl is held.
  wheel(event) {
    if (event.shiftKey || !(event.ctrlKey || this.box.contains(document.activeElement)))
      return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? 1.25 : .8, event.clientX - this.box.getBoundingClientRect().left);
  }
}

// The keys of viewers of traces.
const KEYS = {
  "w": (zoom) => zoom.by(1.5), "s": (zoom) => zoom.by(1 / 1.5),
  "a": (zoom) => zoom.move(-.2), "d": (zoom) => zoom.move(.2),
  "+": (zoom) => zoom.by(2), "=": (zoom) => zoom.by(2), "-": (zoom) => zoom.by(.5),
  "0": (zoom) => zoom.by(1e-9),
};

// Keys are for the picture that has the focus, or else for the one under the pointer.
addEventListener("keydown", (event) => {
  const act = KEYS[event.key.toLowerCase()], focused = document.activeElement.closest(".scroll");
  const zoom = zooms.get(focused || hovered);
  if (!act || !zoom || event.ctrlKey || event.altKey || event.metaKey)
    return;
  act(zoom);
  event.preventDefault();
});

// Calls ACT with the part of a plot that the pointer is dragged over. A finger scrolls.
function onDrag(plot, act) {
  const mark = svg("rect", {class: "chosen-times", y: 0, height: "100%"});
  let from = null, begin = 0, moved = false;
  const share = (event) => {
    const {left, width} = plot.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const end = () => {
    from = null;
    mark.remove();
  };
  plot.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.pointerType === "touch" || event.button !== 0)
      return;
    from = share(event);
    begin = event.clientX;
  });
  plot.addEventListener("pointermove", (event) => {
    if (from === null || (!moved && Math.abs(event.clientX - begin) < 5))
      return;
    if (!moved)
      plot.setPointerCapture(event.pointerId);
    moved = true;
    const to = share(event);
    mark.setAttribute("x", 100 * Math.min(from, to) + "%");
    mark.setAttribute("width", 100 * Math.abs(to - from) + "%");
    plot.append(mark);
  });
  plot.addEventListener("pointerup", (event) => {
    const parts = [from, share(event)].sort((a, b) => a - b), drags = from !== null && moved;
    end();
    if (drags)
      act(...parts);
  });
  plot.addEventListener("pointercancel", end);
  // A drag is no click on a link, and takes no link along.
  plot.addEventListener("click", (event) => moved && event.preventDefault(), true);
  plot.addEventListener("dragstart", (event) => event.preventDefault());
}
