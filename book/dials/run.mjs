// Run buttons: the real library in the reader's browser, started when the first one is pressed.
// A cell is run after those above it that it may build on. What is said of a cell is what holds:
// running, done, failed, stopped, or changed since it ran.

const cells = [...document.querySelectorAll(".cell:not(.tag_remove-cell) > .cell_input, .cell:not(.tag_remove-cell) details .cell_input")]
  .filter((input) => input.querySelector("pre"));
let worker = null;
let current = null; // { id, cell, answer } of the cell that Python has

cells.forEach((input, i) => equip(input, i));

function equip(input, i) {
  const text = input.querySelector("pre").textContent.replace(/\n$/, "");
  const cell = { text: () => text, state: "new", say() {}, show() {}, buttons() {} };
  input.run = cell;
  if (input.closest(".tag_set-up")) return; // not shown, and run before the cell that needs it
  const bar = document.createElement("div");
  bar.className = "run-bar";
  const start = make("Run", () => run(i));
  const stop = make("Stop", stopAll);
  stop.hidden = true;
  const edit = make("Edit", () => change());
  const note = document.createElement("span");
  note.className = "run-note";
  note.setAttribute("role", "status");
  bar.append(start, stop, edit, note);
  input.after(bar);
  const output = document.createElement("div");
  output.className = "run-output";
  output.hidden = true;
  bar.after(output);
  let area = null;
  cell.text = () => (area ? area.value : text);
  cell.say = (words) => { note.textContent = words; };
  cell.buttons = (busy) => { start.hidden = busy; stop.hidden = !busy; };
  cell.show = ({ output: printed, html, failed }) => {
    const lines = document.createElement("pre");
    lines.tabIndex = 0;
    lines.setAttribute("aria-label", "Output of the cell as run here");
    lines.textContent = printed || (html ? "" : "(nothing printed)");
    output.replaceChildren(...(lines.textContent ? [lines] : []));
    if (html) {
      const picture = document.createElement("div");
      picture.innerHTML = html;
      output.append(picture);
    }
    output.dataset.failed = String(failed);
    output.hidden = false;
  };

  function change() {
    area = document.createElement("textarea");
    area.className = "run-source";
    area.value = text;
    area.rows = text.split("\n").length;
    area.spellcheck = false;
    area.setAttribute("aria-label", "Python of this cell; Escape leaves it");
    area.addEventListener("input", () => outdate(i));
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(i);
      if (event.key === "Escape") start.focus();
    });
    input.replaceChildren(area);
    edit.remove();
    area.focus();
  }
}

/** What a cell says is no longer so once a cell above it, or its own text, has changed. */
function outdate(from) {
  cells.slice(from).forEach(({ run: cell }, k) => {
    if (cell.state !== "done" && cell.state !== "failed") return;
    cell.state = "outdated";
    cell.say(k === 0 ? "Changed since it ran." : "A cell above has changed since this ran.");
  });
}

/** Runs a cell, and before it those above that it may build on. */
async function run(last) {
  if (current) return;
  const wanted = cells.slice(0, last + 1).map(({ run: cell }) => cell)
    .filter((cell, i) => i === last || cell.state !== "done");
  for (const cell of wanted) {
    const begun = performance.now();
    cell.buttons(true);
    const found = await ask(cell);
    cell.buttons(false);
    if (found === null) return; // stopped
    cell.state = found.failed ? "failed" : "done";
    cell.say(found.failed ? "Failed." : `Done in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    cell.show(found);
    if (found.failed) {
      const asked = wanted[wanted.length - 1];
      if (asked !== cell) asked.say("Not run: a cell above it failed.");
      return;
    }
  }
}

function ask(cell) {
  worker ??= start();
  return new Promise((answer) => {
    current = { id: Math.random(), cell, answer };
    cell.say("Starting Python");
    worker.postMessage({ id: current.id, code: cell.text() });
  });
}

function answered(found) {
  const { answer } = current;
  current = null;
  answer(found);
}

/** Ends Python, whatever it is doing: all that the cells have made is gone with it. */
function stopAll() {
  if (!current) return;
  worker.terminate();
  worker = null;
  const { cell } = current;
  for (const { run: each } of cells) {
    if (each.state === "done") each.say("Will run again: Python was stopped.");
    each.state = "new";
  }
  cell.say("Stopped. The next run starts Python anew.");
  answered(null);
}

function start() {
  const made = new Worker(new URL("python_worker.mjs", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }) => {
    if (!current) return;
    if (data.state) current.cell.say(data.state);
    else if (data.id === current.id) answered(data);
  });
  made.addEventListener("error", (event) => {
    worker = null;
    if (current) answered({ failed: true, html: "", output: `Python could not start: ${event.message}` });
  });
  return made;
}

function make(text, press) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "dial-button";
  element.textContent = text;
  element.addEventListener("click", press);
  return element;
}
