// What a monitor says about a server, by the operational laws alone.

import { dial, percent, seconds, short } from "./kit.mjs";

export default {
  render: ({ model, el }) => dial({ model, el }, {
    controls: [
      { key: "users", label: "Users at work", min: 1, max: 5000, step: 1, log: true },
      { key: "throughput", label: "Throughput", unit: "/s", min: 0.01, max: 1000, step: 0.01, log: true },
      { key: "think", label: "Think time", unit: "s", min: 0.1, max: 600, step: 0.1, log: true },
      { key: "busy", label: "Processor busy", unit: "%", min: 0.1, max: 100, step: 0.1 },
      { key: "cores", label: "Cores", min: 1, max: 64, step: 1 },
    ],
    answer,
    python,
  }),
};

export function answer(s) {
  const demand = (s.busy / 100) * s.cores / s.throughput;
  const response = s.users / s.throughput - s.think;
  const most = s.cores / demand;
  const values = { demand, response_time: response, most };
  const figures = [
    ["Processor demand", seconds(demand)],
    ["Most the processor can do", `${short(most)} /s`],
    ["Interactions under way", response > 0 ? short(s.throughput * response) : "-"],
  ];
  if (response < demand) {
    return {
      sentence: response < 0
        ? `These numbers contradict each other: ${s.users} users who think ${short(s.think)} s cannot ask `
          + `${short(s.throughput)} times a second, however fast the answers.`
        : `These numbers contradict each other: an answer would take ${seconds(response)}, less than the `
          + `${seconds(demand)} it needs of the processor alone.`,
      values,
      figures: figures.slice(0, 2),
    };
  }
  return {
    sentence: `An answer takes ${seconds(response)}, of which ${percent(Math.min(1, demand / response))} is `
      + `work on the processor; at ${short(most)} /s the processor is full.`,
    values,
    figures,
  };
}

export const python = (s) => `from qmodel import laws

throughput, users, think_time = ${s.throughput}, ${s.users}, ${s.think}
demand = laws.demand(${s.busy} / 100, throughput, servers=${s.cores})
print("processor demand:", demand, "s")
print("response time:", users / throughput - think_time, "s")
`;
