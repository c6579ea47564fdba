// Clients on one Ethernet: what a shared wire loses to collisions and frames to their headers.

import { above } from "./chart.mjs";
import { dial, percent, seconds, short } from "./kit.mjs";
import { solve, throughputs } from "./solver.mjs";

// Bytes: slot, overhead of a frame, least and largest payload, headers of TCP over IPv4.
const SLOT = 64, OVERHEAD = 38, LEAST = 46, PAYLOAD = 1500, HEADER = 40;
/** That one of 1, 2, 3 ... stations gets a slot alone, (1 - 1/q)^(q - 1), as the library prints it. */
const ALONE = [
  1, 0.5, 0.44444444444444453, 0.421875, 0.4096000000000001, 0.401877572016461, 0.3965694566039662,
  0.39269590377807617, 0.3897443431289457, 0.3874204890000001, 0.38554328942953164, 0.38399523056087664,
  0.3826967066770909, 0.3815918725444636, 0.38064039267229743, 0.37981240581524567, 0.37908533191793603,
  0.37844178013552593, 0.37786813899254534, 0.37735360253530725, 0.3768894828730003, 0.3764687154334925,
  0.376085496715603, 0.3757350149066323, 0.3754132467271021, 0.3751168022539645, 0.3748428050028724,
  0.3745887982633919, 0.37435267121760235, 0.3741326001327006, 0.3739270011573599,
];
const MOST = 64;

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "wire", label: "Wire", choices: [["shared", "shared: a hub or a cable"], ["switched", "switched: no collisions"]] },
      { key: "rate", label: "Rate", choices: [["10", "10 Mb/s"], ["100", "100 Mb/s"]] },
      { key: "clients", label: "Clients", min: 1, max: MOST, step: 1 },
      { key: "message", label: "Message", unit: "B", min: 1, max: 65536, step: 1, log: true },
      { key: "pause", label: "Time between messages", unit: "ms", min: 0.01, max: 1000, step: 0.01, log: true },
    ],
    answer,
    python,
  }),
};

/** Frames of a message, and the bytes it occupies on the wire. */
function onTheWire(message) {
  const frames = Math.max(1, Math.ceil(message / (PAYLOAD - HEADER)));
  const last = Math.max(LEAST, message - (frames - 1) * (PAYLOAD - HEADER) + HEADER);
  return { frames, bytes: (frames - 1) * PAYLOAD + last + frames * OVERHEAD };
}

const share = (frame, lost) => frame / (frame + lost * SLOT);
/** Speed with 1, 2, 3 ... at the wire, relative to one alone. */
const contention = (frame) => [...ALONE.map((a) => share(frame, 1 / a - 1)), share(frame, Math.E - 1)];

export function answer(s) {
  const { frames, bytes } = onTheWire(s.message);
  const rates = contention(bytes / frames);
  const demand = (bytes * 8) / (s.rate * 1e6);
  const between = s.pause / 1000;
  const network = (population, shared) => ({
    population, delay: between, demands: [demand], rates: [shared ? rates : null],
  });
  const [throughput, response] = solve(network(s.clients, s.wire === "shared"));
  const megabits = (each) => (each * s.message * 8) / 1e6;
  const line = (shared) => throughputs(network(MOST, shared)).map((x, i) => [i + 1, megabits(x)]);
  const lines = [{ name: "switched", points: line(false) }, { name: "shared", points: line(true) }];
  const lost = 1 - (s.wire === "shared" ? rates[Math.min(s.clients, rates.length) - 1] : 1);
  const carried = megabits(throughput);
  return {
    sentence: `${s.clients} client${s.clients === 1 ? "" : "s"} move ${short(carried)} Mb/s of data on a ${s.wire} wire `
      + `of ${s.rate} Mb/s, and a message takes ${seconds(response)}.`,
    values: { throughput, response_time: response, slowest: rates.at(-1), bytes },
    figures: [
      ["Data carried", `${short(carried)} Mb/s`],
      ["Message", seconds(response)],
      ["Lost to headers", percent(1 - s.message / bytes)],
      ["Lost to collisions, all sending", percent(lost)],
    ],
    chart: {
      x: { label: "clients", min: 0, max: MOST },
      y: { label: "data carried [Mb/s]", min: 0, max: above(lines[0].points.at(-1)[1]) },
      lines,
      marks: [{ x: s.clients, y: carried }],
    },
  };
}

export const python = (s) => `import qmodel as qm
from qmodel.devices.frames import frame_count, wire_bytes
from qmodel.devices.lan import Segment

occupied = wire_bytes(${s.message})
segment = Segment(${s.rate}e6, shared=${s.wire === "shared" ? "True" : "False"}, frame=occupied / frame_count(${s.message}))
network = qm.Network(
    [segment.station("lan")],
    [qm.ClosedClass("clients", ${s.clients}, think_time=${s.pause} / 1000)],
    [[segment.time(occupied)]],
)
print(qm.solve(network))
`;
