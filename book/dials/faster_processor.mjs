// Editing a document in 1995 on a faster processor: two calibrations that agree where they were fitted.

import { above } from "./chart.mjs";
import { dial, percent, short } from "./kit.mjs";
import { solve, throughputs } from "./solver.mjs";

// Demands in seconds, rounded from the fits of `calibration.load_system("notes31")`.
const PROCESSOR = 66.1;
const OTHERS = [1.6, 1.6, 1.6, 1.6, 13.1]; // four drives, the LAN
const UNSEEN = 69.2;
const CLIENT = { delay: 1035, queue: 898 };
// A run's standard deviation: 1 % between two runs that were alike, over the root of two, and print rounding.
const MEASURED = [[10, 1184], [20, 1569]].map(([x, y]) => {
  const deviation = Math.hypot(y * 0.010 / Math.SQRT2, 0.5 / Math.sqrt(3));
  return { x, y, low: y - 2 * deviation, high: y + 2 * deviation };
});

const network = (s, population, unseen) => {
  const demands = [PROCESSOR / s.speed, ...OTHERS, ...(unseen ? [UNSEEN] : [])];
  return { population, delay: unseen ? CLIENT.queue : CLIENT.delay, demands, rates: demands.map(() => null) };
};

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Workstations", min: 1, max: 40, step: 1 },
      { key: "speed", label: "Processor speed", unit: "×", min: 0.4, max: 10, step: 0.01, log: true },
    ],
    answer,
    python,
  }),
};

function one(s, unseen) {
  const [throughput] = solve(network(s, s.users, unseen));
  return { time: s.users / throughput, busy: throughput * (PROCESSOR / s.speed) };
}

export function answer(s) {
  const [quiet, queue] = [one(s, false), one(s, true)];
  const most = Math.max(24, 1.25 * s.users);
  const curve = (unseen) => throughputs(network(s, Math.ceil(most), unseen)).map((x, i) => [i + 1, (i + 1) / x]);
  const lines = [
    { name: "no other queue", points: curve(false) },
    { name: "one more queue, not measured", points: curve(true) },
  ];
  const top = Math.max(s.speed === 1 ? MEASURED[1].high : 0, ...lines.flatMap((l) => l.points.map((p) => p[1])));
  const apart = Math.abs(quiet.time / queue.time - 1);
  const [low, high] = [quiet, queue].map((each) => each.time).sort((a, b) => a - b);
  return {
    sentence: `${s.users} workstations: a run takes ${
      apart < 0.02 ? `about ${Math.round(low)} s, whichever model is true`
        : `${Math.round(low)} s or ${Math.round(high)} s, and the measurements at 10 workstations cannot tell which`}.`,
    values: { quiet: quiet.time, queue: queue.time, busy_quiet: quiet.busy, busy_queue: queue.busy },
    figures: [
      ["No other queue", `${Math.round(quiet.time)} s, processor ${percent(quiet.busy)} busy`],
      ["An unseen queue", `${Math.round(queue.time)} s, processor ${percent(queue.busy)} busy`],
      ["Apart by", `${short(100 * apart)} %`],
    ],
    chart: {
      x: { label: "workstations", min: 0, max: most },
      y: { label: "time of a run [s]", min: 0, max: above(top) },
      lines,
      measured: s.speed === 1 ? { name: "measured, ± 2 standard deviations", points: MEASURED } : null,
      marks: [{ x: s.users, y: quiet.time }, { x: s.users, y: queue.time }],
    },
  };
}

export const python = (s) => `import qmodel as qm

demand = [${PROCESSOR} / ${s.speed}, ${OTHERS.join(", ")}]
for unseen, client in (([], ${CLIENT.delay}), ([${UNSEEN}], ${CLIENT.queue})):
    stations = [qm.QueueingStation(f"station {k}") for k in range(len(demand + unseen))]
    workstations = qm.ClosedClass("workstations", ${s.users}, think_time=client)
    solution = qm.solve(qm.Network(stations, [workstations], [demand + unseen]))
    print(${s.users} / solution.throughputs[0], "s, processor", solution.utilizations[0][0])
`;
