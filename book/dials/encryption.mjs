// What encryption on the network port costs: users, their processor time, and a share more of it.

import { above } from "./chart.mjs";
import { dial, percent, short } from "./kit.mjs";
import { servers, solve, throughputs } from "./solver.mjs";

const THINK = 1; // s: what a user asks of the processors in each second
const TESTED = 0.6;

const demands = (s) => [s.time / 1000, (s.time / 1000) * (1 + s.share / 100)];
const network = (s, demand, population) => ({ population, delay: THINK, demands: [demand], rates: [servers(s.processors)] });

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 10, max: 2000, step: 1, log: true },
      { key: "time", label: "Processor time of a user, each second", unit: "ms", min: 0.2, max: 10, step: 0.1, log: true },
      { key: "processors", label: "Processors", min: 1, max: 8, step: 1 },
      { key: "share", label: "Encryption takes more", unit: "%", min: 0, max: 50, step: 0.5 },
    ],
    answer,
    python,
  }),
};

export function answer(s) {
  const [plain, encrypted] = demands(s).map((demand) => {
    const [throughput, time] = solve(network(s, demand, s.users));
    return { time, busy: (throughput * demand) / s.processors };
  });
  const slower = encrypted.time / plain.time - 1;
  const full = (s.processors * THINK) / (s.time / 1000);
  const most = Math.ceil(Math.min(Math.max(1.1 * full, 1.1 * s.users), 1.6 * s.users));
  const top = above(Math.max(4 * s.time, 1500 * encrypted.time));
  const curves = demands(s).map((demand) => curve(s, demand, most).filter(([, time]) => time <= top));
  const untested = plain.busy > TESTED ? ", more than was ever tested" : "";
  return {
    sentence: `Encryption makes the processors ${percent(encrypted.busy)} busy instead of ${percent(plain.busy)}${untested}, `
      + `and what a user asks of them takes ${short(100 * slower)} % longer.`,
    values: { plain: plain.time, encrypted: encrypted.time, busy: plain.busy, busy_encrypted: encrypted.busy },
    figures: [
      ["Without", `${short(1000 * plain.time)} ms`],
      ["With encryption", `${short(1000 * encrypted.time)} ms`],
      ["Processors full without at", `${short(full)} users`],
    ],
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "time at the processors [ms]", min: 0, max: top },
      lines: [{ name: "without", points: curves[0] }, { name: "with encryption", points: curves[1] }],
      walls: TESTED * full < most ? [{ x: TESTED * full, label: "60 % busy" }] : [],
      marks: [{ x: s.users, y: 1000 * plain.time }, { x: s.users, y: 1000 * encrypted.time }],
    },
  };
}

/** Time at the processors [ms] at some sixty populations. */
function curve(s, demand, most) {
  // The numbers of a large population do not reach down to small ones: a series for each third.
  const sizes = [most, most / 3, most / 9, most / 27].map(Math.ceil);
  const series = sizes.map((size) => throughputs(network(s, demand, size)));
  const points = [];
  for (let i = 0; i <= 60; i++) {
    const users = Math.max(1, Math.round((most * i) / 60));
    const throughput = series.findLast((found) => found.length >= users)[users - 1];
    points.push([users, 1000 * (users / throughput - THINK)]);
  }
  return points;
}

export const python = (s) => `import qmodel as qm

for demand in (${s.time} / 1000, ${s.time} / 1000 * (1 + ${s.share} / 100)):
    network = qm.Network(
        stations=[qm.QueueingStation("cpu", servers=${s.processors})],
        classes=[qm.ClosedClass("users", population=${s.users}, think_time=${THINK})],
        demand=[[demand]],
    )
    print(qm.solve(network))
`;
