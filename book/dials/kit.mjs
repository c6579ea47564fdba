// What every dial is made of: controls, one sentence that says the answer, figures, a chart, and
// the same calculation as Python. A dial says what it asks and how it answers; see pooling.mjs.

import { chart, telephone } from "./chart.mjs";

/** How long after the last move of a slider the axes are still held. [ms] */
const HELD = 900;

/**
 * spec.controls: [{ key, label, unit, min, max, step, choices? }], or { key, label, text } for a
 *   text to be pasted, which stays out of the address of the page
 * spec.answer(state) -> { sentence, values: {name: number}, figures: [[label, text]], chart, extra };
 *   values are what the tests hold against qmodel to the last bit; it may throw RangeError
 * spec.python(state) -> text
 * spec.predict: { question, unit, of: values -> number }, for readers who want to guess first
 */
export function dial({ model, el }, spec) {
  for (const control of spec.controls) if (!fits(control, model.get(control.key))) reset(control, model);
  const state = () => Object.fromEntries(spec.controls.map((c) => [c.key, model.get(c.key)]));
  const form = make("form", { class: "dial-controls" });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const control of spec.controls) form.append(controlOf(control, model));
  const sentence = make("p", { class: "dial-sentence", "aria-live": "polite" });
  const figures = make("dl", { class: "dial-figures" });
  const picture = make("div", { class: "dial-picture" });
  const extra = make("div", { class: "dial-extra" });
  const actions = make("div", { class: "dial-actions" });
  const shown = [sentence, figures, picture, extra];
  el.replaceChildren(form, ...shown, actions);
  let last = null, held = null, release = 0; // the chart as drawn, and as it was when a drag began
  if (spec.python) actions.append(copyButton(() => spec.python(state())));
  actions.append(resetButton(spec.controls, model));
  if (spec.predict) actions.append(...predicting(spec.predict, shown, () => JSON.parse(el.dataset.values || "{}")));

  const show = () => {
    el.dataset.current = JSON.stringify(state());
    try {
      const found = spec.answer(state());
      sentence.textContent = found.sentence;
      el.dataset.values = JSON.stringify(found.values ?? {});
      figures.replaceChildren(...(found.figures ?? []).map(figureOf));
      last = found.chart ? steadied(found.chart, held) : null;
      picture.replaceChildren(...(last ? [chart({ title: found.sentence, ...last })] : []));
      extra.replaceChildren(...(found.extra ? [found.extra] : []));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      sentence.textContent = sentenceOf(error.message);
      el.dataset.values = "{}";
      for (const part of [figures, picture, extra]) part.replaceChildren();
    }
  };
  form.addEventListener("input", () => {
    held ??= last;
    clearTimeout(release);
    release = setTimeout(() => { held = null; show(); }, HELD);
  }, true);
  model.on("change", () => { model.save_changes(); show(); });
  telephone.addEventListener("change", show);
  show();
}

/** While a slider moves the axes only grow, and the curves of before stay as ghosts. */
function steadied(now, before) {
  if (!before || before.x.log || now.x.log || before.y.log || now.y.log) return now;
  const wide = (axis) => ({ ...now[axis], min: Math.min(now[axis].min, before[axis].min), max: Math.max(now[axis].max, before[axis].max) });
  return { ...now, x: wide("x"), y: wide("y"), ghosts: before.ghosts ?? before.lines };
}

/** A button that covers the answer, and then a guess that uncovers it. */
function predicting({ question, unit, of }, shown, values) {
  const button = make("button", { type: "button", class: "dial-button" }, "Guess first");
  const row = make("span", { class: "dial-guess" });
  const field = make("input", { inputmode: "decimal", size: "7", "aria-label": `${question} [${unit}]` });
  const reveal = make("button", { type: "button", class: "dial-button" }, "Show");
  const said = make("span", { class: "dial-guessed", role: "status" });
  row.append(make("span", {}, question), field, make("span", {}, unit), reveal);
  row.hidden = true;
  const cover = (covered) => {
    for (const part of shown) part.classList.toggle("dial-covered", covered);
    row.hidden = !covered;
    button.hidden = covered;
  };
  button.addEventListener("click", () => { cover(true); said.textContent = ""; field.value = ""; field.focus(); });
  reveal.addEventListener("click", () => {
    const right = of(values()), guess = Number(field.value.replace(",", "."));
    cover(false);
    said.textContent = field.value.trim() === "" || Number.isNaN(guess) ? `It is ${short(right)} ${unit}.`
      : `You guessed ${short(guess)} ${unit}; it is ${short(right)} ${unit}.`;
    button.focus();
  });
  return [button, row, said];
}

function controlOf(control, model) {
  const id = `dial-${control.key}-${Math.random().toString(36).slice(2, 8)}`;
  const row = make("div", { class: "dial-control" });
  const label = make("label", { for: id }, control.label);
  if (control.text !== undefined) {
    const area = make("textarea", { id, rows: control.text.split("\n").length, wrap: "off", spellcheck: "false", autocomplete: "off" });
    const read = () => { if (area.value !== model.get(control.key)) area.value = model.get(control.key); };
    area.addEventListener("input", () => model.set(control.key, area.value));
    model.on(`change:${control.key}`, read);
    row.classList.add("dial-text");
    row.append(label, area);
    read();
    return row;
  }
  if (control.choices) {
    const select = make("select", { id });
    for (const [value, text] of control.choices) select.append(make("option", { value }, text));
    const read = () => { select.value = model.get(control.key); };
    select.addEventListener("change", () => model.set(control.key, select.value));
    model.on(`change:${control.key}`, read);
    row.append(label, select);
    read();
    return row;
  }
  const { min, max, step } = control;
  const scale = control.log ? logScale(min, max, step) : { from: (v) => v, to: (v) => v, min, max, step };
  const slider = make("input", { type: "range", id, min: scale.min, max: scale.max, step: scale.step });
  const number = make("input", {
    type: "number", min, max, step: "any", inputmode: "decimal",
    "aria-label": `${control.label}${control.unit ? `, ${control.unit}` : ""}`,
  });
  const read = () => {
    const value = model.get(control.key);
    slider.value = scale.to(value);
    slider.setAttribute("aria-valuetext", `${short(value)} ${control.unit ?? ""}`.trim());
    if (document.activeElement !== number) number.value = short(value);
  };
  slider.addEventListener("input", () => model.set(control.key, scale.from(Number(slider.value))));
  number.addEventListener("input", () => {
    const value = Number(number.value);
    const good = number.value !== "" && fits(control, value);
    number.setAttribute("aria-invalid", String(!good));
    row.querySelector(".dial-hint").textContent = good ? "" :
      `${control.label} goes from ${short(min)} to ${short(max)}${Number.isInteger(step) ? ", whole numbers" : ""}.`;
    if (good) model.set(control.key, value);
  });
  number.addEventListener("blur", () => {
    number.setAttribute("aria-invalid", "false");
    row.querySelector(".dial-hint").textContent = "";
    read();
  });
  model.on(`change:${control.key}`, read);
  row.append(label, slider, number, make("span", { class: "dial-unit" }, control.unit ?? ""),
    make("span", { class: "dial-hint", role: "status" }));
  read();
  return row;
}

/** Whether a control can have this value, which may come from the address of the page. */
function fits({ choices, text, min, max, step }, value) {
  if (text !== undefined) return typeof value === "string";
  if (choices) return choices.some(([choice]) => choice === value);
  return typeof value === "number" && value >= min && value <= max
    && (!Number.isInteger(step) || Number.isInteger(value));
}

/** A slider in equal ratios, with values rounded to three digits. */
function logScale(min, max, step) {
  const whole = Number.isInteger(step);
  const from = (position) => {
    const value = Number((min * (max / min) ** (position / 200)).toPrecision(3));
    return Math.min(max, Math.max(min, whole ? Math.round(value) : value));
  };
  return { from, to: (v) => (200 * Math.log(v / min)) / Math.log(max / min), min: 0, max: 200, step: 1 };
}

function copyButton(text) {
  const button = make("button", { type: "button", class: "dial-button" }, "Copy as Python");
  button.addEventListener("click", async () => {
    const python = text();
    button.dataset.python = python;
    try {
      await navigator.clipboard.writeText(python);
      button.textContent = "Copied";
    } catch {
      const shown = button.parentElement.querySelector("pre") ?? make("pre", { tabindex: "0" });
      shown.textContent = python;
      button.parentElement.append(shown);
    }
    setTimeout(() => { button.textContent = "Copy as Python"; }, 2000);
  });
  return button;
}

function resetButton(controls, model) {
  const button = make("button", { type: "button", class: "dial-button" }, "Reset");
  button.addEventListener("click", () => { for (const control of controls) reset(control, model); });
  return button;
}

function reset({ key, text }, model) {
  if (text === undefined) model.reset(key);
  else model.set(key, text);
}

function figureOf([label, value]) {
  const pair = make("div");
  pair.append(make("dt", {}, label), make("dd", {}, value));
  return pair;
}

export function make(tag, attributes = {}, text = null) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

/** A number for people: three digits, no exponent where it can be helped. */
export function short(value) {
  if (!Number.isFinite(value)) return "without limit";
  const size = Math.abs(value);
  if (size >= 1000) return String(Math.round(value));
  if (size === 0) return "0";
  return String(Number(value.toPrecision(3)));
}

export const seconds = (t) => (t < 0.1 ? `${short(t * 1000)} ms` : t < 120 ? `${short(t)} s` : `${short(t / 60)} min`);
export const percent = (share) => `${(100 * share).toFixed(share > 0.995 && share < 1 ? 1 : 0)} %`;
const sentenceOf = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
