// Memory of the GroupWise agents by users and threads, beside what was measured in 1997.

import { above } from "./chart.mjs";
import { dial, short } from "./kit.mjs";

// Bytes for the agent, a thread and a connection: the rule of thumb as printed.
const AGENT = 8e6, THREAD = 2e6, CONNECTION = 50e3;
const MEASURED = [[100, 42, 250], [250, 104, 500], [500, 116, 1000], [1000, 137, 2500]]; // users from, MB, users up to

const need = (users, threads) => (AGENT + THREAD * threads + CONNECTION * users) / 1e6;

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users connected", min: 10, max: 5000, step: 1, log: true },
      { key: "threads", label: "Threads of the agent", min: 1, max: 100, step: 1 },
    ],
    answer,
    python,
  }),
};

export function answer({ users, threads }) {
  const memory = need(users, threads);
  const most = Math.max(2600, 1.1 * users);
  const misses = MEASURED.map(([n, mb]) => Math.abs(need(n, threads) / mb - 1));
  const met = misses.filter((miss) => miss < 0.05).length;
  return {
    sentence: `${users} users on ${threads} threads take ${short(memory)} MB beside the operating system; `
      + `with so many threads the rule meets ${met || "none"} of the four measured rows within 5 %.`,
    values: { memory, met },
    figures: [
      ["Threads and agent", `${short(need(0, threads))} MB`],
      ["Connections", `${short((CONNECTION * users) / 1e6)} MB`],
      ["Worst miss of a row", `${Math.round(100 * Math.max(...misses))} %`],
    ],
    chart: {
      x: { label: "users connected", min: 0, max: most },
      y: { label: "memory [MB]", min: 0, max: above(Math.max(150, need(most, threads))) },
      lines: [
        { name: `rule with ${threads} threads`, points: [[0, need(0, threads)], [most, need(most, threads)]] },
      ],
      measured: {
        name: "measured; bars: users that the row is recommended for",
        points: MEASURED.map(([x, y, right]) => ({ x, y, left: x, right })),
      },
      marks: [{ x: users, y: memory }],
    },
  };
}

export const python = ({ users, threads }) => `from qmodel.devices.memory_need import MemoryRule

rule = MemoryRule("GroupWise 5.2 agents", (("server", 8e6), ("thread", 2e6), ("connection", 50e3)))
print(rule.need({"thread": ${threads}, "connection": ${users}}) / 1e6, "MB")
`;
