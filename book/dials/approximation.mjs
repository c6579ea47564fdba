// What Bard and Schweitzer's approximation is off by: one class, single servers, think time.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";
import { solve, throughputs } from "./solver.mjs";

const TOLERANCE = 1e-10;
const ROUNDING = 4e-15;
const STEPS = 100;
/** Users at the end of the longest axis: a curve costs time with every user. */
const FARTHEST = 1000;

const demands = (s) => [s.slow / 1000, ...Array(s.others).fill(s.rest / 1000)];
const network = (s, population) => ({
  population, delay: s.think, demands: demands(s), rates: demands(s).map(() => null),
});

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users of a class", min: 1, max: 1000, step: 1, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.1, max: 60, step: 0.1, log: true },
      { key: "slow", label: "Demand at one station", unit: "ms", min: 1, max: 2000, step: 0.1, log: true },
      { key: "others", label: "Other stations", min: 0, max: 9, step: 1 },
      { key: "rest", label: "Demand at each other", unit: "ms", min: 1, max: 2000, step: 0.1, log: true },
      { key: "classes", label: "Classes as large", min: 1, max: 20, step: 1 },
    ],
    answer,
    python,
  }),
};

/** Throughput, time at each station, and evaluations: Newton's method on the one equation of one class; qmodel has many classes and its own steps. */
export function bardSchweitzer(n, think, times) {
  let sum = 0;
  for (const d of times) sum += d;
  let throughput = n / (think + n * sum);
  let step = 0;
  const tolerance = Math.max(TOLERANCE, ROUNDING * n);
  for (let used = 1; used <= STEPS; used++) {
    let excess = throughput * think - n, slope = think, largest = 0, tightest = Infinity;
    const found = [];
    for (const d of times) {
      const spare = 1 - (1 - 1 / n) * throughput * d;
      const time = d / spare;
      found.push(time);
      excess += throughput * time;
      slope += time / spare;
      largest = Math.max(largest, Math.abs(step) / (throughput * spare));
      if (n > 1) tightest = Math.min(tightest, spare / ((1 - 1 / n) * d));
    }
    const residual = used > 1 ? Math.max(largest, Math.abs(step) / throughput) : Infinity;
    if (residual <= tolerance) return [throughput, found, used];
    step = Math.min(-excess / slope, 0.9 * tightest);
    throughput += step;
  }
  throw new RangeError("the approximation did not settle for these numbers");
}

const total = (times) => times.reduce((sum, time) => sum + time, 0);

export function answer(s) {
  const times = demands(s);
  const [rate, ...exactly] = solve(network(s, s.users));
  const exact = total(exactly);
  const [guessed, about, used] = bardSchweitzer(s.users, s.think, times);
  const quick = total(about);
  const off = quick / exact - 1;
  let vectors = 1;
  for (let c = 0; c < s.classes; c++) vectors *= s.users + 1;
  const knee = (total(times) + s.think) / Math.max(...times);
  const most = Math.ceil(Math.max(Math.min(3 * knee, FARTHEST), 1.25 * s.users, 10));
  const rates = throughputs(network(s, most));
  const points = [];
  for (let n = 1; n <= most; n += Math.max(1, most / 60)) {
    const users = Math.round(n);
    const here = total(bardSchweitzer(users, s.think, times)[1]);
    const error = 100 * (here / (users / rates[users - 1] - s.think) - 1);
    if (Number.isFinite(error)) points.push([users, error]);
  }
  const high = above(Math.max(1, ...points.map(([, y]) => y)));
  return {
    sentence: `With ${s.users} user${s.users === 1 ? "" : "s"} the response time is ${seconds(exact)}; the approximation says `
      + `${seconds(quick)}, ${Math.abs(off) < 5e-7 ? "the same" : `${short(100 * Math.abs(off))} % too ${off > 0 ? "much" : "little"}`}.`,
    values: { throughput: rate, exact, guessed, quick, ratio: quick / exact },
    figures: [
      ["Busiest station", percent(rate * Math.max(...times))],
      ["Exact: populations to pass", count(vectors - 1)],
      ["Approximation: Newton steps of this page", String(used)],
    ],
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "error in response time [%]", min: 0, max: high },
      lines: [{ name: "Bard-Schweitzer", points }],
      marks: [{ x: s.users, y: 100 * off }],
    },
  };
}

/** A number too large to be read digit by digit in words that can. */
function count(value) {
  if (value < 1e6) return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
  const power = Math.floor(Math.log10(value));
  return `${short(value / 10 ** power)} × 10${[...String(power)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
}

export const python = (s) => `import qmodel as qm

demand = [${[s.slow, ...Array(s.others).fill(s.rest)].map((d) => `${d} / 1000`).join(", ")}]
network = qm.Network(
    [qm.QueueingStation(f"station {k}") for k in range(len(demand))],
    [qm.ClosedClass("users", population=${s.users}, think_time=${s.think})],
    [demand],
)
exact, quick = qm.solve(network), qm.solve(network, "bard-schweitzer")
print("exact", exact.response_times[0], "s, Bard-Schweitzer", quick.response_times[0], "s")
`;
