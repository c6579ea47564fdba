// Line charts as SVG: axes with round numbers, lines told apart by dash as well as by colour.

const NS = "http://www.w3.org/2000/svg";
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "1 5", "14 4"];
const WIDE = { width: 640, height: 320, left: 62, right: 16, top: 14, bottom: 46 };
// As wide as a telephone, so that letters are not made smaller there.
const NARROW = { width: 380, height: 290, left: 68, right: 22, top: 14, bottom: 46 };

// About as wide as a digit.
const LETTER = 8;

/** Whether the page is narrow; charts are drawn anew when that changes. */
export const telephone = matchMedia("(max-width: 600px)");

/** Size and margins of a chart on this page. */
export const frame = () => (telephone.matches ? NARROW : WIDE);

/**
 * { title, x: { label, min, max, log?, at?: where the ticks are }, y: { label, min, max, log? },
 *   lines: [{ name, points: [[x, y]] }], bands: [{ points: [[x, low, high]] }],
 *   measured: { name, points: [{ x, y, low?, high?, left?, right? }] }, with error bars up or across,
 *   marks: [{ x, y, label }], levels: [{ y, label }], walls: [{ x, label }],
 *   ghosts: lines of before, drawn faintly, flat: a height that leaves room below, but on a telephone }
 */
export function chart({ title, x, y, flat, lines = [], bands = [], measured = null, marks = [], levels = [], walls = [], ghosts = [] }) {
  const box = { ...frame() };
  if (flat && !telephone.matches) box.height = flat;
  const longest = Math.max(...ticks(y).map((at) => number(at).length));
  box.left = Math.max(box.left, 34 + LETTER * longest); // the label of the axis stands beside them
  const svg = node("svg", { viewBox: `0 0 ${box.width} ${box.height}`, class: "chart", role: "img", "aria-label": title });
  const across = scale(x, box.left, box.width - box.right);
  const up = scale(y, box.height - box.bottom, box.top);
  let taken = -Infinity;
  for (const at of ticks(x)) {
    svg.append(node("line", { x1: across(at), x2: across(at), y1: box.top, y2: box.height - box.bottom, class: "grid" }));
    const half = LETTER * number(at).length / 2;
    if (across(at) - half < taken) continue;
    taken = across(at) + half + LETTER;
    svg.append(text(across(at), box.height - box.bottom + 18, number(at), "middle"));
  }
  for (const at of ticks(y)) {
    svg.append(node("line", { x1: box.left, x2: box.width - box.right, y1: up(at), y2: up(at), class: "grid" }));
    svg.append(text(box.left - 8, up(at) + 4, number(at), "end"));
  }
  svg.append(text((box.left + box.width - box.right) / 2, box.height - 8, x.label, "middle", "axis-label"));
  const label = text(0, 0, y.label, "middle", "axis-label");
  label.setAttribute("transform", `translate(14 ${(box.top + box.height - box.bottom) / 2}) rotate(-90)`);
  svg.append(label);
  // A drawing within the drawing, which cuts off what is beyond the axes.
  const size = { x: box.left - 2, y: box.top - 2, width: box.width - box.left - box.right + 4, height: box.height - box.top - box.bottom + 4 };
  const inner = node("svg", { ...size, viewBox: `${size.x} ${size.y} ${size.width} ${size.height}` });
  for (const { points } of bands) {
    const edge = [...points.map(([a, low]) => [a, low]), ...points.map(([a, , high]) => [a, high]).reverse()];
    inner.append(node("polygon", { points: path(edge), class: "band" }));
  }
  for (const { x: at, label: name } of walls) {
    svg.append(node("line", { x1: across(at), x2: across(at), y1: box.top, y2: box.height - box.bottom, class: "level" }));
    if (name) svg.append(text(across(at) + 5, box.top + 12, name, "start", "level-label"));
  }
  for (const { y: at, label: name } of levels) {
    svg.append(node("line", { x1: box.left, x2: box.width - box.right, y1: up(at), y2: up(at), class: "level" }));
    if (name) svg.append(text(box.left + 6, up(at) - 5, name, "start", "level-label"));
  }
  for (const { points } of ghosts) {
    inner.append(node("polyline", { points: path(points.filter(([, b]) => Number.isFinite(b))), class: "ghost" }));
  }
  lines.forEach(({ points, tone }, i) => {
    const inside = points.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
    inner.append(node("polyline", { points: path(inside), class: `line tone-${(tone ?? i) + 1}`, "stroke-dasharray": DASHES[i % 6] }));
  });
  svg.append(inner);
  for (const { x: a, y: b } of marks) {
    svg.append(node("circle", { cx: across(a), cy: Math.max(box.top, up(b)), r: 5, class: "mark" }));
  }
  // On top of the marks, and whole at the edge of the axes.
  for (const point of measured?.points ?? []) {
    if (point.x >= x.min && point.x <= x.max && point.y >= y.min && point.y <= y.max) svg.append(...measuredPoint(point));
  }
  const figure = document.createElement("div");
  figure.append(svg);
  if (lines.length) readout(svg, figure);
  if (lines.length > 1 || measured) figure.append(legend(lines, measured, lines.map(hidden)));
  return figure;

  /** The name of a line drawn before which this one lies on nearly everywhere, or nothing. */
  function hidden({ points }, i) {
    const before = lines.slice(0, i).find((other) => {
      const alike = other.points.length === points.length && other.points.every(([a], j) => a === points[j][0]);
      const there = (a, j) => (alike ? other.points[j][1] : height(other.points, a));
      const apart = points.map(([a, b], j) => Math.abs(up(b) - up(there(a, j)))).filter(Number.isFinite);
      return apart.length > 1 && apart.filter((pixels) => pixels < 1.5).length > 0.9 * apart.length;
    });
    return before?.name;
  }

  /** A dot, and bars with caps to where the number may lie. */
  function measuredPoint({ x: a, y: b, low = b, high = b, left = a, right = a }) {
    const parts = [];
    const bar = (x1, y1, x2, y2) => parts.push(node("line", { x1, y1, x2, y2, class: "error-bar" }));
    const [u, v] = [across(a), up(b)];
    if (high > low) {
      const ends = [up(Math.max(low, y.min)), up(Math.min(high, y.max))];
      bar(u, ends[0], u, ends[1]);
      for (const end of ends) bar(u - 5, end, u + 5, end);
    }
    if (right > left) {
      const ends = [across(Math.max(left, x.min)), across(Math.min(right, x.max))];
      bar(ends[0], v, ends[1], v);
      for (const end of ends) bar(end, v - 5, end, v + 5);
    }
    const dot = node("circle", { cx: u, cy: v, r: 3.5, class: "measured" });
    Object.assign(dot.dataset, { x: a, y: b, low, high, left, right });
    return [...parts, dot];
  }

  /** The values of all lines where the pointer is. */
  function readout(svg, figure) {
    const said = document.createElement("p");
    said.className = "chart-readout";
    said.setAttribute("aria-hidden", "true"); // the figures and the sentence say it without a pointer
    const rule = node("line", { y1: box.top, y2: box.height - box.bottom, class: "pointer" });
    svg.addEventListener("pointermove", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const at = ((event.clientX - left) / width) * box.width;
      if (at < box.left || at > box.width - box.right) return;
      rule.setAttribute("x1", at);
      rule.setAttribute("x2", at);
      if (!rule.parentNode) svg.append(rule);
      const near = lines.map(({ name, points }) => {
        const point = points.reduce((a, b) => (Math.abs(across(b[0]) - at) < Math.abs(across(a[0]) - at) ? b : a), points[0]);
        return point ? `${name} ${number(Number(point[1].toPrecision(3)))} at ${number(Number(point[0].toPrecision(3)))}` : "";
      });
      for (const { x: a, y: b, low = b, high = b } of measured?.points ?? []) {
        if (Math.abs(across(a) - at) > 8) continue;
        const range = high > low ? ` (${number(Number(low.toPrecision(4)))} to ${number(Number(high.toPrecision(4)))})` : "";
        near.push(`measured ${number(b)}${range} at ${number(a)}`);
      }
      said.textContent = near.filter((words) => words && !words.includes("NaN") && !words.includes("Infinity")).join("; ");
    });
    svg.addEventListener("pointerleave", () => { rule.remove(); said.textContent = ""; });
    figure.append(said);
  }

  function path(points) {
    return points.map(([a, b]) => `${across(a).toFixed(1)},${Math.max(-9999, up(b)).toFixed(1)}`).join(" ");
  }
}

/** The height of a line at this place, NaN beyond its ends. */
function height(points, at) {
  const i = points.findIndex(([a]) => a >= at);
  if (i < 0 || (i === 0 && points[0][0] > at)) return NaN;
  if (i === 0 || points[i][0] === at) return points[i][1];
  const [[a, b], [c, d]] = [points[i - 1], points[i]];
  return b + ((d - b) * (at - a)) / (c - a);
}

function legend(lines, measured, covers) {
  const list = document.createElement("ul");
  list.className = "chart-legend";
  lines.forEach(({ name, tone }, i) => {
    const item = document.createElement("li");
    const sample = node("svg", { viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" });
    sample.append(node("line", { x1: 0, x2: 30, y1: 4, y2: 4, class: `line tone-${(tone ?? i) + 1}`, "stroke-dasharray": DASHES[i % 6] }));
    item.append(sample, ` ${name}${covers[i] ? ` (lies on \u201c${covers[i]}\u201d)` : ""}`);
    list.append(item);
  });
  if (measured) {
    const item = document.createElement("li");
    const sample = node("svg", { viewBox: "0 0 30 16", width: 30, height: 16, "aria-hidden": "true" });
    const across = measured.points.some(({ right }) => right !== undefined);
    if (across || measured.points.some(({ high }) => high !== undefined)) {
      sample.append(node("line", across ? { x1: 7, x2: 23, y1: 8, y2: 8, class: "error-bar" } : { x1: 15, x2: 15, y1: 1, y2: 15, class: "error-bar" }));
    }
    sample.append(node("circle", { cx: 15, cy: 8, r: 3.5, class: "measured" }));
    item.append(sample, ` ${measured.name}`);
    list.append(item);
  }
  return list;
}

function scale({ min, max, log }, from, to) {
  if (log) return (v) => from + ((Math.log(v) - Math.log(min)) / (Math.log(max) - Math.log(min))) * (to - from);
  return (v) => from + ((v - min) / (max - min)) * (to - from);
}

/** Round numbers within an axis: 1, 2 or 5 times a power of ten apart. */
export function ticks({ min, max, log, at }) {
  if (at) return at;
  const found = [];
  if (log) {
    for (let power = 10 ** Math.floor(Math.log10(min)); power <= max; power *= 10) {
      for (const digit of max / min > 300 ? [1] : [1, 2, 5]) {
        if (power * digit >= min * 0.999 && power * digit <= max * 1.001) found.push(power * digit);
      }
    }
    return found;
  }
  const rough = (max - min) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= rough) * power;
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max * (1 + 1e-9); i++) found.push(i * step);
  return found;
}

/** The next round number above, for the end of an axis. */
export function above(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((digit) => digit * power >= value * 0.9999) * power;
}

function number(value) {
  if (value === 0) return "0";
  const digits = String(Number(value.toPrecision(6)));
  return Math.abs(value) < 10000 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

function node(tag, attributes) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== "") element.setAttribute(name, value);
  return element;
}

function text(x, y, content, anchor, kind = "tick") {
  const element = node("text", { x, y, "text-anchor": anchor, class: kind });
  element.textContent = content;
  return element;
}
