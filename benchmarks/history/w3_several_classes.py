"""W3: two to five classes, five stations, exactly; and the largest lattice that is promised."""

import workloads as w
from ours import network

import qmodel as qm


class SeveralClasses:
    params = tuple(w.w3_case(populations) for populations in w.W3_POPULATIONS)
    param_names = ("populations",)

    def setup(self, case):
        (populations,) = [p for p in w.W3_POPULATIONS if w.w3_case(p) == case]
        self.network = network(w.w3_demand(len(populations)), populations)

    def time_solve(self, _):
        qm.solve(self.network)


class FourOfFifty:
    """6.8 million population vectors; the goal is 3 s, with memory bounded."""

    timeout = 120.0

    def setup(self):
        self.network = network(w.w3_demand(4), (50, 50, 50, 50))

    def time_solve(self):
        qm.solve(self.network)

    def peakmem_solve(self):
        qm.solve(self.network)
