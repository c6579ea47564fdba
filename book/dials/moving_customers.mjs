// The hockey stick with one slider, and beside it the customers that make it, one dot each.

import { above } from "./chart.mjs";
import { dial, make, percent, seconds, short } from "./kit.mjs";
import { solve, throughputs } from "./solver.mjs";

const THINK = 5, DEMANDS = [0.080, 0.050], MOST = 130;
const network = (population) => ({ population, delay: THINK, demands: DEMANDS, rates: [null, null] });
const RATES = throughputs(network(MOST));
const CURVE = RATES.map((rate, i) => [i + 1, (i + 1) / rate - THINK]);
const KNEE = (DEMANDS[0] + DEMANDS[1] + THINK) / DEMANDS[0];

export default {
  render: ({ model, el }) => {
    const crowd = new Crowd();
    dial({ model, el }, {
      controls: [{ key: "users", label: "Users", min: 1, max: MOST, step: 1 }],
      answer: (s) => ({ ...answer(s), extra: crowd.with(s.users) }),
      python,
    });
  },
};

export function answer({ users }) {
  const [x, cpu, disk] = solve(network(users));
  const response = cpu + disk;
  return {
    sentence: `With ${users} users the response time is ${seconds(response)}, `
      + `${short(response / (DEMANDS[0] + DEMANDS[1]))} times that of one user alone.`,
    values: { throughput: x, response_time: response },
    figures: [
      ["Throughput", `${short(x)} /s`],
      ["Processor busy", percent(x * DEMANDS[0])],
      ["In the server", short(x * response)],
      ["Thinking", short(x * THINK)],
    ],
    chart: {
      flat: 210,
      x: { label: "users", min: 0, max: MOST },
      y: { label: "response time [s]", min: 0, max: above(CURVE.at(-1)[1]) },
      lines: [{ name: "response time", points: CURVE }],
      walls: [{ x: KNEE, label: "knee" }],
      marks: [{ x: users, y: response }],
    },
  };
}

/** Customers that think, queue for the processor, queue for the disk, and think again. */
class Crowd {
  constructor() {
    this.dots = [];
    this.queues = [[], []];
    this.box = make("div", { class: "crowd" });
    this.field = make("div", { class: "crowd-field", "aria-hidden": "true" });
    for (const [place, words] of [["think", "thinking"], ["cpu", "processor"], ["disk", "disk"]]) {
      this.field.append(make("span", { class: `crowd-place crowd-${place}` }, words));
    }
    this.button = make("button", { type: "button", class: "dial-button" }, "Stop the dots");
    this.button.addEventListener("click", () => this.turn(!this.moves));
    this.box.append(this.field, this.button);
    this.turn(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  with(users) {
    while (this.dots.length > users) this.leave(this.dots.pop());
    while (this.dots.length < users) this.enter();
    return this.box;
  }

  enter() {
    const dot = { at: -1, left: exponential(THINK), element: make("i", { class: "crowd-dot" }) };
    dot.x = 4 + 26 * Math.random();
    dot.y = 22 + 70 * Math.random();
    this.dots.push(dot);
    this.field.append(dot.element);
    place(dot, dot.x, dot.y);
  }

  leave(dot) {
    dot.element.remove();
    for (const queue of this.queues) if (queue.includes(dot)) queue.splice(queue.indexOf(dot), 1);
  }

  turn(moves) {
    this.moves = moves;
    this.button.textContent = moves ? "Stop the dots" : "Let the dots move";
    if (moves) requestAnimationFrame((now) => this.step(now, now));
  }

  step(now, before) {
    if (!this.moves) return;
    this.pass(Math.min(0.1, (now - before) / 1000));
    requestAnimationFrame((next) => this.step(next, now));
  }

  /** So much time passes: thinkers come to the processor, and the first of each queue is served. */
  pass(time) {
    for (const dot of this.dots) {
      if (dot.at >= 0) continue;
      dot.left -= time;
      if (dot.left <= 0) this.join(dot, 0);
    }
    this.queues.forEach((queue, k) => {
      let rest = time;
      while (queue.length && rest > 0) {
        const first = queue[0], used = Math.min(rest, first.left);
        first.left -= used;
        rest -= used;
        if (first.left > 1e-12) break;
        queue.shift();
        if (k === 0) this.join(first, 1);
        else {
          first.at = -1;
          first.left = exponential(THINK);
          place(first, first.x, first.y);
        }
      }
      queue.forEach((dot, i) => place(dot, 42 + Math.min(i, 31) * 1.8, k ? 75 : 33));
    });
  }

  join(dot, k) {
    dot.at = k;
    dot.left = exponential(DEMANDS[k]);
    this.queues[k].push(dot);
  }
}

const exponential = (mean) => -mean * Math.log(1 - Math.random());

function place({ element }, x, y) {
  element.style.left = `${x}%`;
  element.style.top = `${y}%`;
}

export const python = (s) => `import qmodel as qm

users = qm.ClosedClass("users", population=${s.users}, think_time=5.0)
stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk")]
print(qm.solve(qm.Network(stations, [users], [[0.080, 0.050]])))
`;
