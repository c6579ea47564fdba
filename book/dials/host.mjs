// Places every dial of a page: a figure with data-dial names an ES module of the anywidget form,
// `export default { render({ model, el }) }`. The state of a dial is in the address of the page.

for (const figure of document.querySelectorAll("figure[data-dial]")) place(figure);

async function place(figure) {
  const name = figure.dataset.dial;
  const stage = figure.querySelector(".dial-stage");
  const start = JSON.parse(figure.dataset.state || "{}");
  try {
    const module = await import(new URL(`${name}.mjs`, import.meta.url));
    const model = modelOf(name, start);
    await module.default.render({ model, el: stage });
    figure.dataset.ready = "true";
  } catch (error) {
    stage.textContent = `This dial could not start: ${error.message}`;
    figure.dataset.ready = "failed";
    throw error;
  }
}

/** As much of anywidget's model as a page without a kernel has. */
function modelOf(name, start) {
  const state = { ...start, ...fromAddress(name, start) };
  const listeners = new Map();
  let pending = 0;
  return {
    get: (key) => state[key],
    reset(key) { this.set(key, start[key]); },
    set(key, value) {
      if (state[key] === value) return;
      state[key] = value;
      for (const listener of listeners.get(`change:${key}`) ?? []) listener();
      for (const listener of listeners.get("change") ?? []) listener();
    },
    on(event, listener) { listeners.set(event, [...(listeners.get(event) ?? []), listener]); },
    off(event, listener) {
      listeners.set(event, (listeners.get(event) ?? []).filter((other) => other !== listener));
    },
    save_changes() {
      // Browsers are slow to take a new address, and some refuse more than 100 in 30 s: it waits
      // until the slider rests, and longer than that makes 100.
      clearTimeout(pending);
      pending = setTimeout(() => toAddress(name, state, start), 350);
    },
  };
}

function fromAddress(name, start) {
  const found = {};
  for (const [key, text] of new URLSearchParams(location.search)) {
    const [dial, field] = key.split(".");
    if (dial !== name || !(field in start)) continue;
    if (typeof start[field] !== "number") found[field] = text;
    else if (text.trim() !== "" && Number.isFinite(Number(text))) found[field] = Number(text);
  }
  return found;
}

function toAddress(name, state, start) {
  const address = new URL(location.href);
  for (const key of Object.keys(start)) {
    const field = `${name}.${key}`;
    if (state[key] === start[key]) address.searchParams.delete(field);
    else address.searchParams.set(field, state[key]);
  }
  history.replaceState(null, "", address);
}
