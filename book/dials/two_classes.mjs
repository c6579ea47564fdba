// Two kinds of users share a processor and a disk; what happens as the mix moves.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "online", label: "Online users", min: 1, max: 60, step: 1 },
      { key: "reports", label: "Report users", min: 1, max: 60, step: 1 },
      { key: "think", label: "Think time of both", unit: "s", min: 0.1, max: 30, step: 0.1, log: true },
      { key: "onlineCpu", label: "Online: processor", unit: "ms", min: 1, max: 500, step: 1, log: true },
      { key: "onlineDisk", label: "Online: disk", unit: "ms", min: 1, max: 500, step: 1, log: true },
      { key: "reportCpu", label: "Report: processor", unit: "ms", min: 1, max: 2000, step: 1, log: true },
      { key: "reportDisk", label: "Report: disk", unit: "ms", min: 1, max: 2000, step: 1, log: true },
    ],
    answer,
    python,
  }),
};

export function answer(s) {
  const demand = [[s.onlineCpu / 1000, s.onlineDisk / 1000], [s.reportCpu / 1000, s.reportDisk / 1000]];
  const total = s.online + s.reports;
  const mine = lattice([s.online, s.reports], [s.think, s.think], demand, total).at(s.online, s.reports);
  const all = lattice([total, total], [s.think, s.think], demand, total);
  const mixes = Array.from({ length: total - 1 }, (_, i) => i + 1);
  const response = (c) => mixes.map((n) => [n, sum(all.at(n, total - n).residence[c])]);
  const [online, report] = [sum(mine.residence[0]), sum(mine.residence[1])];
  const busy = [0, 1].map((k) => mine.throughput[0] * demand[0][k] + mine.throughput[1] * demand[1][k]);
  const lines = [{ name: "online", points: response(0) }, { name: "reports", points: response(1) }];
  const highest = Math.max(...lines.flatMap(({ points }) => points.map(([, r]) => r)));
  return {
    sentence: `The response time of online users is ${seconds(online)}, of report users ${seconds(report)}; the `
      + `${busy[0] >= busy[1] ? "processor" : "disk"} is the bottleneck, ${percent(Math.max(...busy))} busy.`,
    values: { online, report, online_throughput: mine.throughput[0], report_throughput: mine.throughput[1] },
    figures: [
      ["Online throughput", `${short(mine.throughput[0])} /s`],
      ["Report throughput", `${short(mine.throughput[1])} /s`],
      ["Processor", percent(busy[0])],
      ["Disk", percent(busy[1])],
    ],
    chart: {
      x: { label: `online users, of ${total} in all`, min: 0, max: total },
      y: { label: "response time [s]", min: 0, max: above(highest) },
      lines,
      marks: [{ x: s.online, y: online }, { x: s.online, y: report }],
    },
  };
}

const sum = (row) => { let total = 0; for (const value of row) total += value; return total; };

/** Exact mean value analysis of two classes at every population up to the one given, of `most` in all. */
function lattice(population, think, demand, most) {
  // Classes add up in the library's order: the larger population first.
  const order = population[0] >= population[1] ? [0, 1] : [1, 0];
  const stations = demand[0].length;
  const wide = population[1] + 1;
  const kept = new Array((population[0] + 1) * wide);
  kept[0] = { crowd: Array(stations).fill(1) };
  for (let a = 0; a <= population[0]; a++) {
    for (let b = 0; b <= Math.min(population[1], most - a); b++) {
      if (!a && !b) continue;
      const customers = [a, b], before = [kept[(a - 1) * wide + b], kept[a * wide + b - 1]];
      const residence = [[], []], throughput = [0, 0];
      const crowd = Array(stations).fill(1);
      for (const c of order) {
        if (!customers[c]) { residence[c] = Array(stations).fill(0); continue; }
        const seen = before[c].crowd, times = Array(stations);
        let cycle = 0;
        for (let k = 0; k < stations; k++) cycle += times[k] = seen[k] * demand[c][k];
        throughput[c] = customers[c] / (cycle + think[c]);
        for (let k = 0; k < stations; k++) crowd[k] += times[k] * throughput[c];
        residence[c] = times;
      }
      kept[a * wide + b] = { crowd, residence, throughput };
    }
  }
  return { at: (a, b) => kept[a * wide + b] };
}

export const python = (s) => `import qmodel as qm

network = qm.Network(
    stations=[qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
    classes=[
        qm.ClosedClass("online", population=${s.online}, think_time=${s.think}),
        qm.ClosedClass("reports", population=${s.reports}, think_time=${s.think}),
    ],
    demand=[[${s.onlineCpu} / 1000, ${s.onlineDisk} / 1000], [${s.reportCpu} / 1000, ${s.reportDisk} / 1000]],
)
print(qm.solve(network))
`;
