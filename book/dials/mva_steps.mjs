// The recursion of mean value analysis, one user at a time.

import { dial, make, seconds, short } from "./kit.mjs";

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 1, max: 12, step: 1 },
      { key: "think", label: "Think time", unit: "s", min: 0, max: 5, step: 0.1 },
      { key: "cpu", label: "Processor demand", unit: "ms", min: 10, max: 1000, step: 10 },
      { key: "disk", label: "Disk demand", unit: "ms", min: 10, max: 1000, step: 10 },
    ],
    answer,
    python,
  }),
};

export function answer(s) {
  const demands = [s.cpu / 1000, s.disk / 1000];
  const rows = [];
  let queue = [0, 0], throughput = 0, residence = [0, 0];
  for (let n = 1; n <= s.users; n++) {
    const seen = queue;
    residence = demands.map((d, k) => d * (1 + seen[k]));
    throughput = n / (s.think + residence[0] + residence[1]);
    queue = residence.map((r) => throughput * r);
    rows.push([n, ...seen, ...residence, throughput, ...queue].map(short));
  }
  return {
    sentence: `The last of ${s.users} users to come finds ${rows.at(-1)[1]} customers at the processor and `
      + `${rows.at(-1)[2]} at the disk, and gets an answer in ${seconds(residence[0] + residence[1])}.`,
    values: { throughput, cpu: residence[0], disk: residence[1], at_cpu: queue[0], at_disk: queue[1] },
    extra: table(rows),
  };
}

const HEADS = ["users", "sees at cpu", "sees at disk", "time at cpu [s]", "time at disk [s]", "throughput [1/s]",
  "queue at cpu", "queue at disk"];

function table(rows) {
  const box = make("div", { class: "dial-table", tabindex: "0", role: "region", "aria-label": "Steps of the recursion" });
  const found = make("table");
  const head = make("tr");
  for (const name of HEADS) head.append(make("th", { scope: "col" }, name));
  found.append(make("thead"), make("tbody"));
  found.tHead.append(head);
  for (const row of rows) {
    const line = make("tr");
    row.forEach((value, i) => line.append(make(i ? "td" : "th", i ? {} : { scope: "row" }, value)));
    found.tBodies[0].append(line);
  }
  box.append(found);
  return box;
}

export const python = (s) => `demands = {"cpu": ${s.cpu} / 1000, "disk": ${s.disk} / 1000}
queue = dict.fromkeys(demands, 0.0)
for users in range(1, ${s.users} + 1):
    residence = {k: d * (1 + queue[k]) for k, d in demands.items()}
    throughput = users / (${s.think} + sum(residence.values()))
    queue = {k: throughput * r for k, r in residence.items()}
    print(users, f"{throughput:.4g} /s", {k: round(q, 3) for k, q in queue.items()})
`;
