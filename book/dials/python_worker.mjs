// Python in a worker: the library's own wheel, nothing from outside.

const here = new URL("../pyodide/", import.meta.url).href;

const ready = (async () => {
  const { loadPyodide } = await import(`${here}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: here });
  const wheel = await (await fetch(`${here}qmodel.whl`)).arrayBuffer();
  python.unpackArchive(wheel, "whl");
  return python;
})();

self.addEventListener("message", async ({ data: { id, code } }) => {
  const lines = [];
  let failed = false;
  try {
    const python = await ready;
    python.setStdout({ batched: (line) => lines.push(line) });
    python.setStderr({ batched: (line) => lines.push(line) });
    const value = await python.runPythonAsync(code);
    if (value !== undefined) lines.push(String(value?.toString?.() ?? value));
    value?.destroy?.();
  } catch (error) {
    failed = true;
    lines.push(last(error.message));
  }
  self.postMessage({ id, output: lines.join("\n"), failed });
});

/** The last line of a traceback says what was wrong; the rest says where in the page's machinery. */
function last(message) {
  const lines = message.trim().split("\n");
  const at = lines.findLastIndex((line) => /^\w[\w.]*(Error|Exception|Network|Input|Applicable|Stable)?:/.test(line));
  return lines.slice(Math.max(at, 0)).join("\n");
}
