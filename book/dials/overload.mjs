// Backlog of a spike, as a fluid: what arrives and what is served are two rates.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "capacity", label: "Capacity", unit: "/s", min: 10, max: 1000, step: 1, log: true },
      { key: "usual", label: "Usual arrivals", unit: "/s", min: 1, max: 1000, step: 1, log: true },
      { key: "spike", label: "Arrivals in the spike", unit: "/s", min: 1, max: 2000, step: 1, log: true },
      { key: "minutes", label: "Length of the spike", unit: "min", min: 1, max: 60, step: 1 },
    ],
    answer,
    python,
    predict: { question: "Minutes until it is drained?", unit: "min", of: (v) => v.drain / 60 },
  }),
};

export function answer({ capacity, usual, spike, minutes }) {
  const length = 60 * minutes;
  const backlog = Math.max(0, (spike - capacity) * length);
  const wait = backlog / capacity;
  const drains = usual < capacity;
  const drain = drains ? backlog / (capacity - usual) : Infinity;
  const most = drains ? Math.max(2 * length, 1.15 * (length + drain)) : 3 * length;
  const at = (t) => {
    if (t <= 0) return 0;
    if (t <= length) return Math.max(0, (spike - capacity) * t);
    return Math.max(0, backlog - (capacity - usual) * (t - length));
  };
  const times = Array.from({ length: 121 }, (_, i) => ((i - 10) * most) / 110);
  const values = { backlog, wait, ...(drains ? { drain } : {}) };
  return {
    sentence: backlog === 0 ? "The spike stays within the capacity: no backlog builds up."
      : drains ? `The spike leaves ${short(backlog)} requests; the last of them waits ${seconds(wait)}, `
        + `and it takes ${seconds(drain)} until they are gone.`
        : `The spike leaves ${short(backlog)} requests, and at the usual load they never drain.`,
    values,
    figures: [
      ["Usual load", percent(usual / capacity)],
      ["Backlog at the end", `${short(backlog)} requests`],
      ["Capacity left to drain it", `${short(Math.max(0, capacity - usual))} /s`],
    ],
    chart: {
      x: { label: "minutes since the spike began", min: -most / 11 / 60, max: most / 60 },
      y: { label: "backlog [requests]", min: 0, max: above(Math.max(1, 1.1 * backlog)) },
      lines: [{ name: "backlog", points: times.map((t) => [t / 60, at(t)]) }],
      walls: [{ x: minutes, label: "spike ends" }],
    },
  };
}

export const python = (s) => `capacity, usual, spike, minutes = ${s.capacity}, ${s.usual}, ${s.spike}, ${s.minutes}
backlog = max(0.0, (spike - capacity) * 60 * minutes)
print("backlog:", backlog, "requests; the last waits", backlog / capacity, "s")
if usual < capacity:
    print("drained after", backlog / (capacity - usual), "s")
else:
    print("at the usual load it never drains")
`;
