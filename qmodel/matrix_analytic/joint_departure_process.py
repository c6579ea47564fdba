"""The joint process of the departures of a queue and of the arrivals that bypass it.

Where flows split before a station and meet again behind it they are not independent: the joint
process has the departures and the bypassing arrivals as classes of one MRAP. It is that of a
`BypassQBD`, projected by `model_reduction`. All classes share one service distribution, that of the
pooled mean and SCV, and their order in the queue is not kept. Original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from qmodel.matrix_analytic.bypass_qbd import BypassQBD
from qmodel.matrix_analytic.inner_product import QueueProduct
from qmodel.matrix_analytic.model_reduction import PointProcess, reduce_process
from qmodel.matrix_analytic.qbd_resolvent import QBDResolvent, level_count
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.state_vector import StateVector

if TYPE_CHECKING:
    from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
    from qmodel.numerics.arrays import Array
    from qmodel.numerics.phase_type import PhaseType

#: Phases of arrivals, services and class mix together at most.
LARGEST = 300
#: s at which the overdispersion is fitted, over the slowest rate of decay.
LONG = 1e-3


class JointDepartures(PointProcess):
    """Departures and bypassing arrivals.

    Parameters
    ----------
    qbd : BypassQBD
        The queue.
    x : StateVector
        Its stationary distribution.
    """

    def __init__(self, qbd: BypassQBD, x: StateVector) -> None:
        self.qbd, self.x = qbd, x
        arrivals = qbd.arrivals
        self.classes = len(arrivals.d)
        self.joining = list(qbd.parts)
        self.bypassing = [
            c for c, rate in enumerate(arrivals.rates) if rate > 0.0 and c not in qbd.parts
        ]
        self.active = [*self.joining, *self.bypassing]
        self.stationary = x.flat[:, 0]
        self.one = qbd.one(x).flat
        self.inner_product = QueueProduct(qbd, qbd.weights(x))
        self.density = self.inner_product.solve(x.flat)[:, 0]
        measures = [
            *(qbd.departure_measure(c, x).flat for c in self.joining),
            *(qbd.on_arrival_phases(arrivals.d[c].T, x).flat for c in self.bypassing),
        ]
        self.after = np.column_stack(measures)

    def generator(self, functions: Array) -> Array:
        """Q f. [1/s]"""
        return self.qbd.apply_generator(self.x.like(functions)).flat

    def events(self, functions: Array) -> list[Array]:
        """L_c f of departures, then of bypassing arrivals. [1/s]"""
        qbd, vector = self.qbd, self.x.like(functions)
        return [
            *(qbd.departures(c, vector).flat for c in self.joining),
            *(qbd.on_arrival_phases(qbd.arrivals.d[c], vector).flat for c in self.bypassing),
        ]

    def resolvent(self, s: float, rates: Array, means: Array) -> tuple[Array, Array]:
        """(s - Q)^-1 of ``rates`` and, on the left, of x L_c - mean_c x."""
        x, solver = self.x, QBDResolvent(self.qbd, s, len(self.x.levels))
        left = x.like(self.after - x.flat * means)
        return solver.solve_right(x.like(rates)).flat, solver.solve_left(left).flat

    def killed_resolvent(self, s: float) -> tuple[Array, Array]:
        """(s - Q + L)^-1 of 1 and, on the left, of x."""
        solver = QBDResolvent(self.qbd, s, len(self.x.levels), killed=True)
        return solver.solve_right(self.x.like(self.one)).flat, solver.solve_left(self.x).flat


def joint_departure_process(
    arrivals: MarkedArrivalProcess,
    joining: Sequence[int],
    service: PhaseType,
    servers: int,
    slowest: float,
) -> MarkedArrivalProcess | None:
    """The process behind a queue; None where there are too many phases or levels.

    Parameters
    ----------
    arrivals : MarkedArrivalProcess
        All arrivals, of those who join and of those who pass by.
    joining : sequence of int
        The classes that join the queue.
    service : PhaseType
        Service of all of them.
    servers : int
        Number of servers.
    slowest : float
        The queue's `relaxation_rate`. [1/s]

    Raises
    ------
    numpy.linalg.LinAlgError
        If a matrix is singular.
    """
    states = comb(servers + len(service.start) - 1, servers)
    if arrivals.size * states * len(joining) > LARGEST:
        return None
    rates = arrivals.rates
    total = sum(rates[c] for c in joining)
    parts = {c: rates[c] / total for c in joining}
    qbd = BypassQBD(arrivals, server_phases({0: service}, 1, servers), parts)
    count = level_count(qbd)
    if count is None:
        return None
    x = QBDResolvent(qbd, 0.0, count).stationary()
    slowest = min(slowest, arrivals.relaxation_rate)
    if qbd.tracked:
        qbd = replace(qbd, overdispersion=_overdispersion(qbd, x, slowest))
    return reduce_process(JointDepartures(qbd, x), slowest)


def _overdispersion(qbd: BypassQBD, x: StateVector, slowest: float) -> float:
    """Kappa with which counts by class vary in the long run at departures as at arrivals.

    The covariances are pi L_c (s - Q)^-1 L_c 1 for a small s; those of departures are linear in
    kappa, which is fitted by least squares over the classes.
    """
    arrivals, s = qbd.arrivals, LONG * slowest
    phase, classes = arrivals.stationary_phase, list(qbd.parts)
    rates = np.column_stack([arrivals.d[c].sum(axis=1) for c in classes])
    matrix = s * np.eye(arrivals.size) - arrivals.generator
    later = np.linalg.solve(matrix, rates - phase @ rates)
    before = [float(phase @ arrivals.d[c] @ later[:, i]) for i, c in enumerate(classes)]
    one = qbd.one(x)
    rates = np.column_stack([qbd.departures(c, one).flat for c in classes])
    centred = one.like(rates - one.flat * (x.flat[:, 0] @ rates))
    later = QBDResolvent(qbd, s, len(x.levels)).solve_right(centred).flat

    def behind(overdispersion: float) -> Array:
        other = replace(qbd, overdispersion=overdispersion)
        after = [other.departure_measure(c, x).flat[:, 0] for c in classes]
        covariances: Array = np.array([each @ later[:, i] for i, each in enumerate(after)])
        return covariances

    none = behind(0.0)
    slope = behind(1.0) - none
    if not slope.any():
        return 1.0
    return max(0.0, float(slope @ (before - none) / (slope @ slope)))
