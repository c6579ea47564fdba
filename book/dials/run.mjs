// Run buttons: the real library in the reader's browser, started when the first one is pressed.

const cells = [...document.querySelectorAll(".cell:not(.tag_needs-arrays):not(.tag_remove-cell) .cell_input")];
let worker = null;
let waiting = new Map();

cells.forEach((cell, i) => equip(cell, i));

function equip(cell, i) {
  const source = cell.querySelector("pre");
  if (!source) return;
  const text = source.textContent.replace(/\n$/, "");
  const bar = document.createElement("div");
  bar.className = "run-bar";
  const button = make("button", "Run", () => run(i));
  const edit = make("button", "Edit", () => change());
  const note = document.createElement("span");
  note.className = "run-note";
  note.setAttribute("role", "status");
  bar.append(button, edit, note);
  cell.after(bar);
  const output = document.createElement("pre");
  output.className = "run-output";
  output.tabIndex = 0;
  output.hidden = true;
  output.setAttribute("aria-label", "Output of the cell as run here");
  bar.after(output);
  let area = null;
  cell.run = { text: () => (area ? area.value : text), button, note, output, done: false };

  function change() {
    if (area) {
      area.focus();
      return;
    }
    area = document.createElement("textarea");
    area.className = "run-source";
    area.value = text;
    area.rows = text.split("\n").length;
    area.spellcheck = false;
    area.setAttribute("aria-label", "Python of this cell; Escape leaves it");
    area.addEventListener("input", () => { cell.run.done = false; });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(i);
      if (event.key === "Escape") button.focus();
    });
    cell.replaceChildren(area);
    edit.remove();
    area.focus();
  }
}

/** Runs a cell, and before it those above that it may build on. */
async function run(last) {
  const wanted = cells.slice(0, last + 1).filter((cell, i) => cell.run && (i === last || !cell.run.done));
  for (const cell of wanted) {
    const { button, note, output, text } = cell.run;
    button.disabled = true;
    note.textContent = worker ? "running" : "fetching Python, 9 MB, once";
    const found = await ask(text());
    note.textContent = "";
    button.disabled = false;
    output.hidden = false;
    output.textContent = found.output || "(nothing printed)";
    output.dataset.failed = String(found.failed);
    cell.run.done = !found.failed;
    if (found.failed) return;
  }
}

function ask(code) {
  worker ??= start();
  const id = Math.random();
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, code });
  });
}

function start() {
  const made = new Worker(new URL("python_worker.mjs", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  made.addEventListener("error", (event) => {
    for (const resolve of waiting.values()) resolve({ failed: true, output: `Python could not start: ${event.message}` });
    waiting = new Map();
    worker = null;
  });
  return made;
}

function make(tag, text, press) {
  const element = document.createElement(tag);
  element.type = "button";
  element.className = "dial-button";
  element.textContent = text;
  element.addEventListener("click", press);
  return element;
}
