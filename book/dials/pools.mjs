// Threads that hold connections that hold cores: where the queue stands.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";

/** Pools at the end of the axis. */
const FARTHEST = 40;
const plural = (n, word) => `${short(n)} ${word}${n === 1 ? "" : "s"}`;

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users", min: 1, max: 400, step: 1, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.1, max: 30, step: 0.1, log: true },
      { key: "threads", label: "Threads", min: 1, max: 64, step: 1, log: true },
      { key: "connections", label: "Connections", min: 1, max: 40, step: 1 },
      { key: "app", label: "Work of a page", unit: "ms", min: 1, max: 500, step: 1, log: true },
      { key: "app_cores", label: "Cores of the web server", min: 1, max: 16, step: 1 },
      { key: "db", label: "Work in the database", unit: "ms", min: 1, max: 500, step: 1, log: true },
      { key: "db_cores", label: "Cores of the database", min: 1, max: 16, step: 1 },
    ],
    answer,
    python,
    predict: { question: "Response time in seconds?", unit: "s", of: (v) => v.response },
  }),
};

/** Throughput, and the time of a page in each place. */
export function solve({ users, think, threads, connections, app, app_cores: a, db, db_cores: b }) {
  const most = Math.min(users, threads), served = Math.min(connections, b);
  const weights = (work, servers) => {
    const found = [1];
    for (let n = 1; n <= most; n++) found.push(found[n - 1] * (work / 1000) / Math.min(n, servers));
    return found;
  };
  const web = weights(app, a), base = weights(db, served);
  const rate = [0], inside = [[0, 0, 0, 0, 0]];
  let before = 1;
  for (let n = 1; n <= most; n++) {
    let whole = 0;
    const here = [0, 0, 0, 0, 0];
    for (let j = 0; j <= n; j++) {
      const p = web[n - j] * base[j];
      whole += p;
      here[0] += p * Math.max(0, n - j - a);
      here[1] += p * Math.min(n - j, a);
      here[2] += p * Math.max(0, j - connections);
      here[3] += p * Math.max(0, Math.min(j, connections) - served);
      here[4] += p * Math.min(j, served);
    }
    rate.push(before / whole);
    inside.push(here.map((x) => x / whole));
    before = whole;
  }
  let p = 1, total = 1, thinking = users, waiting = 0;
  const busy = [0, 0, 0, 0, 0];
  for (let n = 1; n <= users; n++) {
    const at = Math.min(n, most);
    p *= (users - n + 1) / think / rate[at];
    total += p;
    thinking += p * (users - n);
    waiting += p * (n - at);
    inside[at].forEach((x, i) => { busy[i] += p * x; });
    if (p > 1e200) {
      [total, thinking, waiting] = [total / p, thinking / p, waiting / p];
      busy.forEach((x, i) => { busy[i] = x / p; });
      p = 1;
    }
  }
  const x = thinking / total / think;
  return [x, waiting / total / x, ...busy.map((n) => n / total / x)];
}

export function answer(s) {
  const [x, thread, appWait, appWork, connection, dbWait, dbWork] = solve(s);
  const response = s.users / x - s.think;
  const places = [["a thread", thread], ["a core of the web server", appWait], ["a connection", connection],
    ["a core of the database", dbWait]];
  const [place, wait] = places.reduce((most, each) => (each[1] > most[1] ? each : most));
  const line = [];
  for (let c = 1; c <= FARTHEST; c++) line.push([c, s.users / solve({ ...s, connections: c })[0] - s.think]);
  return {
    sentence: `${plural(s.users, "user")}: a page takes ${seconds(response)}; `
      + (wait > 0.05 * response ? `${seconds(wait)} of it are spent waiting for ${place}.`
        : "there is hardly a queue anywhere."),
    values: { response, throughput: x, thread, connection },
    figures: [
      ["Waits for a thread", seconds(thread)],
      ["Web server: waits, works", `${seconds(appWait)}, ${seconds(appWork)}`],
      ["Waits for a connection", seconds(connection)],
      ["Database: waits, works", `${seconds(dbWait)}, ${seconds(dbWork)}`],
      ["Threads in use", percent(x * (response - thread) / s.threads)],
      ["Connections in use", percent(x * (dbWait + dbWork) / s.connections)],
      ["Cores of the web server busy", percent(x * s.app / 1000 / s.app_cores)],
      ["Cores of the database busy", percent(x * s.db / 1000 / s.db_cores)],
    ],
    chart: {
      x: { label: "connections", min: 0, max: FARTHEST },
      y: { label: "response time [s]", min: 0, max: above(Math.max(...line.map(([, y]) => y))) },
      lines: [{ name: plural(s.threads, "thread"), points: line }],
      marks: [{ x: s.connections, y: response }],
    },
  };
}

export const python = (s) => `from qmodel import Entry, Layered, Processor, Service, Users, solve_layers

model = Layered(
    [Users("users", ${s.users}, ${s.think}, {"page": 1})],
    [Service("web", [Entry("page", ${s.app} / 1000, {"query": 1})], ${s.threads}, "web cores"),
     Service("connections", [Entry("query", ${s.db} / 1000)], ${s.connections}, "database")],
    [Processor("web cores", ${s.app_cores}), Processor("database", ${s.db_cores})])
print(solve_layers(model))
`;
