// Demands, think time and the rest of a response time from a pasted CSV of measured runs, by
// operational laws as in calibration.fitting.first_look, and what they say of more users.
// All of it happens in the page: the text is neither sent nor put into the address.

import { above } from "./chart.mjs";
import { dial, make, percent, seconds, short } from "./kit.mjs";
import { read } from "./measured_runs.mjs";
import { servers, solve, throughputs } from "./solver.mjs";

/** Standard errors that the range goes to either side; most users of the axis. */
const DEVIATIONS = 2;
const FARTHEST = 5000;
/** How near the delay is found, as a part of the response time. */
const CLOSE = 1e-12;

/** A made-up load test: two processors, and something else that the monitor does not show. */
const LOAD_TEST = `users,think_time [s],throughput [1/s],response_time [ms],utilization:cpu [%],servers:cpu
5,12,0.387,922,12.3,2
10,12,0.774,975,24.4,2
20,12,1.513,1142,48.8,2
30,12,2.251,1544,71.6,2
40,12,2.764,2443,88.5,2
50,12,3.057,4286,96.9,2
60,12,3.112,7224,99.4,2
`;

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "csv", label: "Measured runs, one a line (CSV)", text: LOAD_TEST },
      { key: "users", label: "Predict for so many users", min: 1, max: FARTHEST, step: 1, log: true },
    ],
    answer,
    python,
  }),
};

/** { stations: [{ name, servers, value, error }], think, delay, points } as `first_look` has it. */
export function firstLook({ columns, rows }) {
  const at = (quantity, of = "") => columns.findIndex((c) => c.quantity === quantity && c.of === of);
  const [users, rate, time, pause] = ["population", "throughput", "response_time", "think_time"].map((q) => at(q));
  const points = [];
  for (const { line, cells } of rows) {
    const n = cells[users] ?? null, z = cells[pause] ?? null, r = cells[time] ?? null;
    let x = cells[rate] ?? null;
    if (x === null && n && r !== null && z !== null) x = r + z ? n / (r + z) : null;
    if (!n || !x) continue;
    if (n > FARTHEST) throw new RangeError(`line ${line}: ${n} users, this page goes to ${FARTHEST}`);
    const think = z === null && r !== null ? n / x - r : z;
    if (think !== null && z === null && think < 0) {
      throw new RangeError(`line ${line}: ${n} users at ${short(x)} /s come round in ${short(n / x)} s (Little), `
        + `less than the response time of ${short(r)} s`);
    }
    points.push({ line, cells, n, x, think, response: r === null && z !== null ? n / x - z : r, given: [r, z] });
  }
  if (points.length < 2) {
    throw new RangeError(`${points.length} run${points.length === 1 ? "" : "s"} with users and throughput (or response and `
      + "think time), at least two are needed");
  }
  const thinking = points.filter((p) => p.think !== null).map((p) => p.think);
  if (!thinking.length) throw new RangeError("neither think_time nor response_time was measured; one is needed");
  const stations = columns.map((column, i) => stationOf(column, i, at("servers", column.of), rows, points))
    .filter((each) => each && each.value > 0);
  if (!stations.length) throw new RangeError("no utilization was measured in two runs or more; as in utilization:cpu [%]");
  const found = { stations, think: mean(thinking), delay: 0, points };
  const timed = points.filter((p) => p.response !== null);
  if (timed.length) {
    const fewest = timed.reduce((a, b) => (b.n < a.n ? b : a));
    found.delay = delayAt(found, fewest);
  }
  found.misses = timed.map(({ n, response }) => ({ n, measured: response, model: responseOf(found, n)[0] }));
  return found;
}

/** The delay with which the run takes as long as it was measured to take. */
function delayAt(look, { n, response }) {
  const missing = (delay) => responseOf({ ...look, delay }, n)[0] < response;
  if (!missing(0)) return 0;
  let low = 0, high = response;
  while (high - low > CLOSE * response) {
    const middle = low + 0.5 * (high - low);
    if (missing(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function stationOf(column, i, counts, rows, points) {
  if (column.quantity !== "utilization") return null;
  const given = new Set(counts < 0 ? [] : rows.map(({ cells }) => cells[counts]).filter((n) => n !== null));
  if (given.size > 1) throw new RangeError(`servers:${column.of} differ between rows; demands are those of one system`);
  const m = given.size ? [...given][0] : 1;
  const demands = points.filter(({ cells }) => cells[i] !== null).map(({ cells, x }) => (m * cells[i]) / x);
  if (demands.length < 2) return null;
  const value = mean(demands);
  let squares = 0;
  for (const d of demands) squares += (d - value) * (d - value);
  const deviation = Math.sqrt(squares / (demands.length - 1));
  return { name: column.of, servers: m, value, error: deviation / Math.sqrt(demands.length) };
}

function mean(values) {
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}

function networkOf(look, population, deviations = 0) {
  return {
    population,
    delay: look.think + look.delay,
    demands: look.stations.map(({ value, error }) => (deviations < 0
      ? value / (1 - (deviations * error) / value) : value + deviations * error)),
    rates: look.stations.map(({ servers: m }) => servers(m)),
  };
}

/** Response time, then throughput. */
function responseOf(look, population, deviations = 0) {
  const [x, ...residence] = solve(networkOf(look, population, deviations));
  let total = 0;
  for (const r of residence) total += r;
  return [look.delay ? total + look.delay : total, x];
}

/** The text that was read last, and what was found: sliders do not change it. */
const known = { csv: null, look: null };

export function answer(s) {
  if (known.csv !== s.csv) Object.assign(known, { csv: null, look: firstLook(read(s.csv)) }, { csv: s.csv });
  const { look } = known;
  const [response, x] = responseOf(look, s.users);
  const [low] = responseOf(look, s.users, -DEVIATIONS), [high] = responseOf(look, s.users, DEVIATIONS);
  const measured = Math.max(...look.points.map((p) => p.n));
  const most = Math.max(Math.ceil(1.25 * s.users), Math.ceil(1.1 * measured), 10);
  const rates = [0, -DEVIATIONS, DEVIATIONS].map((d) => throughputs(networkOf(look, Math.max(most, measured), d)));
  const at = (d, n) => n / rates[d][n - 1] - look.think;
  const places = Array.from({ length: 61 }, (_, i) => Math.max(1, Math.round((most * i) / 60)));
  const { misses } = look;
  const worst = misses.reduce((a, b) => (Math.abs(b.model / b.measured - 1) > Math.abs(a.model / a.measured - 1) ? b : a),
    misses[0]);
  const values = { think_time: look.think, delay: look.delay, throughput: x, response_time: response, low, high };
  const busy = look.stations.map(({ value, servers: m }) => (x * value) / m);
  look.stations.forEach(({ name, value, error }, k) => {
    Object.assign(values, { [`demand:${name}`]: value, [`error:${name}`]: error, [`utilization:${name}`]: busy[k] });
  });
  const top = busy.indexOf(Math.max(...busy));
  const where = s.users > measured ? ` That is ${short(s.users / measured)} times the most users measured.` : "";
  return {
    sentence: `At ${s.users} user${s.users === 1 ? "" : "s"} an answer takes ${seconds(response)} and ${look.stations[top].name} `
      + `is ${percent(busy[top])} busy; ${seconds(low)} to ${seconds(high)} if all demands are off by two standard `
      + `errors.${where}`,
    values,
    figures: [
      ["Throughput", `${short(x)} /s`],
      ["Think time", seconds(look.think)],
      ["Delay that no station explains", seconds(look.delay)],
      ...(worst ? [["Worst miss of a measured response", `${signed(worst.model / worst.measured - 1)} at ${worst.n} users`]] : []),
    ],
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "response time [s]", min: 0, max: above(Math.max(at(2, most), ...misses.map((m) => m.measured))) },
      bands: [{ points: places.map((n) => [n, at(1, n), at(2, n)]).filter((p) => p.every(Number.isFinite)) }],
      lines: [{ name: "predicted", points: places.map((n) => [n, at(0, n)]) }],
      measured: misses.length ? { name: "measured", points: misses.map((m) => ({ x: m.n, y: m.measured })) } : null,
    },
    extra: tables(look, misses),
  };
}

const signed = (share) => (Math.abs(share) < 5e-5 ? "0 %" : `${share < 0 ? "−" : "+"}${short(Math.abs(100 * share))} %`);

function tables(look, misses) {
  const box = make("div");
  box.append(table("Demands by the utilization law", ["station", "servers", "demand", "standard error"],
    look.stations.map((k) => [k.name, String(k.servers), seconds(k.value), k.error ? seconds(k.error) : "0"])));
  if (misses.length) {
    box.append(table("Response times: dots in the chart", ["users", "measured", "predicted", "off by"],
      misses.map((m) => [String(m.n), seconds(m.measured), seconds(m.model), signed(m.model / m.measured - 1)])));
  }
  for (const { line, n, x, given: [r, z] } of look.points) {
    if (r === null || z === null || Math.abs(n / x / (r + z) - 1) <= 0.05) continue;
    box.append(make("p", {}, `Line ${line} breaks Little's law: ${n} users at ${short(x)} /s come round in ${seconds(n / x)}, `
      + `but response and think time add up to ${seconds(r + z)}.`));
    break;
  }
  return box;
}

function table(title, heads, rows) {
  const box = make("div", { class: "dial-table", tabindex: "0", role: "region", "aria-label": title });
  const found = make("table"), head = make("tr");
  found.append(make("caption", {}, title));
  for (const name of heads) head.append(make("th", { scope: "col" }, name));
  found.append(make("thead"), make("tbody"));
  found.tHead.append(head);
  for (const row of rows) {
    const line = make("tr");
    row.forEach((value, i) => line.append(make(i ? "td" : "th", i ? {} : { scope: "row" }, value)));
    found.tBodies[0].append(line);
  }
  box.append(found);
  return box;
}

export const python = (s) => `import calibration as cal
import qmodel as qm
from calibration.recordings.user_table import parse_user_table

table = parse_user_table(${quoted(s.csv)})
look = cal.first_look(table)
for station, demand in zip(look.stations, look.demands):
    print(station, demand.value, "+-", demand.standard_error, "s")
print("think time", look.think_time, "s, delay", look.delay, "s")
print(qm.solve(look.network(${s.users})))
`;

const quoted = (text) => (/"""|\\|"$/.test(text) ? JSON.stringify(text) : `"""${text}"""`);
