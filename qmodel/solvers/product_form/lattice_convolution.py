"""Convolution over the lattice of populations, hyperplane by hyperplane, with any stations.
Theory and sources: `qmodel/solvers/THEORY.md`, product_form/lattice_convolution.
"""

from collections.abc import Sequence
from math import frexp, ldexp

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.model.closed_network import SeveralClasses
from qmodel.numerics.arrays import Array
from qmodel.solvers.product_form.population_lattice import Plane, StationWeights, Step, lattice

#: Where the largest number of a hyperplane leaves this range its unit is changed.
_SMALL, _LARGE = 2.0**-300, 2.0**300
#: What is said where normalizing constants have left the range of floats.
_OUT_OF_RANGE = "multiclass-convolution: normalizing constants leave the range of floats"
#: How far from its population a class's cycle may be before floats are taken to have failed.
_CLOSE = 1e-10


def convolve(model: SeveralClasses, pace: Sequence[float]) -> tuple[Array, Array]:
    """Throughput, shape (C,), and residence times, shape (C, K).

    There is at least one class and one station; ``pace`` are the throughputs to scale by [1/s].
    Raises `NotApplicable` if normalizing constants leave the range of floats.
    """
    # Stations of several speeds, the one with the most rates last: it is the one left out.
    several = [k for k, rates in enumerate(model.rates) if rates is not None]
    several.sort(key=lambda k: len(model.rates[k] or ()))
    residence = np.zeros((len(model.population), len(model.stations)))
    throughput = np.zeros(len(model.population))
    ends: list[int | None] = [*several] or [None]
    for last in ends:
        # The single servers are read off the last pass.
        with np.errstate(over="ignore", invalid="ignore"):  # looked for below
            try:
                sums = Pass(model, pace, last, servers=last == ends[-1]).run()
            except OverflowError:
                sums = Sums(0, 0)
        if not (0.0 < sums.constant < np.inf and (sums.reduced > 0.0).all()):
            raise NotApplicable(_OUT_OF_RANGE)
        throughput = np.array(pace) * sums.reduced / sums.constant
        if last is not None:
            residence[:, last] = sums.present / (sums.constant * throughput)
    single = [k for k, rates in enumerate(model.rates) if rates is None]
    residence[:, single] = np.array(model.demand)[:, single] * sums.copies / sums.reduced[:, None]
    cycle = residence.sum(axis=1) + model.delay
    if not (abs(throughput * cycle / model.population - 1.0) < _CLOSE).all():
        raise NotApplicable(_OUT_OF_RANGE)
    return throughput, residence


class Sums:
    """Normalizing constants after a pass over the lattice, in units of 2 to the ``exponent``."""

    def __init__(self, classes: int, copies: int) -> None:
        self.exponent = 0
        #: The normalizing constants G(N) and, of each class c, G(N - e_c).
        self.constant = 0.0
        self.reduced = np.zeros(classes)
        #: G(N - e_c) of networks with one single server twice, shape (C, single servers).
        self.copies = np.zeros((classes, copies))
        #: Mean customers of each class at the last station, times G(N).
        self.present = np.zeros(classes)

    def rescale(self, exponent: int) -> None:
        """Raise the unit to at least 2 to the ``exponent``."""
        if exponent > self.exponent:
            down = ldexp(1.0, self.exponent - exponent)
            self.exponent = exponent
            self.constant *= down
            self.reduced *= down
            self.copies *= down
            self.present *= down


class Pass:
    """One pass over the lattice, with one load-dependent station or none left to the end."""

    def __init__(
        self, model: SeveralClasses, pace: Sequence[float], last: int | None, servers: bool
    ) -> None:
        self.population = np.array(model.population)
        work = np.array(model.demand) * np.array(pace)[:, None]
        self.single = [k for k, rates in enumerate(model.rates) if rates is None]
        self.copies = len(self.single) if servers else 0
        # Rows: single servers, stages of the inner stations, copies of the single servers.
        columns = list(self.single)
        self.inner = []
        for k, rates in enumerate(model.rates):
            if rates is not None and k != last:
                self.inner.append(np.array(rates))
                columns += [k] * (len(rates) - 1)
        columns += self.single[: self.copies]
        self.work = np.ascontiguousarray(work[:, columns].T)[:, :, None]
        self.delay = StationWeights(
            model.population, [z * x for z, x in zip(model.delay, pace, strict=True)]
        )
        self.last = None
        if last is not None:
            self.last = StationWeights(model.population, work[:, last].tolist(), model.rates[last])

    def run(self) -> Sums:
        """Pass over all populations."""
        plan, kept = lattice(self.population.tolist())
        current, previous = np.zeros((2, len(self.work), plan.width + 1))
        current[:, 0] = 1.0
        sums = Sums(len(self.population), self.copies)
        at, customers_in_all = 0, int(self.population.sum())
        exponent, top = 0, 1.0
        delay = self.delay.plane(0)
        plane, lower = self._plane(customers_in_all), self._plane(customers_in_all - 1)
        none = np.zeros((len(self.population), 1))
        self._add_last_station(
            sums, plane, lower, 0, none, np.ones(1), current[len(current) - self.copies :, :1]
        )
        for step in plan.steps() if kept is None else kept:
            if step.total != at:
                at = step.total
                current, previous = previous, current
                plane, lower = lower, self._plane(customers_in_all - at - 1)
                delay = self.delay.plane(at)
                # What is kept moves with the constants, by powers of two that round nothing.
                if not _SMALL < top < _LARGE and top:
                    shift = frexp(top)[1]
                    previous *= ldexp(1.0, -shift)
                    exponent += shift
                if not len(self.work) and delay is not None:
                    exponent = delay.exponent
                top = 0.0
            gathered = previous.take(step.before, axis=1)
            if at == customers_in_all:
                neighbours = gathered[:, :, 0].copy()
            gathered *= self.work
            delay_weights = _delay_weights(delay, exponent, step)
            rows, constant = self._rows(delay_weights, gathered.sum(axis=1))
            current[:, step.start : step.stop] = rows
            top = max(top, float(rows.max(initial=0.0)))
            copies = rows[len(rows) - self.copies :]
            self._add_last_station(sums, plane, lower, exponent, step.customers, constant, copies)
        if self.last is None:
            # No station of several speeds: the constants are those of the last single server.
            ahead = len(self.single) - 1
            sums.constant = float(constant[0])
            sums.reduced, sums.copies = neighbours[ahead], neighbours[ahead + 1 :].T
        return sums

    def _rows(self, constant: Array, shifted: Array) -> tuple[Array, Array]:
        """All rows at the populations of a step, and the constants of the product so far.

        ``constant`` is what it is without stations, ``shifted`` the demands times the rows before.
        """
        rows = shifted
        done = len(self.single)
        np.cumsum(shifted[:done], axis=0, out=rows[:done])
        rows[:done] += constant
        if done:
            constant = rows[done - 1]
        for rates in self.inner:
            stages = rows[done : done + len(rates) - 1]
            done += len(rates) - 1
            out = constant + stages[0] / rates[0]
            ends = stages[-1] / rates[-1]
            stages[:-1] = stages[1:] / rates[1:-1, None]
            stages[-1] = ends
            stages += constant
            constant = out
        rows[done:] += constant
        return rows, constant

    def _plane(self, total: int) -> Plane | None:
        """Weights of the last station with ``total`` customers there."""
        return None if self.last is None else self.last.plane(total)

    def _add_last_station(
        self, sums: Sums, plane: Plane | None, lower: Plane | None, exponent: int, customers: Array,
        constant: Array, copies: Array,
    ) -> None:  # fmt: skip
        """Add what the last station makes of the populations of a step.

        All other customers are at that station, or all but one: ``plane`` and ``lower``. The
        constants and copies are in units of 2 to the ``exponent``.
        """
        there = self.population[:, None] - customers.astype(np.intp)
        if plane is not None:
            sums.rescale(exponent + plane.exponent)
            peak = ldexp(plane.peak, exponent + plane.exponent - sums.exponent)
            shares = [table[m] for table, m in zip(plane.tables, there, strict=True)]
            weighted = np.prod(shares, axis=0) * peak * constant
            sums.constant += float(weighted.sum())
            sums.present += there @ weighted
        if lower is not None:
            # With one customer less of class c at the station.
            sums.rescale(exponent + lower.exponent)
            peak = ldexp(lower.peak, exponent + lower.exponent - sums.exponent)
            shares = [table[m] for table, m in zip(lower.tables, there, strict=True)]
            less = []
            for c, (table, m) in enumerate(zip(lower.tables, there, strict=True)):
                own = np.where(m > 0, table[m - 1], 0.0) * peak
                less.append(np.prod([own, *shares[:c], *shares[c + 1 :]], axis=0))
            sums.reduced += np.array(less) @ constant
            sums.copies += np.array(less) @ copies.T


def _delay_weights(delay: Plane | None, exponent: int, step: Step) -> Array:
    """Weights of the populations of a step where all think, in units of 2 to the ``exponent``."""
    if delay is None:
        return np.zeros(step.stop - step.start)
    customers = step.customers.astype(np.intp)
    weight: Array = delay.tables[0][customers[0]]
    for table, n in zip(delay.tables[1:], customers[1:], strict=True):
        weight *= table[n]
    weight *= ldexp(delay.peak, delay.exponent - exponent)
    return weight
