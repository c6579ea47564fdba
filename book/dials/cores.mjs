// Several cores against one that is faster: the same users, the same work.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";
import { servers, solve, throughputs } from "./solver.mjs";

const network = (s, population, demand, cores) => ({
  population, delay: s.think, demands: [demand], rates: [servers(cores)],
});
/** Users at the end of the longest axis: a curve costs time with every user. */
const FARTHEST = 1000;
const plural = (n, word) => `${short(n)} ${word}${n === 1 ? "" : "s"}`;

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 1, max: 1000, step: 1, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.1, max: 60, step: 0.1, log: true },
      { key: "cpu", label: "Work of a request", unit: "ms", min: 1, max: 5000, step: 0.1, log: true },
      { key: "cores", label: "Ordinary cores", min: 1, max: 32, step: 1 },
      { key: "speed", label: "Speed of the one fast core", unit: "×", min: 1, max: 32, step: 0.5 },
    ],
    answer,
    python,
  }),
};

export function answer(s) {
  const own = s.cpu / 1000;
  const quick = own / s.speed;
  const [manyRate, many] = solve(network(s, s.users, own, s.cores));
  const [fastRate, fast] = solve(network(s, s.users, quick, 1));
  const knee = Math.max((own + s.think) * s.cores / own, (quick + s.think) / quick);
  const most = Math.ceil(Math.max(Math.min(1.5 * knee, FARTHEST), 1.25 * s.users, 10));
  const step = Math.max(1, most / 60);
  const line = (demand, cores) => {
    const rates = throughputs(network(s, most, demand, cores));
    const found = [];
    for (let n = 1; n <= most; n += step) {
      found.push([Math.round(n), Math.round(n) / rates[Math.round(n) - 1] - s.think]);
    }
    return found;
  };
  const lines = [
    { name: plural(s.cores, "ordinary core"), points: line(own, s.cores) },
    { name: `one core, ${short(s.speed)} times as fast`, points: line(quick, 1) },
  ];
  return {
    sentence: `${plural(s.users, "user")}: ${plural(s.cores, "ordinary core")} answer${s.cores === 1 ? "s" : ""} in `
      + `${seconds(many)}, one core ${short(s.speed)} times as fast in ${seconds(fast)}.`,
    values: { many, fast, many_throughput: manyRate, fast_throughput: fastRate },
    figures: [
      ["Ordinary cores busy", percent(manyRate * own / s.cores)],
      ["Fast core busy", percent(fastRate * quick)],
      ["Most the ordinary cores do", `${short(s.cores / own)} /s`],
      ["Most the fast core does", `${short(1 / quick)} /s`],
    ],
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "response time [s]", min: 0, max: above(Math.max(...lines.map(({ points }) => points.at(-1)[1]))) },
      lines,
      marks: [{ x: s.users, y: many }, { x: s.users, y: fast }],
    },
  };
}

export const python = (s) => `import qmodel as qm

users = qm.ClosedClass("users", population=${s.users}, think_time=${s.think})
work = ${s.cpu} / 1000
many = qm.Network([qm.QueueingStation("cpu", servers=${s.cores})], [users], [[work]])
fast = qm.Network([qm.QueueingStation("cpu")], [users], [[work / ${s.speed}]])
print("${s.cores} ordinary:", qm.solve(many).response_times[0], "s")
print("one fast:", qm.solve(fast).response_times[0], "s")
`;
