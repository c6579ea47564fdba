// Mean and percentiles of the response time at one server against utilization and variability:
// Poisson arrivals, first come first served. Means are qmodel's to the last bit; percentiles come
// from the same transform, inverted by the same sum (Abate and Whitt's EULER).

import { above } from "./chart.mjs";
import { spareCapacity } from "./erlang.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

const DECAY = 18.4;
const AVERAGED = 11;
const SHARES = [0.95, 0.99];

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "utilization", label: "Utilization", unit: "%", min: 10, max: 98, step: 1 },
      { key: "scv", label: "Variability of service (SCV)", min: 0.05, max: 20, step: 0.05 },
      { key: "service", label: "Mean service time", unit: "ms", min: 1, max: 10000, step: 0.1, log: true },
    ],
    answer,
    python,
  }),
};

/** Laplace transform of a service time with mean 1: gamma below an SCV of 1, above it two kinds. */
function service(scv) {
  if (scv === 1) return ([a, b]) => inverse([1 + a, b]);
  if (scv < 1e-9) return ([a, b]) => polar(Math.exp(-a), -b);
  if (scv < 1) {
    return ([a, b]) => {
      const x = 1 + a * scv, y = b * scv;
      return polar(Math.exp(-Math.log(Math.hypot(x, y)) / scv), -Math.atan2(y, x) / scv);
    };
  }
  const p = 0.5 * (1 + Math.sqrt((scv - 1) / (scv + 1))), q = 1 - p;
  return ([a, b]) => {
    const [c, d] = inverse([1 + a / (2 * p), b / (2 * p)]);
    const [e, f] = inverse([1 + a / (2 * q), b / (2 * q)]);
    return [p * c + q * e, p * d + q * f];
  };
}

const polar = (size, angle) => [size * Math.cos(angle), size * Math.sin(angle)];
const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];

function inverse([a, b]) {
  const size = a * a + b * b;
  return [a / size, -b / size];
}

/** Transform of waiting and service together (Pollaczek and Khinchin). */
function residence(load, scv) {
  const served = service(scv);
  return (s) => {
    const own = served(s);
    const [a, b] = times([1 - own[0], -own[1]], inverse(s));
    const [c, d] = inverse([1 - load * a, -load * b]);
    return times([(1 - load) * c, (1 - load) * d], own);
  };
}

const CHOOSE = (() => {
  let row = [1];
  for (let i = 0; i < AVERAGED; i++) row = [...row, 0].map((x, j) => (x + (row[j - 1] ?? 0)) / 2);
  return row;
})();

/** Share of the customers that stay longer. */
function exceeds(transform, time, terms) {
  let sum = 0, found = 0;
  for (let k = 0; k <= terms + AVERAGED; k++) {
    const s = [DECAY / (2 * time), (Math.PI * k) / time];
    const [a, b] = transform(s);
    const real = times([1 - a, -b], inverse(s))[0];
    sum += (k === 0 ? 0.5 : k % 2 ? -1 : 1) * real;
    if (k >= terms) found += CHOOSE[k - terms] * sum;
  }
  return Math.min(1, Math.max(0, (Math.exp(DECAY / 2) / time) * found));
}

/** The time that a share of the customers stays within, in mean service times. */
function percentile(transform, share, guess, terms, precision) {
  const left = Math.log(1 - share);
  const miss = (t) => Math.log(Math.max(exceeds(transform, t, terms), 1e-300)) - left;
  let low = guess, at = miss(low);
  const factor = at > 0 ? 1.5 : 1 / 1.5;
  let high = low * factor, above_ = miss(high);
  while (at * above_ > 0 && high < 1e7 && high > 1e-7) {
    [low, at] = [high, above_];
    high = low * factor;
    above_ = miss(high);
  }
  // Tails are nearly exponential, so a straight line through their logarithms is nearly there.
  let near = low;
  for (let i = 0; i < 60; i++) {
    let next = low - (at * (high - low)) / (above_ - at);
    if (i % 4 === 3) next = 0.5 * (low + high);
    const here = miss(next);
    if (here * at > 0) [low, at] = [next, here];
    else [high, above_] = [next, here];
    if (Math.abs(next - near) <= precision * next || here === 0) return next;
    near = next;
  }
  return near;
}

/** More terms where a time hardly varies. */
function termsOf(load, scv) {
  const wait = (load * (1 + scv)) / (2 * (1 - load));
  // Of the wait the second moment needs the third of service, at least that of a gamma.
  const spread = (wait * wait + wait * (1 + 2 * scv) * (2 / 3) + scv) / ((1 + wait) * (1 + wait));
  return 24 + Math.trunc(3 / Math.sqrt(Math.max(spread, 1e-4)));
}

function percentiles(load, scv, guesses, precision) {
  const transform = residence(load, scv), terms = termsOf(load, scv);
  return SHARES.map((share, i) => percentile(transform, share, guesses[i], terms, precision));
}

/** The points below the end of the axis, and where the line leaves it. */
function upTo(top, points) {
  const end = points.findIndex(([, y]) => y > top);
  if (end <= 0) return points;
  const [[a, b], [c, d]] = points.slice(end - 1, end + 1);
  return [...points.slice(0, end), [a + ((top - b) / (d - b)) * (c - a), top]];
}

export function answer(s) {
  const time = s.service / 1000, rate = s.utilization / 100 / time, load = rate * time;
  const spare = spareCapacity(1, rate, time);
  const wait = 0.5 * (1 + s.scv) * load * time / spare;
  const mean = time + wait;
  const start = (u) => [3, 4.6].map((m) => m * (1 + (0.5 * (1 + s.scv) * u) / (1 - u)));
  const [p95, p99] = percentiles(load, s.scv, start(load), 1e-10).map((t) => t * time);
  const lines = [[], [], []];
  let guesses = start(0.1), last = 0.1;
  for (let i = 0; i <= 24; i++) {
    const u = 0.1 + 0.88 * (1 - (1 - i / 24) ** 1.7);
    guesses = percentiles(u, s.scv, guesses.map((g) => (g * (1 - last)) / (1 - u)), 1e-3);
    last = u;
    lines[0].push([100 * u, time * (1 + (0.5 * (1 + s.scv) * u) / (1 - u))]);
    guesses.forEach((g, j) => lines[j + 1].push([100 * u, g * time]));
  }
  const scale = mean < 1 ? 1000 : 1, unit = scale === 1 ? "s" : "ms";
  const top = above(scale * Math.max(1.4 * p99, 12 * time));
  return {
    sentence: `At ${short(s.utilization)} % busy the mean is ${seconds(mean)}, but one in twenty takes longer than `
      + `${seconds(p95)}, ${short(p95 / mean)} times the mean, and one in a hundred longer than ${seconds(p99)}.`,
    values: { mean, wait, p95, p99 },
    figures: [
      ["Mean", seconds(mean)],
      ["p95", seconds(p95)],
      ["p99", seconds(p99)],
      ["Of the mean, waiting", percent(wait / mean)],
    ],
    chart: {
      x: { label: "utilization [%]", min: 0, max: 100 },
      y: { label: `response time [${unit}]`, min: 0, max: top },
      lines: ["mean", "p95", "p99"].map((name, i) => ({
        name, points: upTo(top, lines[i].map(([x, y]) => [x, scale * y])),
      })),
      marks: [mean, p95, p99].map((t) => ({ x: s.utilization, y: scale * t })),
    },
  };
}

export const python = (s) => `from qmodel.single_station import MG1, GGm

service = ${s.service} / 1000
rate = ${s.utilization} / 100 / service
print("mean", MG1(rate, service, scv=${s.scv}).residence_time, "s")
print("p95, p99", GGm(rate, service, 1, scv=${s.scv}).percentiles((0.95, 0.99)), "s")
`;
