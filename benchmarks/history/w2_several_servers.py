"""W2: an 8-server station among three others, and the stations that share its code."""

import workloads as w
from ours import network

import qmodel as qm


class SeveralServers:
    def setup(self):
        self.network = network([w.W2_DEMAND], [w.W2_POPULATION], w.W2_SERVERS)
        mail = qm.OpenClass("mail", 5.0)
        users = qm.ClosedClass("users", 100, w.THINK_TIME)
        stations = self.network.stations
        self.opened = qm.Network(stations, [mail], [w.W2_DEMAND])
        self.mixed = qm.Network(stations, [users, mail], [w.W2_DEMAND, w.W2_DEMAND])

    def time_solve(self):
        qm.solve(self.network)

    def time_open(self):
        qm.solve(self.opened)

    def time_mixed(self):
        qm.solve(self.mixed)

    def track_correct_digits(self):
        """Of the throughput, which at this population is that of eight busy servers, 25 /s."""
        from math import log10

        error = abs(qm.solve(self.network).throughputs[0] / 25.0 - 1.0)
        return 16.0 if error == 0.0 else -log10(error)

    track_correct_digits.unit = "digits"
