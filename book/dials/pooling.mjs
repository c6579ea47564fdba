// One queue for several servers against a queue for each.

import { above } from "./chart.mjs";
import { erlangC, spareCapacity } from "./erlang.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

/** Mean wait before service of M/M/m. [s] */
function wait(rate, time, servers) {
  const spare = spareCapacity(servers, rate, time);
  return spare > 0 ? (erlangC(servers, rate * time, spare) * time) / spare : Infinity;
}

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "rate", label: "Arrivals at all servers", unit: "/s", min: 0.1, max: 1000, step: 0.01, log: true },
      { key: "time", label: "Service time", unit: "ms", min: 1, max: 5000, step: 0.1, log: true },
      { key: "servers", label: "Servers", min: 1, max: 64, step: 1 },
    ],
    answer,
    python,
    predict: { question: "Wait with one queue?", unit: "ms", of: (v) => 1000 * v.together },
  }),
};

export function answer({ rate, time, servers }) {
  const service = time / 1000;
  const load = (rate * service) / servers;
  const chart = {
    x: { label: "utilization of each server", min: 0, max: 1 },
    y: { label: "waiting time [service times]", min: 0, max: 8 },
    lines: [
      { name: "a queue for each server", points: shares().map((u) => [u, wait(u / service, service, 1) / service]) },
      { name: servers === 1 ? "one queue for the one server" : `one queue for ${servers}`, points: shares().map((u) => [u, wait((u * servers) / service, service, servers) / service]) },
    ],
    marks: [],
  };
  const apart = wait(rate / servers, service, 1), together = wait(rate, service, servers);
  if (!Number.isFinite(apart) || !Number.isFinite(together)) {
    return {
      sentence: `Too many arrivals: they bring ${short(rate * service)} seconds of work a second, and ${servers} `
        + `server${servers > 1 ? "s" : ""} can do ${servers}. The queue grows without end.`,
      values: {},
      chart,
    };
  }
  chart.marks = [{ x: load, y: apart / service }, { x: load, y: together / service }];
  chart.y.max = Math.max(2, above(1.3 * apart / service));
  return {
    sentence: servers === 1
      ? `With one server there is nothing to pool: a customer waits ${seconds(apart)}.`
      : `With a queue for each server a customer waits ${seconds(apart)}; with one queue for all `
        + `${servers} it waits ${seconds(together)}.`,
    values: { apart, together, load },
    figures: [
      ["Utilization of each server", percent(load)],
      ["Wait, queue for each", seconds(apart)],
      ["Wait, one queue", seconds(together)],
    ],
    chart,
  };
}

const shares = () => Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

export const python = (s) => `from qmodel.single_station import MM1, MMm

rate, service_time, servers = ${s.rate}, ${s.time} / 1000, ${s.servers}
if rate * service_time < servers:
    print("a queue for each:", MM1(rate / servers, service_time).waiting_time, "s")
    print("one queue:", MMm(rate, service_time, servers).waiting_time, "s")
else:
    print("more work arrives than", servers, "servers can do")
`;
