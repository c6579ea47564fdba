// Response time of small reads and writes by RAID level, drives and load: every drive is a queue.

import { above } from "./chart.mjs";
import { spareCapacity } from "./erlang.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

// Operations of a small write, steps one after the other, fewest drives, copies, drives of parity.
const LEVELS = {
  raid0: { name: "RAID 0", writes: 1, steps: 1, least: 1, copies: 1, parity: 0 },
  raid1e: { name: "RAID 1E", writes: 2, steps: 1, least: 3, copies: 2, parity: 0 },
  raid10: { name: "RAID 10", writes: 2, steps: 1, least: 4, copies: 2, parity: 0, even: true },
  raid5: { name: "RAID 5", writes: 4, steps: 2, least: 3, copies: 1, parity: 1 },
  raid6: { name: "RAID 6", writes: 6, steps: 2, least: 4, copies: 1, parity: 2 },
};
const SHOWN = [["raid0", "no redundancy"], ["raid1e", "mirrors"], ["raid5", "RAID 5"], ["raid6", "RAID 6"]];

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "level", label: "Level", choices: [["raid0", "RAID 0: no redundancy"], ["raid10", "RAID 10: mirrors"],
        ["raid1e", "RAID 1E: mirrors, any number"], ["raid5", "RAID 5: one parity"], ["raid6", "RAID 6: two parities"]] },
      { key: "drives", label: "Drives", min: 2, max: 24, step: 1 },
      { key: "load", label: "Small operations of all users", unit: "/s", min: 1, max: 5000, step: 1, log: true },
      { key: "writes", label: "Share of writes", unit: "%", min: 0, max: 100, step: 1 },
      { key: "time", label: "Time of one operation", unit: "ms", min: 0.05, max: 40, step: 0.01, log: true },
    ],
    answer,
    python,
  }),
};

/** Operations at each drive for so many reads and writes. */
const operations = (level, drives, reads, writes) => (reads + level.writes * writes) / drives;

/** The longest of the parts of a write that are at once, if they are independent. */
function atMost(level, read) {
  let total = 0;
  for (let i = 1; i <= level.writes / level.steps; i++) total += 1 / i;
  return level.steps * read * total;
}

function whyNot(level, drives) {
  if (drives < level.least) return `${level.name} needs at least ${level.least} drives.`;
  if (level.even && drives % 2) return `${level.name} needs an even number of drives; RAID 1E takes any.`;
  return null;
}

export function answer(s) {
  const level = LEVELS[s.level], time = s.time / 1000, share = s.writes / 100;
  const mean = (l, read) => (1 - share) * read + share * atMost(l, read);
  const limit = (l) => 1 / (time * operations(l, s.drives, 1 - share, share));
  const curves = SHOWN.filter(([key]) => !whyNot(LEVELS[key], s.drives)).map(([key, name]) => {
    const l = LEVELS[key];
    return { key, name, points: shares().map((u) => [u * limit(l), 1000 * mean(l, time / (1 - u))]) };
  });
  const top = above(5000 * time * Math.max(1, mean(level, time) / time / 2));
  const chart = {
    x: { label: "small operations of all users [1/s]", min: 0, max: above(limit(LEVELS.raid0)) },
    y: { label: "mean time of an operation [ms]", min: 0, max: top },
    lines: curves.map(({ name, points }) => ({ name, points: points.filter(([, y]) => y <= top) })),
    marks: [],
  };
  const reason = whyNot(level, s.drives);
  if (reason) return { sentence: `${reason} The curves are those of the other levels.`, values: {}, chart };
  const rate = operations(level, s.drives, s.load * (1 - share), s.load * share);
  const most = limit(level);
  const spare = spareCapacity(1, rate, time);
  if (!(spare > 0)) {
    return {
      sentence: `Too much for ${s.drives} drives under ${level.name}: they can do ${short(most)} such operations `
        + `a second, and ${short(s.load)} are asked for.`,
      values: {},
      chart,
    };
  }
  const read = time / spare;
  const write = atMost(level, read);
  const usable = (s.drives - level.parity) / s.drives / level.copies;
  chart.y.max = Math.max(top, above(1100 * mean(level, read)));
  chart.lines = curves.map(({ name, points }) => ({ name, points: points.filter(([, y]) => y <= chart.y.max) }));
  chart.marks = [{ x: s.load, y: 1000 * mean(level, read) }];
  return {
    sentence: `Under ${level.name} with ${s.drives} drives a small read takes ${seconds(read)} and a small write at most `
      + `${seconds(write)}; every drive is ${percent(rate * time)} busy.`,
    values: { read, write, busy: rate * time, most, usable },
    figures: [
      ["Read", seconds(read)],
      ["Write, at most", seconds(write)],
      ["Drives busy", percent(rate * time)],
      ["Most operations", `${short(most)} /s`],
      ["Space for data", percent(usable)],
    ],
    chart,
  };
}

/** Utilizations, closer together near the wall. */
const shares = () => Array.from({ length: 80 }, (_, i) => 1 - (1 - i / 80) ** 2);

export const python = (s) => `from qmodel.devices.raid import LEVELS
from qmodel.single_station import MM1

level, drives, share = LEVELS["${s.level}"], ${s.drives}, ${s.writes} / 100
reason = level.why_not(drives)
if reason:
    print(reason)
else:
    each = level.operations(drives, ${s.load} * (1 - share), ${s.load} * share)[0]
    if each * ${s.time} / 1000 >= 1:
        print("too many operations for", drives, "drives")
    else:
        read = MM1(each, ${s.time} / 1000).residence_time
        steps = level.phases(write=True)
        print("read", read, "s")
        together = int(level.write_operations / steps)  # drives that write it at once
        print("write at most", steps * read * sum(1 / k for k in range(1, together + 1)), "s")
`;
