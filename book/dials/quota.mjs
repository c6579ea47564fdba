// A container under a quota of processor time: threads that run at once use it up sooner.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

const PERIOD = 0.1;

/** Processor time that each thread has in a period. [s] */
const slice = (quota, threads) => Math.min(PERIOD, (quota * PERIOD) / threads);

/** When a request that begins with a period is done, all threads computing. [s] */
function elapsed(work, threads, quota) {
  const part = slice(quota, threads);
  const whole = Math.ceil(work / part - 1e-9) - 1;
  return whole * PERIOD + (work - whole * part);
}

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "quota", label: "Quota", unit: "cpus", min: 0.5, max: 16, step: 0.1 },
      { key: "threads", label: "Threads that compute", min: 1, max: 64, step: 1 },
      { key: "work", label: "Work of a request", unit: "ms", min: 1, max: 500, step: 1, log: true },
    ],
    answer,
    python,
    predict: { question: "Time of the request?", unit: "ms", of: (v) => 1000 * v.elapsed },
  }),
};

export function answer({ quota, threads, work }) {
  const time = work / 1000, part = slice(quota, threads);
  const done = elapsed(time, threads, quota);
  const counts = Array.from({ length: 64 }, (_, i) => i + 1);
  return {
    sentence: part < PERIOD
      ? `Each thread computes for ${seconds(part)} and stands still for ${seconds(PERIOD - part)} of every 100 ms: `
        + `${seconds(time)} of work takes ${seconds(done)}.`
      : `The quota is enough for all ${threads} threads: ${seconds(time)} of work takes ${seconds(done)}.`,
    values: { slice: part, elapsed: done },
    figures: [
      ["Runs, of every period", percent(part / PERIOD)],
      ["Times its work", short(done / time)],
    ],
    chart: {
      x: { label: "threads that compute at once", min: 0, max: 64 },
      y: { label: "time of the request [ms]", min: 0, max: above(1000 * elapsed(time, 64, quota)) },
      lines: [{ name: "time", points: counts.map((n) => [n, 1000 * elapsed(time, n, quota)]) }],
      levels: [{ y: work, label: "its work" }],
      marks: [{ x: threads, y: 1000 * done }],
    },
  };
}

export const python = (s) => `from math import ceil

quota, threads, work, period = ${s.quota}, ${s.threads}, ${s.work} / 1000, 0.1
each = min(period, quota * period / threads)
whole = ceil(work / each - 1e-9) - 1
print("runs for", each, "s of each period")
print("done after", whole * period + work - whole * each, "s")
`;
