"""The departures of a MMAP/PH/m queue, as a marked rational arrival process; see THEORY.md."""

import numpy as np

from qmodel.matrix_analytic import age_process as ages
from qmodel.matrix_analytic.age_resolvent import AgeResolvent
from qmodel.matrix_analytic.inner_product import QueueProduct
from qmodel.matrix_analytic.marked_arrival_process import MarkedArrivalProcess
from qmodel.matrix_analytic.model_reduction import PointProcess, reduce_process
from qmodel.numerics.arrays import Array

#: One more survival point, where services hardly vary.
QUICK = 4.0


class Departures(PointProcess):
    """The departures of a queue. ``x`` is the `stationary_distribution`."""

    def __init__(self, age: ages.AgeProcess, x: ages.StateVector) -> None:
        self.age, self.x = age, x
        self.classes = len(age.arrivals.d)
        self.stationary = x.flat[:, 0]
        self.one = np.ones_like(x.flat)
        self.active = list(range(self.classes))
        rates = self.stationary @ np.column_stack(self.events(self.one))
        self.active = [c for c in self.active if rates[c] > 0.0]
        self.inner_product = QueueProduct(age, x)
        states = self.inner_product.diagonal is not None
        self.density = None if states else self.inner_product.solve(x.flat)[:, 0]
        if age.servers.weights:
            self.survival_points = (*PointProcess.survival_points, QUICK)
        boundary = [age.boundary_completions(c).T @ x.boundary[:, 0] for c in self.active]
        self.after = np.column_stack(boundary)
        inspected = [x.levels[:, :, 0] @ age.completions[c] for c in self.active]
        self.inspected = np.stack(inspected, axis=-1)

    def generator(self, functions: Array) -> Array:
        """Q f. [1/s]"""
        return ages.apply_generator(self.age, self.x.like(functions)).flat

    def events(self, functions: Array) -> list[Array]:
        """L_c f of each active class. [1/s]"""
        vector = self.x.like(functions)
        inspected = ages.at_inspection(self.age, vector)
        return [ages.after_completion(self.age, c, vector, inspected).flat for c in self.active]

    def resolvent(self, s: float, rates: Array, means: Array) -> tuple[Array, Array]:
        """(s - Q)^-1 of ``rates`` and, on the left, of pi L_c - mean_c pi."""
        x, solver = self.x, AgeResolvent(self.age, s)
        after = ages.StateVector(self.after - x.boundary * means, -x.levels * means)
        right = solver.solve_right(x.like(rates)).flat
        return right, solver.solve_left(after, self.inspected).flat

    def killed_resolvent(self, s: float) -> tuple[Array, Array]:
        """(s - Q + L)^-1 of 1 and, on the left, of pi."""
        solver = AgeResolvent(self.age, s, killed=True)
        return solver.solve_right(self.x.like(self.one)).flat, solver.solve_left(self.x).flat

    def sojourn_weight(self, c: int) -> Array:
        """Rate of departures of class c times the age l / nu less its mean at departures.

        Given the time since his arrival the ticks are independent of the past, so at a single
        server this has the exact covariances of a sojourn time with earlier departures. At several
        servers the age is that of the customer who began last; in the boundary it is set to 0.
        """
        rates = self.x.like(self.events(self.one)[self.active.index(c)])
        elapsed = np.arange(len(rates.levels))[:, None, None] / self.age.tick_rate
        weight = ages.StateVector(0.0 * rates.boundary, rates.levels * elapsed).flat[:, 0]
        rate = rates.flat[:, 0]
        mean = float(self.stationary @ rate)
        return np.asarray(weight - float(self.stationary @ weight) / mean * rate)


def departure_process(
    age: ages.AgeProcess, x: ages.StateVector, slowest: float, station: int
) -> MarkedArrivalProcess:
    """The departure process, with the sojourn times of departing customers.

    ``x`` is the `stationary_distribution`, ``slowest`` the queue's `relaxation_rate` [1/s],
    ``station`` its number for `sojourn_weights`. Raises `numpy.linalg.LinAlgError` if a matrix is
    singular.
    """
    process = Departures(age, x)
    weights = {(c, station): process.sojourn_weight(c) for c in process.active}
    return reduce_process(process, min(slowest, age.arrivals.relaxation_rate), weights)
