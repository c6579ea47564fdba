// Response time against users of a closed network: processor, disk, think time.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";
import { servers, solve, throughputs } from "./solver.mjs";

const network = (s, population) => ({
  population,
  delay: s.think,
  demands: [s.cpu / 1000, s.disk / 1000],
  rates: [servers(s.cores), null],
});

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 1, max: 2000, step: 1, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.1, max: 60, step: 0.1, log: true },
      { key: "cpu", label: "Processor demand", unit: "ms", min: 1, max: 2000, step: 0.1, log: true },
      { key: "cores", label: "Cores", min: 1, max: 32, step: 1 },
      { key: "disk", label: "Disk demand", unit: "ms", min: 1, max: 2000, step: 0.1, log: true },
    ],
    answer,
    python,
    predict: { question: "Response time?", unit: "s", of: (v) => v.response_time },
  }),
};

export function answer(s) {
  const [x, cpu, disk] = solve(network(s, s.users));
  const response = cpu + disk;
  const busy = [x * (s.cpu / 1000) / s.cores, x * (s.disk / 1000)];
  const slowest = Math.max(s.cpu / 1000 / s.cores, s.disk / 1000);
  const alone = s.cpu / 1000 + s.disk / 1000;
  const knee = (alone + s.think) / slowest;
  const most = Math.max(2 * knee, 1.25 * s.users, 10);
  const rates = throughputs(network(s, Math.ceil(most)));
  const points = populations(most).map((n) => [n, n / rates[n - 1] - s.think]);
  const bound = [[0, alone], [knee, alone], [most, most * slowest - s.think]];
  const name = busy[0] >= busy[1] ? "processor" : "disk";
  return {
    sentence: `With ${s.users} users the response time is ${seconds(response)}, `
      + `${short(response / alone)} times as long as one alone; the ${name} is the bottleneck, `
      + `${percent(Math.max(...busy))} busy.`,
    values: { throughput: x, response_time: response, cpu: busy[0], disk: busy[1], knee },
    figures: [
      ["Throughput", `${short(x)} /s`],
      ["Processor", percent(busy[0])],
      ["Disk", percent(busy[1])],
      ["Knee of the asymptotes", `${short(knee)} users`],
    ],
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "response time [s]", min: 0, max: above(points.at(-1)[1]) },
      lines: [{ name: "response time", points }, { name: "asymptotes", points: bound }],
      marks: [{ x: s.users, y: response }],
    },
  };
}

/** About sixty populations from 1 to the end of the axis. */
function populations(most) {
  const step = Math.max(1, most / 60);
  const found = [];
  for (let n = 1; n <= Math.ceil(most); n += step) found.push(Math.round(n));
  return found;
}

export const python = (s) => `import qmodel as qm

network = qm.Network(
    stations=[qm.QueueingStation("cpu", servers=${s.cores}), qm.QueueingStation("disk")],
    classes=[qm.ClosedClass("users", population=${s.users}, think_time=${s.think})],
    demand=[[${s.cpu} / 1000, ${s.disk} / 1000]],
)
print(qm.solve(network))
`;
