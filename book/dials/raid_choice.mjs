// How many drives each RAID level needs for so much data and so many operations.

import { dial, make, percent, short } from "./kit.mjs";

const MOST = 200;
const LEVELS = [
  { key: "raid0", name: "RAID 0", least: 1, writes: 1, copies: 1, parity: 0 },
  { key: "raid10", name: "RAID 10", least: 4, writes: 2, copies: 2, parity: 0, even: true },
  { key: "raid5", name: "RAID 5", least: 3, writes: 4, copies: 1, parity: 1 },
  { key: "raid6", name: "RAID 6", least: 4, writes: 6, copies: 1, parity: 2 },
];

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "data", label: "Data to hold", unit: "GB", min: 10, max: 50000, step: 1, log: true },
      { key: "size", label: "Size of a drive", unit: "GB", min: 2, max: 20000, step: 1, log: true },
      { key: "load", label: "Small operations of all users", unit: "/s", min: 1, max: 5000, step: 1, log: true },
      { key: "writes", label: "Share of writes", unit: "%", min: 0, max: 100, step: 1 },
      { key: "time", label: "Time of one operation", unit: "ms", min: 0.05, max: 20, step: 0.01, log: true },
      { key: "busy", label: "Drives at most busy", unit: "%", min: 20, max: 90, step: 1 },
      { key: "state", label: "Promised", choices: [["failed", "also with a drive lost"], ["whole", "with all drives working"]] },
    ],
    answer,
    python,
  }),
};

/** Operations at the busiest drive, all working or one of them lost; null where data is lost. */
function operations(level, n, reads, writes, failed) {
  if (!failed) return (reads + level.writes * writes) / n;
  if (level.copies > 1) return (reads + 2 * writes) / n + reads / n;
  if (!level.parity) return null;
  const missing = 1 / n, unprotected = level.parity / n;
  const read = (1 - missing) + missing * (n - level.parity);
  const write = (1 - missing - unprotected) * level.writes + missing * (n - 1)
    + unprotected * (level.parity > 1 ? level.writes - 2 : 1);
  return (reads * read + writes * write) / (n - 1);
}

/** Fewest drives of a level that hold the data, and that stay below the limit; null for none. */
function fewest(level, s, load) {
  const share = s.writes / 100, failed = s.state === "failed";
  const room = (n) => ((n - level.parity) / n / level.copies) * n * s.size >= s.data;
  const busy = (n) => {
    const each = operations(level, n, load * (1 - share), load * share, failed);
    return each === null ? null : each * (s.time / 1000);
  };
  let space = null;
  for (let n = level.least; n <= MOST; n += level.even ? 2 : 1) {
    if (!room(n)) continue;
    space ??= n;
    const found = busy(n);
    if (found === null) return null;
    if (found <= s.busy / 100) return { drives: n, busy: found, space };
  }
  return null;
}

export function answer(s) {
  const found = LEVELS.map((level) => [level, fewest(level, s, s.load)]).filter(([, need]) => need);
  const values = {};
  for (const [{ key }, need] of found) Object.assign(values, { [key]: need.drives, [`${key} busy`]: need.busy });
  const safe = found.filter(([level]) => level.copies > 1 || level.parity);
  const least = safe.length ? Math.min(...safe.map(([, need]) => need.drives)) : 0;
  const good = safe.filter(([, need]) => need.drives === least).map(([level]) => level.name);
  const most = 2 * s.load, loads = Array.from({ length: 61 }, (_, i) => (i * most) / 60);
  const lines = LEVELS.map((level, tone) => ({
    name: level.name,
    tone,
    points: loads.map((load) => [load, fewest(level, s, load)?.drives]).filter(([, n]) => n),
  })).filter(({ points }) => points.length > 1);
  const top = Math.min(MOST, Math.max(6, ...found.map(([, need]) => 2.2 * need.drives)));
  return {
    sentence: safe.length
      ? `${good.join(" and ")} ${good.length > 1 ? "need" : "needs"} the fewest drives that survive a loss: ${least}. `
        + `${safe.filter(([, need]) => need.drives !== least).map(([level, need]) => `${level.name} needs ${need.drives}`).join(", ")}`
        + `${safe.some(([, need]) => need.drives !== least) ? "." : "All of them need as many."}`
      : `No level that survives a loss carries this on ${MOST} drives or fewer; faster drives are called for.`,
    values,
    figures: [],
    chart: {
      x: { label: "small operations of all users [1/s]", min: 0, max: most },
      y: { label: "drives needed", min: 0, max: Math.ceil(top) },
      lines: lines.map((line) => ({ ...line, points: line.points.filter(([, n]) => n <= top) })),
      marks: found.map(([, need]) => ({ x: s.load, y: need.drives })),
    },
    extra: table(found),
  };
}

function table(found) {
  const box = make("div", { class: "dial-table" }), all = make("table"), head = make("tr"), top = make("thead"), body = make("tbody");
  for (const text of ["level", "drives", "for the space alone", "drives busy"]) head.append(make("th", { scope: "col" }, text));
  for (const [level, need] of found) {
    const row = make("tr");
    row.append(make("th", { scope: "row" }, level.name));
    for (const text of [short(need.drives), short(need.space), percent(need.busy)]) row.append(make("td", {}, text));
    body.append(row);
  }
  top.append(head);
  all.append(top, body);
  box.append(all);
  return box;
}

export const python = (s) => `from qmodel.devices.raid import LEVELS
from qmodel.devices.raid_failure import degraded_operations

reads, writes = ${s.load} * (1 - ${s.writes} / 100), ${s.load} * ${s.writes} / 100
failed = ${s.state === "failed" ? "True" : "False"}
for name in ("raid0", "raid10", "raid5", "raid6"):
    level = LEVELS[name]
    if failed and not level.tolerates_failure:
        continue
    for drives in range(level.least_drives, ${MOST + 1}):
        if level.why_not(drives) or level.data_drives(drives) * ${s.size} < ${s.data}:
            continue
        each = degraded_operations(level, drives, reads, writes) if failed else level.operations(drives, reads, writes)
        if each[0] * ${s.time} / 1000 <= ${s.busy} / 100:
            print(f"{name}: {drives} drives, {each[0] * ${s.time} / 1000:.0%} busy")
            break
    else:
        print(f"{name}: more than ${MOST} drives")
`;
