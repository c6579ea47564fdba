"""One pass of convolution over the lattice of populations, with any stations.

What is convolved, and why one station is left to the end, is told in `multiclass_convolution`.
Here every hyperplane is one array operation over all rows: the constants up to each single
server, the stages of each station of several speeds, and those of networks with one single server
twice, from which the mean numbers come. The unit of the rows is a power of two that moves with
the hyperplane.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, ldexp

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.model.closed_network import SeveralClasses
from qmodel.numerics.arrays import Array
from qmodel.solvers.product_form.population_lattice import Step, lattice
from qmodel.solvers.product_form.station_factors import Plane, StationWeights

#: Where the largest number of a hyperplane leaves this range its unit is changed.
_SMALL, _LARGE = 2.0**-300, 2.0**300
#: What is said where normalizing constants have left the range of floats.
_OUT_OF_RANGE = "multiclass_convolution: normalizing constants leave the range of floats"
#: How far from its population a class's cycle may be before floats are taken to have failed.
_CLOSE = 1e-10


def convolve(model: SeveralClasses, pace: Sequence[float]) -> tuple[Array, Array]:
    """Throughput, shape (C,), and residence times, shape (C, K).

    Parameters
    ----------
    model : SeveralClasses
        With at least one class and one station.
    pace : sequence of float
        Throughputs to scale by. [1/s]

    Raises
    ------
    NotApplicable
        If normalizing constants leave the range of floats.
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
        if not (0.0 < sums.here < np.inf and (sums.before > 0.0).all()):
            raise NotApplicable(_OUT_OF_RANGE)
        throughput = np.array(pace) * sums.before / sums.here
        if last is not None:
            residence[:, last] = sums.present / (sums.here * throughput)
    single = [k for k, rates in enumerate(model.rates) if rates is None]
    residence[:, single] = np.array(model.demand)[:, single] * sums.copies / sums.before[:, None]
    cycle = residence.sum(axis=1) + model.delay
    if not (abs(throughput * cycle / model.population - 1.0) < _CLOSE).all():
        raise NotApplicable(_OUT_OF_RANGE)
    return throughput, residence


class Sums:
    """What a pass over the lattice finds, all in units of 2 to the ``exponent``."""

    def __init__(self, classes: int, copies: int) -> None:
        self.exponent = 0
        #: The normalising constant at the population asked for, and with one customer less of each.
        self.here = 0.0
        self.before = np.zeros(classes)
        #: The latter of networks with one single server twice, shape (C, single servers).
        self.copies = np.zeros((classes, copies))
        #: Customers of each class at the last station, times ``here``.
        self.present = np.zeros(classes)

    def make_room(self, exponent: int) -> None:
        """Raise the unit to at least 2 to the ``exponent``."""
        if exponent > self.exponent:
            down = ldexp(1.0, self.exponent - exponent)
            self.exponent = exponent
            self.here *= down
            self.before *= down
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
        self.thinking = StationWeights(
            model.population, [z * x for z, x in zip(model.delay, pace, strict=True)]
        )
        self.last = None
        if last is not None:
            self.last = StationWeights(model.population, work[:, last].tolist(), model.rates[last])

    def run(self) -> Sums:
        """Pass over all populations."""
        plan, kept = lattice(self.population.tolist())
        here, there = np.zeros((2, len(self.work), plan.width + 1))
        here[:, 0] = 1.0
        sums = Sums(len(self.population), self.copies)
        at, everybody = 0, int(self.population.sum())
        exponent, top = 0, 1.0
        thinking = self.thinking.plane(0)
        plane, lower = self._plane(everybody), self._plane(everybody - 1)
        nobody = np.zeros((len(self.population), 1))
        self._bring_in(
            sums, plane, lower, 0, nobody, np.ones(1), here[len(here) - self.copies :, :1]
        )
        for step in plan.steps() if kept is None else kept:
            if step.total != at:
                at = step.total
                here, there = there, here
                plane, lower = lower, self._plane(everybody - at - 1)
                thinking = self.thinking.plane(at)
                # What is kept moves with the constants, by powers of two that round nothing.
                if not _SMALL < top < _LARGE and top:
                    shift = frexp(top)[1]
                    there *= ldexp(1.0, -shift)
                    exponent += shift
                if not len(self.work) and thinking is not None:
                    exponent = thinking.exponent
                top = 0.0
            gathered = there.take(step.before, axis=1)
            if at == everybody:
                neighbours = gathered[:, :, 0].copy()
            gathered *= self.work
            alone = _alone(thinking, exponent, step)
            rows, constant = self._rows(alone, gathered.sum(axis=1))
            here[:, step.start : step.stop] = rows
            top = max(top, float(rows.max(initial=0.0)))
            copies = rows[len(rows) - self.copies :]
            self._bring_in(sums, plane, lower, exponent, step.customers, constant, copies)
        if self.last is None:
            # No station of several speeds: the constants are those of the last single server.
            ahead = len(self.single) - 1
            sums.here = float(constant[0])
            sums.before, sums.copies = neighbours[ahead], neighbours[ahead + 1 :].T
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

    def _bring_in(
        self,
        sums: Sums,
        plane: Plane | None,
        lower: Plane | None,
        exponent: int,
        customers: Array,
        constant: Array,
        copies: Array,
    ) -> None:
        """Add what the last station makes of the populations of a step.

        All other customers are at that station, or all but one: ``plane`` and ``lower``. The
        constants and copies are in units of 2 to the ``exponent``.
        """
        there = self.population[:, None] - customers.astype(np.intp)
        if plane is not None:
            sums.make_room(exponent + plane.exponent)
            peak = ldexp(plane.peak, exponent + plane.exponent - sums.exponent)
            shares = [table[m] for table, m in zip(plane.tables, there, strict=True)]
            weighted = np.prod(shares, axis=0) * peak * constant
            sums.here += float(weighted.sum())
            sums.present += there @ weighted
        if lower is not None:
            # With one customer less of class c at the station.
            sums.make_room(exponent + lower.exponent)
            peak = ldexp(lower.peak, exponent + lower.exponent - sums.exponent)
            shares = [table[m] for table, m in zip(lower.tables, there, strict=True)]
            less = []
            for c, (table, m) in enumerate(zip(lower.tables, there, strict=True)):
                own = np.where(m > 0, table[m - 1], 0.0) * peak
                less.append(np.prod([own, *shares[:c], *shares[c + 1 :]], axis=0))
            sums.before += np.array(less) @ constant
            sums.copies += np.array(less) @ copies.T


def _alone(thinking: Plane | None, exponent: int, step: Step) -> Array:
    """Weights of the populations of a step where all think, in units of 2 to the ``exponent``."""
    if thinking is None:
        return np.zeros(step.stop - step.start)
    customers = step.customers.astype(np.intp)
    found: Array = thinking.tables[0][customers[0]]
    for table, n in zip(thinking.tables[1:], customers[1:], strict=True):
        found *= table[n]
    found *= ldexp(thinking.peak, thinking.exponent - exponent)
    return found
