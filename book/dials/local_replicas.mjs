// Load of a mail server by the share of users who work on local replicas, if users add up.

import { above } from "./chart.mjs";
import { dial, short } from "./kit.mjs";

const SHARE = 0.2; // on local replicas in the first run
// With a fifth of the users on local replicas, and with none: Table 7 of 2009. The noise of a run is
// relative and comes from other servers, for no run of this one was repeated; half is half a unit of print.
const METRICS = {
  processor: { name: "processor", unit: "% busy", before: 39.5, after: 53.4, noise: 0.03, half: 0.05 },
  transactions: { name: "transactions", unit: "a minute", before: 12819, after: 14089, noise: 0.010 / Math.SQRT2, half: 0.5 },
  disk_ios: { name: "disk operations", unit: "a second", before: 636, after: 728, noise: 0.03, half: 0.5 },
  disk_volume: { name: "disk volume", unit: "MB/s", before: 5.52, after: 6.31, noise: 0.03, half: 0.005 },
};

const load = (before, share, fraction) => (before * (1 - share * (1 - fraction))) / (1 - SHARE * (1 - fraction));

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "metric", label: "Load", choices: Object.entries(METRICS).map(([key, m]) => [key, m.name]) },
      { key: "share", label: "Users on local replicas", unit: "%", min: 0, max: 100, step: 1 },
      { key: "fraction", label: "One of them asks, of what others ask", unit: "%", min: 0, max: 100, step: 1 },
    ],
    answer,
    python,
  }),
};

export function answer(s) {
  const { name, unit, before, after, noise, half } = METRICS[s.metric];
  const measured = [[0, after], [100 * SHARE, before]].map(([x, y]) => {
    const deviation = Math.sqrt(half ** 2 / 3 + (noise * y) ** 2);
    return { x, y, low: y - 2 * deviation, high: y + 2 * deviation };
  });
  const fraction = s.fraction / 100;
  const found = load(before, s.share / 100, fraction);
  const most = load(before, 0, 0);
  const none = load(before, 0, fraction);
  const line = (f) => [[0, load(before, 0, f)], [100, load(before, 1, f)]];
  const reach = after > most ? "no position of the sliders reaches what was measured"
    : `without local replicas this gives ${short(none)}, measured were ${short(after)}`;
  return {
    sentence: `With ${s.share} % of the users on local replicas the ${name} ${name.endsWith("s") ? "are" : "is"} `
      + `${short(found)} ${unit}; ${reach}.`,
    values: { load: found, most },
    figures: [
      ["Measured, 20 % local", `${short(before)} ${unit}`],
      ["Measured, none local", `${short(after)} ${unit}`],
      ["Most that none local can be", `${short(most)} ${unit}`],
    ],
    chart: {
      x: { label: "users on local replicas [%]", min: 0, max: 100 },
      y: { label: `${name} [${unit}]`, min: 0, max: above(1.05 * Math.max(after, most)) },
      lines: [
        { name: "users add up", points: line(fraction) },
        { name: "local users ask for nothing", points: line(0) },
      ],
      measured: { name: "measured, ± 2 standard deviations", points: measured },
      marks: [{ x: s.share, y: found }],
    },
  };
}

export const python = (s) => `from calibration.printed_tables.table import load_table

table = load_table("domino85/table_7")
before, after = (float(table.cell("${s.metric}", run).text) for run in ("baseline", "variant"))
share, fraction = ${s.share} / 100, ${s.fraction} / 100
print("users add up:", before * (1 - share * (1 - fraction)) / (1 - 0.2 * (1 - fraction)))
print("measured without local replicas:", after)
`;
