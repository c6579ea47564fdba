// One server: a closed test with so many clients, and open arrivals at a rate.

import { erlangC, spareCapacity } from "./erlang.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";
import { solve, throughputs } from "./solver.mjs";

const network = (s, population) => ({ population, delay: s.think, demands: [s.demand / 1000], rates: [null] });

/** Mean response time of M/M/1. [s] */
function open(rate, time) {
  const spare = spareCapacity(1, rate, time);
  return spare > 0 ? time + (erlangC(1, rate * time, spare) * time) / spare : Infinity;
}

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "demand", label: "Service demand", unit: "ms", min: 1, max: 200, step: 0.1, log: true },
      { key: "clients", label: "Clients of the test", min: 1, max: 1000, step: 1, log: true },
      { key: "think", label: "Their think time", unit: "s", min: 0, max: 10, step: 0.1 },
      { key: "rate", label: "Open arrivals", unit: "/s", min: 1, max: 1000, step: 0.1, log: true },
    ],
    answer,
    python,
    predict: { question: "Response time of open arrivals?", unit: "ms", of: (v) => 1000 * v.open },
  }),
};

export function answer(s) {
  const time = s.demand / 1000;
  const [x, response] = solve(network(s, s.clients));
  const arriving = open(s.rate, time);
  const rates = throughputs(network(s, s.clients));
  const tested = rates.map((rate, i) => [rate, (i + 1) / rate - s.think]);
  const shares = Array.from({ length: 197 }, (_, i) => (i + 1) / 200);
  const stable = Number.isFinite(arriving);
  return {
    sentence: `The test reports ${seconds(response)} at ${short(x)} requests a second. `
      + (stable ? `Open arrivals at ${short(s.rate)} a second see ${seconds(arriving)}.`
        : `Open arrivals at ${short(s.rate)} a second are more than it can serve: their queue grows without end.`),
    values: { throughput: x, closed: response, ...(stable ? { open: arriving } : {}) },
    figures: [
      ["Capacity", `${short(1 / time)} /s`],
      ["Busy in the test", percent(Math.min(1, x * time))],
      ["Most that can queue in the test", `${s.clients} requests`],
    ],
    chart: {
      x: { label: "throughput [requests a second]", min: 0, max: 1.05 / time },
      y: { label: "response time [s]", min: 0, max: 40 * time },
      lines: [
        { name: "open arrivals", points: shares.map((u) => [u / time, open(u / time, time)]) },
        { name: "the test, with more and more clients", points: tested },
      ],
      marks: [{ x, y: response }, ...(stable ? [{ x: s.rate, y: arriving }] : [])],
    },
  };
}

export const python = (s) => `import qmodel as qm
from qmodel.single_station import MM1

demand, rate = ${s.demand} / 1000, ${s.rate}
clients = qm.ClosedClass("clients", ${s.clients}, ${s.think})
test = qm.solve(qm.Network([qm.QueueingStation("server")], [clients], [[demand]]))
print(f"test: {test.throughputs[0]:.4g} /s, {test.response_times[0]:.4g} s")
if rate * demand < 1:
    print(f"open arrivals: {MM1(rate, demand).residence_time:.4g} s")
else:
    print("open arrivals: more than the server can serve")
`;
