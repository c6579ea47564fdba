// Two classes at one server: in order of arrival, with priority, and with interruption.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

/** Mean waits of both classes, as (rate, time) each, exponential services. [s] */
function waits([a, s], [b, t]) {
  const first = a * s, both = a * s + b * t;
  const residual = a * s * s + b * t * t; // of whoever is in service
  return {
    order: residual / (1 - both),
    high: residual / (1 - first),
    low: residual / ((1 - first) * (1 - both)),
    highNow: (a * s * s) / (1 - first),
    lowNow: t / (1 - first) + residual / ((1 - first) * (1 - both)) - t,
    both,
  };
}

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "first", label: "Arrivals, class 1", unit: "/s", min: 0.1, max: 100, step: 0.1, log: true },
      { key: "firstTime", label: "Service, class 1", unit: "ms", min: 1, max: 500, step: 1, log: true },
      { key: "second", label: "Arrivals, class 2", unit: "/s", min: 0.1, max: 100, step: 0.1, log: true },
      { key: "secondTime", label: "Service, class 2", unit: "ms", min: 1, max: 500, step: 1, log: true },
    ],
    answer,
    python,
    predict: { question: "Wait of class 2 with priority?", unit: "ms", of: (v) => 1000 * v.low },
  }),
};

export function answer(s) {
  const time = s.firstTime / 1000, long = s.secondTime / 1000;
  const load = s.first * time + s.second * long;
  if (load >= 1) throw new RangeError(`both classes bring ${percent(load)} of what the server can do; it must be less than all`);
  const found = waits([s.first, time], [s.second, long]);
  const { order, high, low, highNow, lowNow } = found;
  // The whole load moved up and down, the mix kept.
  const shares = Array.from({ length: 96 }, (_, i) => (i + 1) / 100);
  const curve = (key) => shares.map((u) => [u, waits([(s.first * u) / load, time], [(s.second * u) / load, long])[key]]);
  return {
    sentence: `At ${percent(load)} load priority takes class 1 from a wait of ${seconds(order)} to ${seconds(high)}, `
      + `and class 2 to ${seconds(low)}.`,
    values: { order, high, low, high_interrupts: highNow, low_interrupted: lowNow },
    figures: [
      ["Load of class 1", percent(s.first * time)],
      ["Load of class 2", percent(s.second * long)],
      ["Class 1, if it may interrupt", seconds(highNow)],
      ["Class 2 is served later by", `${short(100 * (low / order - 1))} %`],
    ],
    chart: {
      x: { label: "load of the server", min: 0, max: 1 },
      y: { label: "wait before service [s]", min: 0, max: above(1.5 * low) },
      lines: [
        { name: "order of arrival", points: curve("order") },
        { name: "class 1, first", points: curve("high") },
        { name: "class 2, after it", points: curve("low") },
      ],
      marks: [{ x: load, y: high }, { x: load, y: low }],
    },
  };
}

export const python = (s) => `from qmodel.single_station import priority_queue

classes = [(${s.first}, ${s.firstTime} / 1000, 1.0), (${s.second}, ${s.secondTime} / 1000, 1.0)]
if sum(rate * time for rate, time, _ in classes) < 1:
    for preemptive in (False, True):
        waits = [each.waiting_time for each in priority_queue(classes, preemptive=preemptive)]
        print("preemptive" if preemptive else "priority", waits)
else:
    print("more work arrives than the server can do")
`;
