// Programs that share memory: with too many at once they only fetch each other's pages.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";
import { solve } from "./solver.mjs";

const MEGA = 1e6, CHANGED = 0.5, MOST = 100;

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "active", label: "Programs active at once", min: 1, max: MOST, step: 1 },
      { key: "memory", label: "Memory for them", unit: "MB", min: 1, max: 4000, step: 1, log: true },
      { key: "each", label: "Working set of each", unit: "MB", min: 0.1, max: 400, step: 0.1, log: true },
      { key: "lifetime", label: "Time between faults with half of it", unit: "ms", min: 0.1, max: 1000, step: 0.1, log: true },
      { key: "cpu", label: "Processor demand", unit: "ms", min: 1, max: 2000, step: 1, log: true },
      { key: "disk", label: "Disk demand without paging", unit: "ms", min: 1, max: 2000, step: 1, log: true },
      { key: "time", label: "Disk time of a page", unit: "ms", min: 0.05, max: 40, step: 0.01, log: true },
    ],
    answer,
    python,
  }),
};

/** Page faults of an interaction when so many share the memory. */
function faults(s, active) {
  const each = (s.memory * MEGA) / active, whole = s.each * MEGA;
  return each >= whole ? 0 : s.cpu / 1000 / ((s.lifetime / 1000) * (each / (whole / 2)));
}

/** Demands at processor and disk with so many page faults. */
const demands = (s, found) => [s.cpu / 1000, s.disk / 1000 + found * (1 + CHANGED) * (s.time / 1000)];

/** Throughput of two stations without think time, in closed form: for curves, not to the last bit. */
function throughputOf([a, b], active) {
  const slowest = Math.max(a, b), ratio = Math.min(a, b) / slowest;
  if (ratio > 0.999999) return active / (active + 1) / slowest;
  return (1 - ratio ** active) / (1 - ratio ** (active + 1)) / slowest;
}

export function answer(s) {
  const found = faults(s, s.active);
  const [throughput, cpu, disk] = solve({
    population: s.active, delay: 0, demands: demands(s, found), rates: [null, null],
  });
  const curve = (fault) => Array.from({ length: MOST }, (_, i) => [i + 1, throughputOf(demands(s, fault(i + 1)), i + 1)]);
  const free = curve(() => 0), paging = curve((n) => faults(s, n));
  const lines = [
    { name: "memory without end", points: free },
    { name: `memory of ${short(s.memory)} MB`, points: paging },
  ];
  const best = paging.reduce((a, b) => (b[1] > a[1] ? b : a));
  const who = s.active === 1 ? "One program active" : `${s.active} programs active at once`;
  const and = found > 0 ? `${short(found)} page faults each` : "no page fault";
  return {
    sentence: `${who}: ${short(throughput)} interactions a second and ${and}. ${best[1] < 1.01 * throughput
      ? "No other number does much more." : `${best[0]} at once would do ${short(best[1])}.`}`,
    values: { throughput, response_time: cpu + disk, faults: found },
    figures: [
      ["Throughput", `${short(throughput)} /s`],
      ["One interaction", seconds(cpu + disk)],
      ["Page faults of each", short(found)],
      ["Processor busy", percent(throughput * s.cpu / 1000)],
    ],
    chart: {
      x: { label: "programs active at once", min: 0, max: MOST },
      y: { label: "throughput [1/s]", min: 0, max: above(1.02 * free.at(-1)[1]) },
      lines,
      marks: [{ x: s.active, y: throughput }],
    },
  };
}

export const python = (s) => `import qmodel as qm
from qmodel.devices.paging import Lifetime

whole, active = ${s.each} * 1e6, ${s.active}
lifetime = Lifetime(memory=whole / 2, lifetime=${s.lifetime} / 1000, working_set=whole)
faults = lifetime.faults(${s.cpu} / 1000, ${s.memory} * 1e6 / active)
disk = ${s.disk} / 1000 + faults * 1.5 * (${s.time} / 1000)  # half of the pages are written first
network = qm.Network(
    stations=[qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
    classes=[qm.ClosedClass("programs", population=active)],
    demand=[[${s.cpu} / 1000, disk]],
)
print(faults, "page faults")
print(qm.solve(network))
`;
