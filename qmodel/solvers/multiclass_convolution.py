"""Exact convolution of several closed classes, any stations: delay to load-dependent.

The normalising constants G(n) of all populations n are the coefficients of a product of one
power series per station in C variables [1]. With u the sum over classes of D_c x_c, a single
server is 1 / (1 - u): G(n) = G'(n) + sum of D_c G(n - e_c). A station of rates r(1) ... r(M),
the last going on, is nested the same way (Horner),

    1 + u / r(1) (1 + u / r(2) (... (1 / (1 - u / r(M))))),

so every stage needs the hyperplane before only, and all stages of all stations go as one array
(`lattice`). Everything is positive and nothing is subtracted. One load-dependent station is left
out of the product and brought in at the end, at the one population asked for: that takes a sum
over the lattice, made on the way, instead of M stages, and it gives the mean numbers at that
station from the network without it, the complement of [2]. With several such stations there is
one pass for each.

Demands are measured at throughputs near the true ones (those of `schweitzer`), which keeps the
constants near 1 where they matter; that they did stay in range is checked.

References
----------
.. [1] M. Reiser and H. Kobayashi, "Queuing networks with multiple closed chains: theory and
   computational algorithms," IBM Journal of Research and Development 19(3), 1975, pp. 283-294.
.. [2] M. Reiser, "Mean-value analysis and convolution method for queue-dependent servers in
   closed queueing networks," Performance Evaluation 1(1), 1981, pp. 7-18.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from qmodel.closed import SeveralClasses, not_closed, several_classes
from qmodel.errors import NotApplicable
from qmodel.network import Network
from qmodel.solution import Solution
from qmodel.solvers import schweitzer
from qmodel.solvers.convolution import HIGHEST, LOWEST
from qmodel.solvers.lattice import Step, lattice
from qmodel.solvers.lattice_limit import lattice_work, too_large
from qmodel.solvers.method import Method
from qmodel.solvers.positive_series import products
from qmodel.solvers.station_weights import Plane, StationWeights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    reason = not_closed(network)
    if reason is None:
        model = several_classes(network)
        passes = max(1, len(_several_speeds(model)))
        reason = too_large(network, _rows(model), passes)
    return reason


def solve(network: Network) -> Solution:
    """Exact throughput and residence times by convolution over the lattice of populations.

    Raises
    ------
    NotApplicable
        If normalising constants leave the range of floats at every scale that was tried.
    """
    model = several_classes(network)
    if not model.stations:
        rates = [n / time for n, time in zip(model.population, model.delay, strict=True)]
        return model.solution(network, "multiclass_convolution", rates, [[]] * len(rates))
    pace = near_throughputs(model)
    # Too high a pace weighs the unlikely up, too low a pace the likely down: the former misleads.
    for factor in (1.0, 0.85, 0.7, 0.5, 0.3, 0.1, 0.03):
        found = convolve(model, [factor * x for x in pace])
        if found is not None:
            throughput, residence = found
            return model.solution(
                network, "multiclass_convolution", throughput.tolist(), residence.tolist()
            )
    raise NotApplicable("multiclass_convolution: normalising constants leave the range of floats")


def near_throughputs(model: SeveralClasses) -> Sequence[float]:
    """Throughputs by `schweitzer`, good enough to scale by. [1/s]"""
    delay, queued = list(model.delay), []
    for c, row in enumerate(model.demand):
        times = []
        for demand, rates in zip(row, model.rates, strict=True):
            capacity = 1.0 if rates is None else max(rates)
            times.append(demand / capacity)
            if rates is not None:
                delay[c] += max(0.0, demand / rates[0] - times[-1])
        queued.append(times)
    return schweitzer.fixed_point(model.population, delay, queued, 1e-2, 50)[0]


def convolve(model: SeveralClasses, pace: Sequence[float]) -> tuple[Array, Array] | None:
    """Throughput, shape (C,), and residence times, shape (C, K); None if out of range.

    Parameters
    ----------
    model : SeveralClasses
        With at least one class and one station.
    pace : sequence of float
        Throughputs to scale by. [1/s]
    """
    import numpy as np

    several = _several_speeds(model)
    # Crowded stations that slow down may outweigh any rarity of so many being there.
    slowing = any(rates is not None and rates[-1] < max(rates) for rates in model.rates)
    residence = np.zeros((len(model.population), len(model.stations)))
    throughput = np.zeros(len(model.population))
    ends: list[int | None] = [*several] or [None]
    for last in ends:
        # The single servers are read off the last pass.
        one = _Pass(model, pace, last, servers=last == ends[-1])
        if slowing and one.nobody() < LOWEST:
            return None
        with np.errstate(over="ignore", invalid="ignore"):  # looked for below
            found = one.run()
        if not LOWEST < found.here < HIGHEST or not (found.before < HIGHEST).all():
            return None
        if not (found.before > 0.0).all():
            return None
        throughput = np.array(pace) * found.before / found.here
        if last is not None:
            residence[:, last] = found.present / (found.here * throughput)
    single = [k for k, rates in enumerate(model.rates) if rates is None]
    residence[:, single] = np.array(model.demand)[:, single] * found.copies / found.before[:, None]
    return throughput, residence


class _Sums(NamedTuple):
    """What a pass over the lattice finds, all at one scale."""

    #: The normalising constant at the population asked for, and with one customer less of each.
    here: float
    before: Array
    #: The latter of networks with one single server twice, shape (C, single servers).
    copies: Array
    #: Customers of each class at the last station, times ``here``.
    present: Array


class _Pass:
    """One pass over the lattice, with one load-dependent station or none left to the end."""

    def __init__(
        self, model: SeveralClasses, pace: Sequence[float], last: int | None, servers: bool
    ) -> None:
        import numpy as np

        self.population = model.population
        work = np.array(model.demand) * np.array(pace)[:, None]
        self.single = [k for k, rates in enumerate(model.rates) if rates is None]
        self.inner = [
            np.array(rates)
            for k, rates in enumerate(model.rates)
            if rates is not None and k != last
        ]
        columns = list(self.single)
        for k, rates in enumerate(model.rates):
            if rates is not None and k != last:
                columns += [k] * (len(rates) - 1)
        if servers:
            columns += self.single
        self.servers = servers
        self.work = np.ascontiguousarray(work[:, columns].T)[:, :, None]
        self.thinking = [
            np.array(products([delay * x / j for j in range(1, n + 1)], 1.0))
            for delay, x, n in zip(model.delay, pace, model.population, strict=True)
        ]
        self.last = None
        if last is not None:
            rates = model.rates[last]
            assert rates is not None
            self.last = StationWeights(model.population, work[:, last].tolist(), rates)

    def nobody(self) -> float:
        """The constant of a network without customers, at the scale of the others."""
        product = 1.0
        for table in self.thinking:
            product *= float(table[0])
        return product

    def run(self) -> _Sums:
        """Pass over all populations."""
        import numpy as np

        plan, kept = lattice(self.population)
        classes, copies = len(self.population), len(self.single) if self.servers else 0
        # Rows: single servers, stages of the inner stations, copies of the single servers.
        here, there = np.zeros((2, len(self.work), plan.width + 1))
        nobody = np.array([[self.nobody()]])
        here[:, :1] = nobody
        sums = _Sums(0.0, np.zeros(classes), np.zeros((classes, copies)), np.zeros(classes))
        at, everybody = 0, sum(self.population)
        plane, lower = self._plane(everybody), self._plane(everybody - 1)
        start = Step(0, 0, 1, np.zeros((classes, 1)), np.zeros((classes, 1), np.intp))
        sums = self._bring_in(sums, plane, lower, start, nobody, here[len(here) - copies :, :1])
        for step in plan.steps() if kept is None else kept:
            if step.total != at:
                at = step.total
                here, there = there, here
                plane, lower = lower, self._plane(everybody - at - 1)
            gathered = there.take(step.before, axis=1)
            if at == everybody:
                neighbours = gathered[:, :, 0].copy()
            gathered *= self.work
            rows, constant = self._rows(step, gathered.sum(axis=1))
            here[:, step.start : step.stop] = rows
            sums = self._bring_in(sums, plane, lower, step, constant, rows[len(rows) - copies :])
        if self.last is None:
            # No station of several speeds: the constants are those of the last single server.
            ahead = len(self.single) - 1
            return _Sums(
                float(constant[0, 0]), neighbours[ahead], neighbours[ahead + 1 :].T, sums.present
            )
        return sums

    def _rows(self, step: Step, shifted: Array) -> tuple[Array, Array]:
        """All rows at the populations of a step, and the constants of the product so far."""
        import numpy as np

        customers = step.customers.astype(np.intp)
        constant = self.thinking[0][customers[0]]
        for table, n in zip(self.thinking[1:], customers[1:], strict=True):
            constant = constant * table[n]
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
        return rows, constant[None, :]

    def _plane(self, total: int) -> Plane | None:
        """Weights of the last station with ``total`` customers there."""
        return None if self.last is None else self.last.plane(total)

    def _bring_in(
        self,
        sums: _Sums,
        plane: Plane | None,
        lower: Plane | None,
        step: Step,
        constant: Array,
        copies: Array,
    ) -> _Sums:
        """Add what the last station makes of the populations of a step.

        All who are not in the step are at that station, or all but one: ``plane`` and ``lower``.
        """
        import numpy as np

        here, before, copied, present = sums
        there = np.array(self.population)[:, None] - step.customers.astype(np.intp)
        if plane is not None:
            shares = [table[m] for table, m in zip(plane.tables, there, strict=True)]
            weighted = np.prod(shares, axis=0) * plane.peak * constant[0]
            here += float(weighted.sum())
            present = present + there @ weighted
        if lower is not None:
            shares = [table[m] for table, m in zip(lower.tables, there, strict=True)]
            less = []
            for c, (table, m) in enumerate(zip(lower.tables, there, strict=True)):
                own = np.where(m > 0, table[m - 1], 0.0) * lower.peak
                less.append(np.prod([own, *shares[:c], *shares[c + 1 :]], axis=0))
            before = before + np.array(less) @ constant[0]
            copied = copied + np.array(less) @ copies.T
        return _Sums(here, before, copied, present)


def _several_speeds(model: SeveralClasses) -> list[int]:
    """Stations of several speeds, the one with the most rates last: it is the one left out."""
    found = [k for k, rates in enumerate(model.rates) if rates is not None]
    return sorted(found, key=lambda k: len(model.rates[k] or ()))


def _rows(model: SeveralClasses) -> int:
    """Numbers kept for every population of a hyperplane, at most."""
    lengths = sorted(len(rates) for rates in model.rates if rates is not None)
    rows = 2 * sum(rates is None for rates in model.rates)
    for length in lengths[1:]:
        rows += length - 1
    return rows


def work(network: Network) -> float:
    """Numbers it would compute."""
    model = several_classes(network)
    return lattice_work(network, _rows(model), max(1, len(_several_speeds(model))))


METHOD = Method("multiclass_convolution", True, solve, why_not, work)
