// The error budget of a service level: Poisson arrivals, one server, exponential service, a day of
// two loads. Response times are exponential there, so a late share is one exponential function.

import { dial, percent, seconds, short } from "./kit.mjs";

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "busy", label: "Utilization at the peak", unit: "%", min: 5, max: 98, step: 1 },
      { key: "hours", label: "Hours of peak a day", min: 1, max: 23, step: 1 },
      { key: "calm", label: "Utilization in the other hours", unit: "%", min: 1, max: 98, step: 1 },
      { key: "service", label: "Mean service time", unit: "ms", min: 1, max: 1000, step: 0.1, log: true },
      { key: "limit", label: "Limit", unit: "ms", min: 10, max: 10000, step: 1, log: true },
      { key: "share", label: "Promised within it", choices: [[90, "90 %"], [95, "95 %"], [99, "99 %"], [99.9, "99.9 %"]] },
    ],
    answer,
    python,
  }),
};

/** Share of the requests that take longer than the limit at a utilization. */
const late = (s, busy) => Math.exp(-s.limit / (s.service / (1 - busy / 100)));

export function answer(given) {
  const s = { ...given, share: Number(given.share) };
  const allowed = 1 - s.share / 100;
  const peak = late(s, s.busy), calm = late(s, s.calm);
  // Requests of an hour are proportional to the utilization.
  const atPeak = s.hours * s.busy, elsewhere = (24 - s.hours) * s.calm;
  const burnt = (atPeak * peak + elsewhere * calm) / (atPeak + elsewhere) / allowed;
  const most = 1 + (s.service * Math.log(allowed)) / s.limit;
  const points = Array.from({ length: 98 }, (_, i) => [i + 1, late(s, i + 1) / allowed]);
  const rate = peak / allowed;
  return {
    sentence: `At the peak ${percent(peak)} of the requests take longer than ${seconds(s.limit / 1000)}: a burn rate of `
      + `${short(rate)}. ${burnt > 1 ? "The service level is missed: the day burns" : "The day burns"} ${percent(burnt)} of its budget. `
      + (most > 0 ? `A server that is always ${percent(most)} busy burns just all of it.` : "Even an idle server is too slow."),
    values: { peak, calm, burnt, most },
    figures: [
      ["Mean at the peak", seconds(s.service / 1000 / (1 - s.busy / 100))],
      ["Burn rate at the peak", short(rate)],
      ["Burn rate in other hours", short(calm / allowed)],
      ["Budget burnt", percent(burnt)],
    ],
    chart: {
      x: { label: "utilization [%]", min: 0, max: 100 },
      y: { label: "burn rate", min: 0, max: Math.max(2, Math.min(10, 1.5 * rate)) },
      lines: [{ name: "burn rate", points: points.filter(([, y]) => y <= 12) }],
      marks: [{ x: s.busy, y: rate }, { x: s.calm, y: calm / allowed }],
      levels: [{ y: 1, label: "all of the budget in the end" }],
    },
  };
}

export const python = (s) => `from math import exp

from qmodel.single_station import MM1

service, limit, allowed = ${s.service} / 1000, ${s.limit} / 1000, 1 - ${s.share} / 100
requests = late = 0.0
for hours, busy in ((${s.hours}, ${s.busy} / 100), (${24 - s.hours}, ${s.calm} / 100)):
    mean = MM1(busy / service, service).residence_time
    requests += hours * busy
    late += hours * busy * exp(-limit / mean)
print("burnt:", late / requests / allowed)
`;
