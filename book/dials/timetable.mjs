// When the night's work runs: drag a task or step its start, and the day's response time follows.

import { above, frame } from "./chart.mjs";
import { dial, make, seconds, short } from "./kit.mjs";
import { solve } from "./solver.mjs";

// Users are at work in these shares, from each hour on; one core, two mirrored drives, 1 Gb/s.
const PROFILE = { 0: 0.1, 6: 0.2, 7: 0.5, 8: 0.9, 9: 1, 12: 0.7, 13: 1, 17: 0.8, 18: 0.5, 20: 0.3, 22: 0.15 };
const THINK = 5, BLOCK = 8192, DRIVES = 2, RATE = 1e9, OPERATION = 0.0033 + 0.004 / 2 + BLOCK / 120e6;
// Processor [s], disk and LAN [KB], share of writes; a task lasts some hours and starts at `now` today.
const USERS = { cpu: 0.036, disk: 40, lan: 60, writes: 0.3 };
const TASKS = [
  { key: "backup", hours: 5, now: 18, cpu: 0.005, disk: 80, lan: 80, writes: 0 },
  { key: "scan", hours: 4, now: 12, cpu: 0.02, disk: 60, lan: 0, writes: 0 },
  { key: "index", hours: 3, now: 7, cpu: 0.05, disk: 40, lan: 0, writes: 0.5 },
  { key: "reports", hours: 2, now: 8, cpu: 0.08, disk: 20, lan: 0, writes: 0.1 },
];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export default {
  render: ({ model, el }) => {
    const move = (key, start) => { if (model.get(key) !== start) model.set(key, start); };
    dial({ model, el }, {
      controls: [
        ...TASKS.map(({ key, hours }) => ({ key, label: `${name(key)}, ${hours} h, starts at`, unit: "h", min: 0, max: 23, step: 1 })),
        { key: "users", label: "Users at the peak", min: 20, max: 120, step: 20 },
      ],
      answer: (s) => ({ ...answer(s), extra: board(s, el, move) }),
      python,
    });
  },
};

const name = (key) => key.charAt(0).toUpperCase() + key.slice(1);
const clock = (hour) => `${String(hour % 24).padStart(2, "0")}:00`;

/** Demands at the processor, each drive, and the LAN in both directions. */
function demands({ cpu, disk, lan, writes }) {
  const logical = (disk * 1e3) / BLOCK;
  const drive = ((logical * (1 - writes) + 2 * (logical * writes)) / DRIVES) * OPERATION;
  const wire = (lan * 1e3 * 8) / RATE;
  return [cpu, drive, drive, wire * 0.5, wire * 0.5];
}

/**
 * Response time of so many users beside each set of tasks, exact: mean value analysis over all
 * numbers of users and all sets at once. A set is a number, with one bit for each task.
 */
function responses(present) {
  const mine = demands(USERS), theirs = TASKS.map(demands), stations = mine.length, sets = 1 << TASKS.length;
  const most = Math.max(...present), wanted = new Set(present), found = new Map();
  const times = new Float64Array(stations);
  // One more than the queue lengths, at each number of users and set of tasks.
  const crowd = new Float64Array((most + 1) * sets * stations).fill(1);
  for (let n = 0; n <= most; n++) {
    const row = new Float64Array(sets);
    for (let set = 0; set < sets; set++) {
      const here = (n * sets + set) * stations;
      if (n) {
        const x = n / (pass(here - sets * stations, mine) + THINK);
        for (let k = 0; k < stations; k++) {
          crowd[here + k] += times[k] * x;
          row[set] += times[k];
        }
      }
      for (let i = 0; i < theirs.length; i++) {
        if (!(set & (1 << i))) continue;
        const x = 1 / pass(here - (1 << i) * stations, theirs[i]);
        for (let k = 0; k < stations; k++) crowd[here + k] += times[k] * x;
      }
    }
    if (!wanted.has(n)) continue;
    const [, ...alone] = solve({ population: n, delay: THINK, demands: mine, rates: mine.map(() => null) });
    row[0] = alone.reduce((total, time) => total + time, 0);
    found.set(n, row);
  }
  return found;

  function pass(seen, demand) {
    let cycle = 0;
    for (let k = 0; k < stations; k++) cycle += times[k] = crowd[seen + k] * demand[k];
    return cycle;
  }
}

const covers = (task, start, hour) => (hour - start + 24) % 24 < task.hours;

/** The tasks that run in each hour, as sets. */
const sets = (starts) => HOURS.map((hour) =>
  TASKS.reduce((set, task, i) => set + (covers(task, starts[i], hour) ? 1 << i : 0), 0));

/** A day's response times for the users of each hour, and the best timetable there is. */
const days = new Map();
function day(users) {
  if (!days.has(users)) {
    let share = PROFILE[22];
    const present = HOURS.map((hour) => Math.max(1, Math.floor((share = PROFILE[hour] ?? share) * users + 0.5)));
    const found = responses(present), table = present.map((n) => found.get(n));
    days.set(users, { table, best: best(table) });
  }
  return days.get(users);
}

/** The starts whose worst hour is the least, and of those that whose later ones are: one task after another. */
function best(table) {
  const order = TASKS.map((_, i) => i).sort((a, b) => TASKS[b].hours - TASKS[a].hours);
  const least = Math.max(...table.map((row) => row[0]));
  let worst = Infinity, chosen = null;
  place(0, [], HOURS.map(() => 0), least);
  return { worst, starts: chosen };

  function place(depth, starts, running, level) {
    if (level >= worst) return;
    if (depth === order.length) {
      worst = level;
      chosen = [...starts];
      return;
    }
    const i = order[depth], hours = TASKS[i].hours;
    for (let step = 0; step < 24 && worst > least; step++) {
      const start = (step + 20) % 24;
      let high = level;
      for (let h = 0; h < hours; h++) {
        const hour = (start + h) % 24;
        high = Math.max(high, table[hour][running[hour] += 1 << i]);
      }
      starts[i] = start;
      place(depth + 1, starts, running, high);
      for (let h = 0; h < hours; h++) running[(start + h) % 24] -= 1 << i;
    }
  }
}

const worstOf = (times) => times.reduce((a, b, hour) => (b > times[a] ? hour : a), 0);

export function answer(s) {
  const { table, best: ideal } = day(s.users);
  const at = (starts) => sets(starts).map((set, hour) => table[hour][set]);
  const alone = table.map((row) => row[0]);
  const today = at(TASKS.map((task) => task.now)), mine = at(TASKS.map((task) => s[task.key]));
  const [late, early] = [worstOf(mine), worstOf(today)];
  const values = { worst: mine[late], today: today[early], best: ideal.worst, alone: alone[worstOf(alone)] };
  HOURS.forEach((hour) => { values[`at ${hour}`] = mine[hour]; });
  const perfect = mine[late] === ideal.worst;
  const steps = (times) => HOURS.flatMap((hour) => [[hour, 1000 * times[hour]], [hour + 1, 1000 * times[hour]]]);
  const top = above(1000 * Math.max(...today, ...mine));
  return {
    sentence: `At the worst hour, ${clock(late)}, the response time is ${seconds(mine[late])}; as it runs today it is ${seconds(today[early])} at ${clock(early)}. `
      + (perfect ? "No timetable is better." : `The best timetable would make it ${seconds(ideal.worst)}.`),
    values,
    figures: [
      ["Worst hour", seconds(mine[late])],
      ["Today", seconds(today[early])],
      ["Best of all timetables", seconds(ideal.worst)],
      ["Slower than users alone", `+${short(100 * (mine[late] / alone[late] - 1))} %`],
    ],
    chart: {
      x: { label: "hour of the day", min: 0, max: 24, at: [0, 4, 8, 12, 16, 20, 24] },
      y: { label: "response time [ms]", min: 0, max: top },
      lines: [
        { name: "as it runs today", points: steps(today), tone: 1 },
        { name: "as set here", points: steps(mine), tone: 0 },
        { name: "users alone", points: steps(alone), tone: 3 },
      ],
      marks: [{ x: late + 0.5, y: 1000 * mine[late] }],
    },
  };
}

/** The tasks as bars on the day, as wide as the chart; a bar can be dragged. */
function board(s, el, move) {
  const box = make("div");
  const { width, left, right } = frame();
  const svg = draw("svg", { viewBox: `0 0 ${width} 196`, class: "chart day-board", role: "img", "aria-label":
    `Timetable: ${TASKS.map((t) => `${t.key} ${clock(s[t.key])} to ${clock(s[t.key] + t.hours)}`).join(", ")}` });
  const across = (hour) => left + (hour / 24) * (width - left - right);
  for (let hour = 0; hour <= 24; hour += 4) svg.append(draw("line", { x1: across(hour), x2: across(hour), y1: 4, y2: 192, class: "grid" }));
  TASKS.forEach((task, row) => {
    const y = 6 + 47 * row;
    const label = draw("text", { x: 1, y: y + 25, class: "tick" });
    label.textContent = task.key;
    svg.append(label);
    for (const [from, to] of pieces(task.now, task.hours)) {
      svg.append(draw("rect", { x: across(from), y, width: across(to) - across(from), height: 40, class: "day-today" }));
    }
    for (const [from, to] of pieces(s[task.key], task.hours)) {
      const bar = draw("rect", { x: across(from), y: y + 4, width: across(to) - across(from), height: 32, rx: 4, class: "day-task" });
      bar.addEventListener("pointerdown", (event) => drag(event, task, s[task.key], el, move));
      svg.append(bar);
    }
  });
  const button = make("button", { type: "button", class: "dial-button" }, "Show a best timetable");
  button.addEventListener("click", () => {
    day(s.users).best.starts.forEach((start, i) => move(TASKS[i].key, start));
    el.querySelector(".day-best")?.focus();
  });
  button.classList.add("day-best");
  box.append(svg, button);
  return box;
}

const pieces = (start, hours) => (start + hours <= 24 ? [[start, start + hours]] : [[start, 24], [0, start + hours - 24]]);

function drag(event, task, start, el, move) {
  event.preventDefault();
  const hourAt = (x) => {
    const box = el.querySelector(".day-board").getBoundingClientRect(), { width, left, right } = frame();
    return ((((x - box.left) / box.width) * width - left) / (width - left - right)) * 24;
  };
  const grabbed = hourAt(event.clientX) - start;
  const follow = (moved) => move(task.key, (((Math.round(hourAt(moved.clientX) - grabbed) % 24) + 24) % 24));
  const drop = () => {
    document.removeEventListener("pointermove", follow);
    document.removeEventListener("pointerup", drop);
    document.removeEventListener("pointercancel", drop);
  };
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
}

function draw(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const batch = (task, start) => `
[[batch]]
name = "${task.key}"
cpu = "${task.cpu} s"
disk_kb = ${task.disk}
lan_kb = ${task.lan}
write_share = ${task.writes ? `"${100 * task.writes} %"` : '"0 %"'}
duration = "${task.hours} h"
start = "${clock(start)}"
`;

export const python = (s) => `import advisor
from advisor.configuration.parts import configure
from advisor.configuration.hours import clock
from qmodel.documents.document import parse_document

document = parse_document(path="server.toml", text="""
schema = 1
[server]
cpu_speed = 1.0
[disk]
drive = "SAS 15000 rpm"
raid = "raid1"
drives = ${DRIVES}
stripe = "64 KB"
block = "8 KB"
[lan]
network = "1 Gb Ethernet"
[workload]
users = ${s.users}
think_time = "${THINK} s"
[workload.profile]
${Object.entries(PROFILE).map(([hour, share]) => `"${clock(Number(hour))}" = "${Math.round(100 * share)} %"`).join("\n")}
[[workload.class]]
name = "users"
cpu = "${USERS.cpu} s"
disk_kb = ${USERS.disk}
lan_kb = ${USERS.lan}
write_share = "${100 * USERS.writes} %"
${TASKS.map((task) => batch(task, s[task.key])).join("")}""")
found = advisor.schedule(configure(document.data, document), slot=60, any_time=True)
for worst, time, what in (
    (found.worst_before, found.worst_before.time_before, "as set"),
    (found.worst_after, found.worst_after.time_after, "best"),
):
    print(f"{what}: {time.mid:.4g} s at {clock(worst.start)}")
for each in found.placements:
    print(f"{each.name} at {clock(each.start)}")
`;
