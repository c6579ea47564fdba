// Mail users on arrays of so many drives: the square root that was measured in 2000, and the hope.

import { above } from "./chart.mjs";
import { dial, short } from "./kit.mjs";

const ONE = 1130, MOST = 9; // users of one drive, and the largest array of the fit
const MEASURED = [[2, 1600], [4, 2300], [5, 2500], [7, 3000], [9, 3350]]; // printed to 50 users
const HALF = 25;

const carried = (drives) => ONE * Math.sqrt(drives);

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "drives", label: "Drives of an array", min: 2, max: 20, step: 1 },
      { key: "arrays", label: "Arrays", min: 1, max: 5, step: 1 },
    ],
    answer,
    python,
  }),
};

export function answer({ drives, arrays }) {
  const each = Math.round(carried(drives));
  const next = Math.round(carried(drives + 1)) - each;
  const total = drives * arrays;
  const most = Math.max(12, total);
  const top = above(Math.max(4000, 1.1 * arrays * each));
  const grid = Array.from({ length: 61 }, (_, i) => 1 + ((most - 1) * i) / 60);
  const several = arrays > 1
    ? [{ name: `${arrays} arrays, if nothing else fills up`, tone: 3, points: grid.filter((k) => k >= arrays).map((k) => [k, arrays * carried(k / arrays)]) }]
    : [];
  const beyond = arrays > 1 ? " That several arrays carry as much as they should was not measured."
    : drives > MOST ? ` The law was fitted to arrays of 2 to ${MOST} drives.` : "";
  return {
    sentence: `${arrays === 1 ? "One array" : `${arrays} arrays`} of ${drives} drives: ${arrays * each} users by the law, `
      + `${Math.round((arrays * each) / total)} a drive; one more drive in an array adds ${next}.${beyond}`,
    values: { users: arrays * each, next },
    figures: [
      ["Drives", String(total)],
      ["In proportion to two drives", `${short(800 * total)} users`],
      ["The same drives as one array", `${Math.round(carried(total))} users`],
    ],
    chart: {
      x: { label: "drives", min: 0, max: most },
      y: { label: "users at 5 s", min: 0, max: top },
      lines: [
        { name: "one array, square root", points: grid.map((k) => [k, carried(k)]) },
        { name: "as many a drive as with two", points: [[2, 1600], [Math.min(most, top / 800), Math.min(800 * most, top)]] },
        ...several,
      ],
      measured: {
        name: `measured once each; bars: printed in steps of ${2 * HALF} users`,
        points: MEASURED.map(([x, y]) => ({ x, y, low: y - HALF, high: y + HALF })),
      },
      marks: [{ x: total, y: arrays * each }],
    },
  };
}

export const python = ({ drives, arrays }) => `from qmodel.devices.drive_capacity import RAID_1E_MAIL

each, more = (round(RAID_1E_MAIL.capacity(drives)) for drives in (${drives}, ${drives} + 1))
print(${arrays} * each, "users;", more - each, "for one more drive in an array")
print("extrapolated:", RAID_1E_MAIL.extrapolated(${drives}))
`;
