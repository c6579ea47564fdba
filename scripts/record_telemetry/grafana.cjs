// Grafana's own export of a panel's data: npm install --ignore-scripts @grafana/data@10.4.0, then
// node grafana.cjs > grafana.csv
const noWindow = { location: { search: "", pathname: "/" }, localStorage: { getItem: () => null } };
Object.assign(globalThis, { window: noWindow, document: {}, ...noWindow });
const { toCSV, toDataFrame, FieldType } = require("@grafana/data");
const values = [...Array(20).keys()].map((i) => Date.UTC(2026, 10, 23, 10) + i * 15000);
const panel = toDataFrame({
  fields: [
    { name: "Time", type: FieldType.time, values },
    { name: "CPU %", type: FieldType.number, values: values.map((_, i) => 40 + i) },
    { name: "RPS", type: FieldType.number, values: values.map((_, i) => 100 + 2 * i) },
  ],
});
console.log(toCSV([panel], { useExcelHeader: false }));
