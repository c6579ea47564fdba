// Python in a worker: the library's own wheel and NumPy, SciPy, Matplotlib and SymPy where a cell
// imports them; nothing from outside.

const here = new URL("../pyodide/", import.meta.url).href;

// Runs a cell as a notebook does: what is printed, and the value of the last expression. What is
// missing is named, so that it can be fetched and the cell begun again.
const RUN = `
import logging, os, sys
from pyodide.code import eval_code_async

os.umask(0o022)  # here it is 0o777, and a file that a cell writes could not be read
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # its first start is no news
space = sys.modules["__main__"].__dict__

async def run_cell(code):
    try:
        value = await eval_code_async(code, space)
    except ModuleNotFoundError as error:
        return ["missing", (error.name or "").partition(".")[0], str(error)]
    except BaseException as error:
        import traceback
        return ["failed", "", traceback.format_exception_only(error)[-1].strip()]
    if value is None:
        return ["done", "", ""]
    html = getattr(value, "_repr_html_", None)
    return ["html", "", html()] if html else ["text", "", repr(value)]
`;

let python = null;
const homes = new Map(); // package by the name that is imported

const ready = (async () => {
  self.postMessage({ state: "Fetching Python, 6 MB, once" });
  const { loadPyodide } = await import(`${here}pyodide.mjs`);
  const wheel = fetch(`${here}qmodel.whl`).then((answer) => answer.arrayBuffer());
  const list = fetch(`${here}pyodide-lock.json`).then((answer) => answer.json());
  python = await loadPyodide({ indexURL: here });
  for (const [name, { imports }] of Object.entries((await list).packages)) {
    for (const module of imports) homes.set(module, name);
  }
  python.unpackArchive(await wheel, "whl");
  python.runPython(RUN);
})();

self.addEventListener("message", async ({ data: { id, code } }) => {
  let lines = [], found = null;
  try {
    await ready;
    const write = (line) => lines.push(line);
    python.setStdout({ batched: write });
    python.setStderr({ batched: write });
    const run = python.globals.get("run_cell");
    const fetched = new Set();
    while (!found) {
      lines = [];
      self.postMessage({ id, state: "Running" });
      const answer = await run(code);
      const [kind, module, text] = answer.toJs();
      answer.destroy();
      const wanted = homes.get(module);
      if (kind === "missing" && wanted && !fetched.has(wanted)) {
        fetched.add(wanted);
        self.postMessage({ id, state: `Fetching ${wanted}, once` });
        await python.loadPackage(wanted, { messageCallback: () => {} });
      } else {
        found = { kind, text };
      }
    }
    run.destroy();
  } catch (error) {
    found = { kind: "failed", text: error.message };
  }
  const failed = found.kind === "failed" || found.kind === "missing";
  if (found.text && found.kind !== "html") lines.push(found.text);
  self.postMessage({ id, output: lines.join("\n"), html: found.kind === "html" ? found.text : "", failed });
});
