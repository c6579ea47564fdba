"""W1: one class, four stations and a delay, exactly."""

import workloads as w
from ours import network

import qmodel as qm


class SingleClass:
    params = w.W1_POPULATIONS
    param_names = ("population",)

    def setup(self, population):
        self.network = network([w.W1_DEMAND], [population], delay=w.W1_DELAY)

    def time_solve(self, _):
        qm.solve(self.network)

    def time_build_and_solve(self, population):
        qm.solve(network([w.W1_DEMAND], [population], delay=w.W1_DELAY))


class Curve:
    """All populations from 1 on, in one pass."""

    def setup(self):
        self.network = network([w.W1_DEMAND], [1], delay=w.W1_DELAY)

    def time_curve_to_2000(self):
        qm.curve(self.network, population=range(1, 2001))
