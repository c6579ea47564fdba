// Throughput by processors: a part that runs alone (Amdahl), and what each costs every other (USL).

import { dial, short } from "./kit.mjs";

const MOST = 128;

/** Capacity of n processors over that of one. */
const speedup = (n, serial, talk) => n / (1 + serial * (n - 1) + talk * n * (n - 1));

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "serial", label: "Runs alone (contention)", unit: "%", min: 0, max: 20, step: 0.1 },
      { key: "talk", label: "Costs each other (coherency)", unit: "‰", min: 0, max: 5, step: 0.01 },
      { key: "processors", label: "Processors", min: 1, max: MOST, step: 1 },
    ],
    answer,
    python,
    predict: { question: "Work of how many processors?", unit: "", of: (v) => v.speedup },
  }),
};

export function answer(s) {
  const serial = s.serial / 100, talk = s.talk / 1000;
  const here = speedup(s.processors, serial, talk);
  const amdahl = speedup(s.processors, serial, 0);
  const peak = talk > 0 ? Math.sqrt((1 - serial) / talk) : Infinity;
  const curve = (sigma, kappa) => Array.from({ length: MOST }, (_, i) => [i + 1, speedup(i + 1, sigma, kappa)]);
  return {
    sentence: `${s.processors} processors do the work of ${short(here)}`
      + (peak <= MOST ? `; beyond ${short(peak)} each further one makes it less.`
        : serial > 0 ? `; no number of them does that of more than ${short(1 / serial)}.` : "."),
    values: { speedup: here, amdahl, ...(talk > 0 ? { peak } : {}) },
    figures: [
      ["Work of so many", short(here)],
      ["By Amdahl's law alone", short(amdahl)],
      ["Gained by one more", short(speedup(s.processors + 1, serial, talk) - here).replace("-", "−")],
    ],
    chart: {
      x: { label: "processors", min: 0, max: MOST },
      y: { label: "throughput, of one processor's", min: 0, max: 64 },
      lines: [
        { name: "each counts in full", points: curve(0, 0) },
        { name: "Amdahl", points: curve(serial, 0) },
        { name: "universal scalability law", points: curve(serial, talk) },
      ],
      marks: [{ x: s.processors, y: here }],
    },
  };
}

export const python = (s) => `from math import sqrt

serial, talk = ${s.serial} / 100, ${s.talk} / 1000
def speedup(n, talk=talk):
    return n / (1 + serial * (n - 1) + talk * n * (n - 1))
print("universal scalability law:", speedup(${s.processors}))
print("Amdahl's law:", speedup(${s.processors}, talk=0))
if talk:
    print("most at", sqrt((1 - serial) / talk), "processors")
`;
