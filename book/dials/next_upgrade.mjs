// Which of three stations is worth twice the speed.

import { above } from "./chart.mjs";
import { dial, seconds, short } from "./kit.mjs";
import { solve, throughputs } from "./solver.mjs";

const STATIONS = ["cpu", "disk", "lan"];
const NAMES = { none: "as it is", cpu: "faster processor", disk: "faster disk", lan: "faster LAN" };

/** Demands in s; `twice` is the station that gets twice the speed. */
const demands = (s, twice) => STATIONS.map((k) => (k === twice ? s[k] / 1000 / 2 : s[k] / 1000));
const network = (s, twice, population) => ({
  population, delay: s.think, demands: demands(s, twice), rates: [null, null, null],
});

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 1, max: 1000, step: 1, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.1, max: 60, step: 0.1, log: true },
      { key: "cpu", label: "Processor demand", unit: "ms", min: 1, max: 1000, step: 0.1, log: true },
      { key: "disk", label: "Disk demand", unit: "ms", min: 1, max: 1000, step: 0.1, log: true },
      { key: "lan", label: "LAN demand", unit: "ms", min: 1, max: 1000, step: 0.1, log: true },
    ],
    answer,
    python,
    predict: { question: "Response time with the better upgrade?", unit: "s", of: (v) => Math.min(v.cpu, v.disk, v.lan) },
  }),
};

export function answer(s) {
  const choices = ["none", ...STATIONS];
  const values = {};
  for (const choice of choices) {
    const [, cpu, disk, lan] = solve(network(s, choice, s.users));
    values[choice] = cpu + disk + lan;
  }
  const best = STATIONS.reduce((a, b) => (values[b] < values[a] ? b : a));
  const worst = STATIONS.reduce((a, b) => (values[b] > values[a] ? b : a));
  const most = Math.max(20, Math.ceil(1.5 * s.users));
  const lines = choices.map((choice) => {
    const rates = throughputs(network(s, choice, most));
    return { name: NAMES[choice], points: grid(most).map((n) => [n, n / rates[n - 1] - s.think]) };
  });
  return {
    sentence: `Twice the speed is best spent on the ${{ cpu: "processor", disk: "disk", lan: "LAN" }[best]}: `
      + `${seconds(values.none)} becomes ${seconds(values[best])}; the ${NAMES[worst]} would leave ${seconds(values[worst])}.`,
    values,
    figures: choices.map((choice) => [NAMES[choice], `${seconds(values[choice])} (${short(100 * (values[choice] / values.none - 1)).replace("-", "−")} %)`]),
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "response time [s]", min: 0, max: above(lines[0].points.at(-1)[1]) },
      lines,
      walls: [{ x: s.users, label: "" }],
    },
  };
}

const grid = (most) => [...new Set(Array.from({ length: 61 }, (_, i) => Math.max(1, Math.round((i * most) / 60))))];

export const python = (s) => `import qmodel as qm

demand = {"cpu": ${s.cpu} / 1000, "disk": ${s.disk} / 1000, "lan": ${s.lan} / 1000}
users = qm.ClosedClass("users", population=${s.users}, think_time=${s.think})
stations = [qm.QueueingStation(name) for name in demand]
for faster in (None, *demand):
    row = [d / 2 if name == faster else d for name, d in demand.items()]
    solution = qm.solve(qm.Network(stations, [users], [row]))
    print(f"{faster or 'as it is'}: {solution.response_times[0]:.4g} s")
`;
