// A small configuration: its response time, what limits the server, and what to buy next.

import { above } from "./chart.mjs";
import { dial, make, percent, seconds } from "./kit.mjs";
import { servers, solve, throughputs } from "./solver.mjs";

const BLOCK = 8192, MOST = 3000;
// Data sheets as in the library's catalogue; a solid-state drive sustains so many `writes` of 4 KiB.
const DRIVES = {
  "SATA 7200 rpm": { short: "7,200 rpm", seek: 0.0082, turn: 60 / 7200, rate: 150e6 },
  "SAS 15000 rpm": { short: "15,000 rpm", seek: 0.0033, turn: 60 / 15000, rate: 120e6 },
  "SATA SSD": { short: "SATA SSD", read: 150e-6, write: 60e-6, rate: 500e6, units: 11, writes: 36e3 },
  "NVMe SSD": { short: "NVMe SSD", read: 112e-6, write: 25e-6, rate: 2.8e9, units: 50, writes: 150e3 },
};
const LEVELS = {
  raid0: { name: "RAID 0", writes: 1, stored: 1, least: 1 },
  mirrors: { name: "Mirrors", writes: 2, stored: 2, least: 2 },
  raid5: { name: "RAID 5", writes: 4, stored: 2, least: 3 },
  raid6: { name: "RAID 6", writes: 6, stored: 3, least: 4 },
};
const NETWORKS = [["100 Mb Ethernet, switched", 100e6], ["1 Gb Ethernet", 1e9], ["10 Gb Ethernet", 10e9], ["25 Gb Ethernet", 25e9]];
const RESOURCES = { cpu: "processor", disk: "busiest drive", lan: "LAN" };

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 1, max: 2000, step: 1, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.5, max: 120, step: 0.1, log: true },
      { key: "target", label: "Promised response time", unit: "ms", min: 10, max: 10000, step: 1, log: true },
      { key: "cores", label: "Processor cores", min: 1, max: 32, step: 1 },
      { key: "speed", label: "Speed of a core", unit: "", min: 0.25, max: 4, step: 0.01, log: true },
      { key: "cpu", label: "Processor, an interaction", unit: "ms", min: 0.1, max: 2000, step: 0.1, log: true },
      { key: "drive", label: "Drives are", choices: Object.entries(DRIVES).map(([key, d]) => [key, d.short]) },
      { key: "level", label: "RAID level", choices: Object.entries(LEVELS).map(([key, l]) => [key, l.name]) },
      { key: "drives", label: "Number of drives", min: 2, max: 12, step: 1 },
      { key: "disk", label: "Disk, an interaction", unit: "KB", min: 1, max: 5000, step: 1, log: true },
      { key: "writes", label: "Share of writes", unit: "%", min: 0, max: 100, step: 1 },
      { key: "network", label: "Network", choices: NETWORKS.map(([name]) => [name, name.replace(" Ethernet", "").replace(", switched", "")]) },
      { key: "lan", label: "LAN, an interaction", unit: "KB", min: 1, max: 5000, step: 1, log: true },
    ],
    answer,
    python,
  }),
};

/** The server as a closed network: processor, each drive, the LAN in both directions. */
export function network(s, population) {
  const drive = DRIVES[s.drive], share = s.writes / 100;
  const logical = (s.disk * 1e3) / BLOCK;
  const level = LEVELS[s.level], every = 1 - share + level.writes * share;
  const [time, atOnce] = operation(drive, (level.stored * share) / every);
  const disk = ((logical * every) / s.drives) * time;
  const wire = (s.lan * 1e3 * 8) / NETWORKS.find(([name]) => name === s.network)[1];
  return {
    population,
    delay: s.think,
    demands: [s.cpu / 1000 / s.speed, ...Array(s.drives).fill(disk), wire * 0.5, wire * 0.5],
    rates: [servers(s.cores), ...Array(s.drives).fill(servers(atOnce)), null, null],
  };
}

/** Time of one block at a random place, and how many a drive works on at once; a share writes. */
function operation(drive, share) {
  if (!drive.units) return [drive.seek + drive.turn / 2 + BLOCK / drive.rate, 1];
  const stored = (drive.units * BLOCK) / 4096 / drive.writes;
  const most = Math.min(drive.units / ((1 - share) * drive.read + share * stored), drive.rate / BLOCK);
  const alone = (1 - share) * drive.read + share * drive.write + (BLOCK - 4096) / drive.rate;
  const atOnce = Math.max(1, Math.round(most * alone));
  return [atOnce / most, atOnce];
}

/** Throughput, response time and utilizations with some users. */
function solved(s, users = s.users) {
  const model = network(s, users);
  const [x, ...residence] = solve(model);
  let response = 0;
  for (const time of residence) response += time;
  const busy = (k) => Math.min((x * model.demands[k]) / (model.rates[k]?.length ?? 1), 1);
  return { x, response, busy: { cpu: busy(0), disk: busy(1), lan: busy(s.drives + 1) } };
}

/** What can be bought: [key, in words, the configuration then]. */
function upgrades(s) {
  const found = [
    ["cores", "twice the cores", { ...s, cores: 2 * s.cores }],
    ["speed", "cores 1.5 times as fast", { ...s, speed: 1.5 * s.speed }],
    ["drives", "twice the drives", { ...s, drives: 2 * s.drives }],
  ];
  if (LEVELS[s.level].writes > 2) found.push(["level", "mirrors", { ...s, level: "mirrors" }]);
  if (!DRIVES[s.drive].units) found.push(["drive", "solid-state drives", { ...s, drive: "SATA SSD" }]);
  const [next] = NETWORKS[NETWORKS.findIndex(([name]) => name === s.network) + 1] ?? [];
  if (next) found.push(["network", `${next.split(" Ether")[0]} network`, { ...s, network: next }]);
  return found;
}

/** Throughput with 1, 2 ... users; where the convolution for many says nothing of few, one for fewer. */
function curve(s, most) {
  const rates = throughputs(network(s, most));
  for (let missing = rates.findLastIndex(Number.isNaN) + 1; missing > 0;) {
    const fewer = throughputs(network(s, missing));
    for (let i = 0; i < missing; i++) rates[i] = fewer[i];
    const left = fewer.findLastIndex(Number.isNaN) + 1;
    missing = left < missing ? left : 0;
  }
  return rates;
}

/** Response time with 1, 2 ... users, and the most users that wait no longer than promised. */
function load(s) {
  const target = s.target / 1000, first = network(s, 1);
  const slowest = Math.max(...first.demands.map((d, k) => d / (first.rates[k]?.length ?? 1)));
  const bound = Math.min(MOST, Math.max(Math.floor((target + s.think) / slowest) + 1, Math.ceil(1.5 * s.users)));
  const rates = curve(s, bound);
  const time = (n) => (n <= bound ? n / rates[n - 1] - s.think : solved(s, n).response);
  const keeps = (n) => solved(s, n).response <= target;
  let low = 0, high = bound + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (time(middle) <= target) low = middle;
    else high = middle;
  }
  // The curve is one convolution; where rounding could decide, the library's own solution does.
  const near = (n) => n > 0 && n <= MOST && Math.abs(time(n) / target - 1) < 1e-9;
  while (near(low) && !keeps(low)) low -= 1;
  while (near(low + 1) && keeps(low + 1)) low += 1;
  return { within: low, time, bound };
}

export function answer(s) {
  const level = LEVELS[s.level];
  if (s.drives < level.least) throw new RangeError(`${level.name} needs at least ${level.least} drives`);
  const now = solved(s), mine = load(s), options = upgrades(s);
  const values = { response_time: now.response, throughput: now.x, ...now.busy, within: mine.within };
  for (const [key, , changed] of options) values[key] = solved(changed).response;
  const [best, words, bought] = options.reduce((a, b) => (values[b[0]] < values[a[0]] ? b : a));
  const then = load(bought);
  const bottleneck = Object.keys(RESOURCES).reduce((a, b) => (now.busy[b] > now.busy[a] ? b : a));
  const good = now.response <= s.target / 1000;
  const most = Math.min(mine.bound, Math.max(10, Math.ceil(1.25 * s.users), Math.ceil(1.15 * mine.within)));
  const top = above(Math.max(2 * s.target / 1000, 1.3 * now.response));
  const points = (time) => grid(most).map((n) => [n, time(n)]).filter(([, y]) => y <= top);
  return {
    sentence: `With ${s.users} users the response time is ${seconds(now.response)}, ${good ? "as promised" : "longer than promised"}; `
      + `the ${RESOURCES[bottleneck]} is the bottleneck, ${percent(now.busy[bottleneck])} busy. Best next: ${words}, `
      + `which makes it ${seconds(values[best])}.`,
    values,
    figures: [
      ["Processor", percent(now.busy.cpu)],
      ["Each drive", percent(now.busy.disk)],
      ["LAN", percent(now.busy.lan)],
      ["Users within the promise", upTo(mine.within)],
      ["With the best upgrade", upTo(then.within)],
    ],
    chart: {
      x: { label: "users", min: 0, max: most },
      y: { label: "response time [s]", min: 0, max: top },
      lines: [{ name: "as it is", points: points(mine.time) }, { name: words, points: points(then.time) }],
      levels: [{ y: s.target / 1000, label: "promised" }],
      marks: [{ x: s.users, y: now.response }],
    },
    extra: table(options.map(([key, name]) => [name, values[key]]).sort((a, b) => a[1] - b[1]), now.response),
  };
}

const upTo = (n) => (n < MOST ? String(n) : `${MOST} and more`);
const grid = (most) => [...new Set(Array.from({ length: 49 }, (_, i) => Math.max(1, Math.round((i * most) / 48))))];

const signed = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)} %`;

function table(rows, now) {
  const box = make("div", { class: "dial-table" }), all = make("table"), head = make("tr"), body = make("tbody");
  for (const text of ["upgrade", "response time", "change"]) head.append(make("th", { scope: "col" }, text));
  for (const [name, time] of rows) {
    const row = make("tr");
    row.append(make("th", { scope: "row" }, name), make("td", {}, seconds(time)), make("td", {}, signed(time / now - 1)));
    body.append(row);
  }
  const top = make("thead");
  top.append(head);
  all.append(top, body);
  box.append(all);
  return box;
}

const raid = (s) => (s.level !== "mirrors" ? s.level : s.drives % 2 ? "raid1e" : s.drives === 2 ? "raid1" : "raid10");

/** The upgrades as the library's command line writes them. */
function settings(s) {
  const set = {
    cores: (c) => [`server.cores=${c.cores}`],
    speed: (c) => [`server.cpu_speed=${Number.isInteger(c.speed) ? c.speed.toFixed(1) : c.speed}`],
    drives: (c) => [`disk.drives=${c.drives}`, `disk.raid=${raid(c)}`],
    level: (c) => [`disk.raid=${raid(c)}`],
    drive: (c) => [`disk.drive=${c.drive}`],
    network: (c) => [`lan.network=${c.network}`],
  };
  return upgrades(s).map(([key, name, changed]) => `    "${name}": ${JSON.stringify(set[key](changed))},`).join("\n");
}

export const python = (s) => `import advisor
from advisor.configuration.parts import configure
from qmodel.documents.document import parse_document

document = parse_document(path="server.toml", text="""
schema = 1
[server]
cpu_speed = ${s.speed}
cores = ${s.cores}
[disk]
drive = "${s.drive}"
raid = "${raid(s)}"
drives = ${s.drives}
stripe = "64 KB"
block = "8 KB"
[lan]
network = "${s.network}"
[workload]
users = ${s.users}
think_time = "${s.think} s"
[[workload.class]]
name = "users"
cpu = "${s.cpu} ms"
disk_kb = ${s.disk}
lan_kb = ${s.lan}
write_share = "${s.writes} %"
[targets]
response_time = "${s.target} ms"
""")
server = configure(document.data, document)
found = advisor.whatif(server, {
${settings(s)}
})
print(f"as it is: {found.before.classes[0].response_time.mid:.4g} s, bottleneck {found.before.bottleneck}")
for each in found.alternatives:
    print(f"{each.title}: {each.outlook.classes[0].response_time.mid:.4g} s")
`;
