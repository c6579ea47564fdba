"""W5: 10,000 networks of one class as one call."""

import workloads as w
from ours import network

import qmodel as qm


class Sweep:
    def setup(self):
        demand = w.w5_demand()
        self.base = network(demand[:1], [w.W5_POPULATION])
        self.rows = {f"demand.s{k}": [row[k] for row in demand] for k in range(w.W5_STATIONS)}

    def time_sweep(self):
        qm.sweep(self.base, rows=self.rows)
