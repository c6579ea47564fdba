// Line charts as SVG: axes with round numbers, lines told apart by dash as well as by colour.

const NS = "http://www.w3.org/2000/svg";
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "1 5", "14 4"];
const BOX = { width: 640, height: 320, left: 62, right: 16, top: 14, bottom: 46 };

/**
 * { title, x: { label, min, max, log?, at?: where the ticks are }, y: { label, min, max, log? },
 *   lines: [{ name, points: [[x, y]] }], bands: [{ points: [[x, low, high]] }],
 *   marks: [{ x, y, label }], levels: [{ y, label }], walls: [{ x, label }] }
 */
export function chart({ title, x, y, lines = [], bands = [], marks = [], levels = [], walls = [] }) {
  const svg = node("svg", { viewBox: `0 0 ${BOX.width} ${BOX.height}`, class: "chart", role: "img", "aria-label": title });
  const across = scale(x, BOX.left, BOX.width - BOX.right);
  const up = scale(y, BOX.height - BOX.bottom, BOX.top);
  for (const at of ticks(x)) {
    svg.append(node("line", { x1: across(at), x2: across(at), y1: BOX.top, y2: BOX.height - BOX.bottom, class: "grid" }));
    svg.append(text(across(at), BOX.height - BOX.bottom + 18, number(at), "middle"));
  }
  for (const at of ticks(y)) {
    svg.append(node("line", { x1: BOX.left, x2: BOX.width - BOX.right, y1: up(at), y2: up(at), class: "grid" }));
    svg.append(text(BOX.left - 8, up(at) + 4, number(at), "end"));
  }
  svg.append(text((BOX.left + BOX.width - BOX.right) / 2, BOX.height - 8, x.label, "middle", "axis-label"));
  const label = text(0, 0, y.label, "middle", "axis-label");
  label.setAttribute("transform", `translate(14 ${(BOX.top + BOX.height - BOX.bottom) / 2}) rotate(-90)`);
  svg.append(label);
  for (const { points } of bands) {
    const edge = [...points.map(([a, low]) => [a, low]), ...points.map(([a, , high]) => [a, high]).reverse()];
    svg.append(node("polygon", { points: path(edge), class: "band" }));
  }
  for (const { x: at, label: name } of walls) {
    svg.append(node("line", { x1: across(at), x2: across(at), y1: BOX.top, y2: BOX.height - BOX.bottom, class: "level" }));
    if (name) svg.append(text(across(at) + 5, BOX.top + 12, name, "start", "level-label"));
  }
  for (const { y: at, label: name } of levels) {
    svg.append(node("line", { x1: BOX.left, x2: BOX.width - BOX.right, y1: up(at), y2: up(at), class: "level" }));
    if (name) svg.append(text(BOX.left + 6, up(at) - 5, name, "start", "level-label"));
  }
  lines.forEach(({ points, tone }, i) => {
    const inside = points.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
    svg.append(node("polyline", { points: path(inside), class: `line tone-${(tone ?? i) + 1}`, "stroke-dasharray": DASHES[i % 6] }));
  });
  for (const { x: a, y: b } of marks) {
    svg.append(node("circle", { cx: across(a), cy: clamp(up(b)), r: 5, class: "mark" }));
  }
  const figure = document.createElement("div");
  figure.append(svg);
  if (lines.length > 1) figure.append(legend(lines));
  return figure;

  function path(points) {
    return points.map(([a, b]) => `${across(a).toFixed(1)},${clamp(up(b)).toFixed(1)}`).join(" ");
  }
}

const clamp = (at) => Math.min(BOX.height - BOX.bottom, Math.max(BOX.top, at));

function legend(lines) {
  const list = document.createElement("ul");
  list.className = "chart-legend";
  lines.forEach(({ name, tone }, i) => {
    const item = document.createElement("li");
    const sample = node("svg", { viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" });
    sample.append(node("line", { x1: 0, x2: 30, y1: 4, y2: 4, class: `line tone-${(tone ?? i) + 1}`, "stroke-dasharray": DASHES[i % 6] }));
    item.append(sample, ` ${name}`);
    list.append(item);
  });
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
  return String(Number(value.toPrecision(6)));
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
