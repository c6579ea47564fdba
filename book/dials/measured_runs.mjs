// A CSV of measured runs as qmodel reads it: quantity, station and unit in the header, one row a
// run. Numbers are exact until they are rounded once, so they are qmodel's to the last bit.

const MOST_ROWS = 2000;
const SIZES = {
  time: { s: [1, 1], ms: [1, 1000], us: [1, 1000000], min: [60, 1], h: [3600, 1] },
  rate: { "1/s": [1, 1], "1/min": [1, 60], "1/h": [1, 3600] },
  fraction: { "%": [1, 100], 1: [1, 1] },
  count: { "": [1, 1], 1: [1, 1] },
};
const SAME = {
  s: ["sec", "secs", "second", "seconds"], ms: ["msec", "millisecond", "milliseconds"], us: ["µs", "microseconds"],
  min: ["mins", "minute", "minutes"], h: ["hr", "hour", "hours"],
  "1/s": ["/s", "per s", "per second", "/second", "tps", "iops"], "1/min": ["/min", "per min", "per minute", "/minute"],
  "1/h": ["/h", "per h", "per hour", "/hour"], "%": ["percent", "per cent"], 1: ["fraction"],
};
const QUANTITIES = {
  population: ["count", "users", "clients", "workstations", "customers", "n"],
  think_time: ["time"],
  throughput: ["rate"],
  response_time: ["time", "response"],
  utilization: ["fraction", "utilisation", "util"],
  servers: ["count"],
};
const OF_A_STATION = new Set(["utilization", "servers"]);
/** What qmodel reads and this page has no use for. */
const UNUSED = new Set(["configuration", "config", "run", "label", "case", "start", "from", "end", "to", "until", "volume",
  "operations", "ops", "ios", "capacity", "limit"]);
const SEVERAL = new Set(["class", "task", "workload", "share"]);
const EXAMPLE = { time: "s", rate: "1/s", fraction: "%" };
const MISSING = new Set(["", "-", "na", "n/a", "nan"]);
const HEADING = /^([^:[\]()]*?)\s*(?::\s*([^:[\]()]*?)\s*)?(?:\[\s*([^[\]]*?)\s*\]|\(\s*([^()]*?)\s*\))?$/;
const NUMBER = /^([+-]?)(?:(\d{1,3}(?:,\d{3})+|\d{1,25})(?:\.(\d{0,25}))?|\.(\d{1,25}))(?:[eE]([+-]?\d{1,3}))?\s*([^\d\s,.;].*)?$/;

const shown = (text) => JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 57)}...`);

/** Something wrong with the text, and where. */
function wrong(problem, line, column = null, name = "") {
  const place = column === null ? `line ${line}` : `line ${line}, column ${column}`;
  throw new RangeError(`${place}${name ? ` (${name})` : ""}: ${problem}`);
}

/** { columns: [{ quantity, of, text }], rows: [{ line, cells: [number or null] }] } */
export function read(text) {
  const lines = split(text);
  if (!lines.length) throw new RangeError("nothing to read: a header is needed, and a row for each measured run");
  const [first, header] = lines[0];
  separated(header, text, first);
  const columns = header.map((cell, i) => heading(cell, first, i + 1));
  columns.forEach((column, i) => {
    const before = columns.findIndex((c) => c.quantity && c.quantity === column.quantity && c.of === column.of);
    if (before >= 0 && before < i) wrong(`${shown(column.text)} repeats column ${before + 1}`, first, i + 1);
  });
  if (lines.length === 1) wrong("no rows behind the header", first);
  const rows = lines.slice(1).map(([line, cells]) => {
    if (cells.length !== columns.length) {
      wrong(`${cells.length} cells, expected ${columns.length} as in the header`, line,
        Math.min(cells.length, columns.length) + 1);
    }
    const found = cells.map((cell, i) => reading(cell, columns[i], line, i + 1));
    possible(found, columns, line);
    return { line, cells: found.map((each) => each && each.value) };
  });
  return { columns, rows };
}

/** Rows that are neither empty nor a comment, each with the line on which it begins. */
function split(text) {
  const found = [];
  let cells = [], cell = "", quoted = false, closed = false, line = 1, start = 1, fresh = true;
  const endCell = () => { cells.push(cell); cell = ""; fresh = true; closed = false; };
  const endRow = () => {
    endCell();
    if (cells.some((c) => c.trim()) && !cells[0].trimStart().startsWith("#")) found.push([start, cells]);
    if (found.length > MOST_ROWS + 1) wrong(`more than ${MOST_ROWS} rows; a row is a measured run`, start);
    cells = [];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') { cell += c; i++; } else [quoted, closed] = [false, true];
      if (c === "\n") line++;
    } else if (closed && !",\r\n".includes(c)) { wrong(`after a quotation mark a comma is expected, not ${shown(c)}`, start); }
    else if (c === '"' && fresh) { quoted = true; fresh = false; }
    else if (c === ",") endCell();
    else if (c === "\n") { endRow(); line++; start = line; }
    else if (c === "\r" || (c === " " && fresh)) continue;
    else { cell += c; fresh = false; }
  }
  if (quoted) wrong("a quotation mark is never closed", start);
  if (cell || cells.length) endRow();
  return found;
}

function separated(header, text, line) {
  if (header.length > 1) return;
  for (const [mark, name] of [[";", "semicolons"], ["\t", "tabs"], ["|", "bars"]]) {
    if (header[0].includes(mark)) {
      const decimal = /\d,\d/.test(text) ? " and decimal commas" : "";
      wrong(`columns are separated by ${name}${decimal}; write commas between columns and points in numbers`, line);
    }
  }
}

function heading(text, line, place) {
  const plain = text.split(/\s+/).filter(Boolean).join(" ");
  const stop = (problem) => wrong(problem, line, place);
  if (!plain) stop('empty heading; write a quantity and its unit, as in "throughput [1/s]"');
  const parts = HEADING.exec(plain);
  if (!parts) stop(`${shown(text)} is no heading; write quantity:station [unit], as in "utilization:cpu [%]"`);
  let name = parts[1].toLowerCase().replace(/[\s-]+/g, "_"), of = parts[2] ?? "", unit = parts[3] ?? parts[4];
  if ((name === "cpu" || name === "processor") && parts[2] === undefined) [name, of, unit] = ["utilization", "cpu", unit ?? "%"];
  const label = plain.split("[")[0].split("(")[0].trim();
  if (SEVERAL.has(name)) stop(`${label} tells of several classes; this page takes one, the command calibrate takes them`);
  if (UNUSED.has(name)) return { quantity: "", of: "", text: label, factor: null };
  const found = Object.entries(QUANTITIES).find(([key, [, ...others]]) => key === name || others.includes(name));
  if (!found) stop(`unknown column ${shown(plain)}; there is ${Object.keys(QUANTITIES).join(", ")}`);
  const [quantity, [dimension]] = found;
  if (OF_A_STATION.has(quantity) && !of) {
    stop(`${shown(label)} names no station; write ${quantity}:cpu${dimension === "fraction" ? " [%]" : ""}`);
  }
  if (!OF_A_STATION.has(quantity) && of) {
    stop(`${label} is of one class or station; this page takes ${quantity} of all users together`);
  }
  const key = of ? `${quantity}:${of}` : quantity;
  return { quantity, of: of.toLowerCase(), text: label, unit: unit ?? "", factor: factorOf(dimension, unit, key, stop) };
}

function factorOf(dimension, unit, key, stop) {
  const sizes = SIZES[dimension], example = EXAMPLE[dimension];
  if (unit === undefined && !("" in sizes)) stop(`"${key}" has no unit; write ${key} [${example}]`);
  const spelt = (unit ?? "").split(/\s+/).filter(Boolean).join(" ");
  for (const each of [spelt, spelt.toLowerCase()]) {
    for (const name of Object.keys(sizes)) if (name === each || SAME[name]?.includes(each)) return sizes[name];
  }
  return stop(`unknown unit ${shown(spelt)} of ${key}; write ${example ? `[${example}]` : "no unit"}`);
}

function reading(cell, column, line, place) {
  const text = cell.trim();
  if (!column.quantity || MISSING.has(text.toLowerCase())) return null;
  const stop = (problem) => wrong(problem, line, place, column.text);
  const parts = NUMBER.exec(text);
  if (!parts) {
    const hint = /^[+-]?\d+,\d+$/.test(text) ? `; write ${text.replaceAll(",", ".")}` : "";
    stop(`expected a number, got text ${shown(text)}${hint}`);
  }
  const [, sign, whole = "", decimals = "", bare = "", power = "0", unit = ""] = parts;
  if (unit.trim() && unit.trim() !== column.unit) stop(`expected a number in ${column.unit || "no unit"}, got ${shown(text)}`);
  const places = (decimals || bare).length;
  const digits = BigInt(`${whole.replaceAll(",", "")}${decimals}${bare}`);
  if (sign === "-" && digits) stop(`must not be negative, got ${text}`);
  const value = rounded(digits, Number(power) - places, column.factor);
  if (!Number.isFinite(value)) stop(`must be finite, got ${text}`);
  if ((column.quantity === "population" || column.quantity === "servers") && !(value >= 1 && Number.isInteger(value))) {
    stop(`must be a whole number from 1 on, got ${text}`);
  }
  return { value, half: rounded(1n, Number(power) - places, column.factor) / 2 };
}

/** digits × 10^power × numerator / denominator, rounded once. */
function rounded(digits, power, [numerator, denominator]) {
  const spare = 40;
  return Number(`${(digits * BigInt(numerator) * 10n ** BigInt(spare)) / BigInt(denominator)}e${power - spare}`);
}

function possible(found, columns, line) {
  columns.forEach((column, i) => {
    if (column.quantity !== "utilization" || !found[i] || found[i].value - found[i].half <= 1) return;
    const servers = columns.findIndex((c) => c.quantity === "servers" && c.of === column.of);
    const count = found[servers]?.value ?? 1;
    const kind = column.of === "cpu" || column.of === "processor" ? "CPU" : "server";
    wrong(`${Number((100 * found[i].value).toPrecision(6))} % is above 100 % for ${count} ${kind}${count === 1 ? "" : "s"}; `
      + `percent of one ${kind} or of all?`, line, i + 1, column.text);
  });
}
