"""Processor sharing and load-dependent stations: a tagged customer among others; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from scipy.special import gammaln, xlogy

from qmodel.errors import NotApplicable
from qmodel.model.network import Network
from qmodel.model.stations import LoadDependentStation, QueueingStation
from qmodel.numerics.arrays import Array, Complex
from qmodel.numerics.phase_type import ServiceTime
from qmodel.response_times.station_passage import Series

#: Relative weight of numbers of open customers that are left out.
RARE = 1e-11
#: More of them take too long.
MOST_OPEN = 20_000
#: Numbers of others that an arrival finds so seldom, relative to the likeliest, are left out.
SELDOM = 1e-15
#: A number of others that an arrival finds so much likelier than one less is restored at once.
AT_ONCE = 1e9


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """A station whose customers share the service rate equally."""

    #: Of the tagged customer, taken as exponential. [s]
    service: ServiceTime
    #: Mean service time of the others. [s]
    others_mean: float
    #: Service rates c(n) with n = 1, 2 ... customers, relative to that with one, as many as differ;
    #: shape (M,). [1]
    rates: Array
    #: Weights of n closed and o open customers at this station, shape (N + 1, O + 1).
    weights: Array
    #: The same times the weights of the rest of the network, shape (N + 1, O + 1): the distribution
    #: on arrival.
    on_arrival: Array
    exponential_phases: bool = field(default=False)
    #: What becomes of the transform of one visit where several find the same state.
    passed: Callable[[Complex], Complex] | None = None
    #: Visits that find the same state.
    visits: int = 1
    #: Transforms of one visit at the points asked for last, and of some visits; copies with more
    #: visits share them.
    computed: dict[bytes, tuple[Complex, int, Complex]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def repeated(self, visits: int) -> Self:
        """Several visits that find the same number."""
        return self._with(visits=visits)

    def passed_as(self, passed: Callable[[Complex], Complex]) -> Self:
        """Visits that find the same number, by the transform of one."""
        return self._with(passed=passed)

    def _with(self, **change: Any) -> Self:
        found = replace(self, **change)
        object.__setattr__(found, "computed", self.computed)
        return found

    def weighted_transforms(self, s: Complex) -> Series:
        """The products w(n) phi(n, s) by the number n of closed customers."""
        ratio = np.zeros(len(s), s.dtype)
        if not s.any():
            return np.repeat(self.weights.sum(axis=1)[:, None], len(s), axis=1), ratio
        # Powers of the transforms of one visit, each by the one before.
        if (points := s.tobytes()) not in self.computed:
            self.computed.clear()
            once = self._transforms(s)
            self.computed[points] = once, 1, once
        once, visits, transforms = self.computed[points]
        if visits != self.visits:
            transforms = transforms * once if self.visits == visits + 1 else once**self.visits
            self.computed[points] = once, self.visits, transforms
        if self.passed is not None:
            transforms = self.passed(transforms)
        return over_open(self.weights, transforms), ratio

    def _transforms(self, s: Complex) -> Complex:
        """Transforms of the sojourn time by the number of others found, shape (J, B)."""
        number = by_total(self.on_arrival)
        some = np.flatnonzero(number > SELDOM * number.max())
        low, high = (int(some[0]), int(some[-1])) if len(some) else (0, len(number) - 1)
        found = np.arange(low, high + 1)
        rate = self.rates[np.minimum(found, len(self.rates) - 1)]
        births = np.zeros(len(found))
        for j in range(len(found) - 1):
            here, more = number[low + j], number[low + j + 1]
            if more > 0.0:
                likelier = min(more / here, AT_ONCE) if here else AT_ONCE
                births[j] = likelier * rate[j] / self.others_mean
        share = rate / (found + 1.0)
        deaths = found * share / self.others_mean
        deaths[0] = 0.0
        ends = share / self.service.mean
        # (s + births + deaths + ends) phi(j) = ends + births phi(j + 1) + deaths phi(j - 1),
        # eliminated from the top.
        transforms = np.empty((len(number), len(s)), complex)
        slope = np.empty_like(transforms)
        above, fixed = np.zeros(len(s), complex), np.zeros(len(s), complex)
        for j in range(len(found) - 1, -1, -1):
            pivot = 1.0 / (s + births[j] * (1.0 - above) + deaths[j] + ends[j])
            fixed = (ends[j] + births[j] * fixed) * pivot
            above = deaths[j] * pivot
            transforms[low + j], slope[low + j] = fixed, above
        for j in range(low + 1, high + 1):
            transforms[j] += slope[j] * transforms[j - 1]
        transforms[:low], transforms[high + 1 :] = transforms[low], transforms[high]
        return transforms


def over_open(weights: Array, transforms: Complex) -> Complex:
    """Sums over o of w(n, o) phi(n + o) by n, of transforms by the number found."""
    closed, opened = weights.shape
    if closed < opened:
        return np.stack([row @ transforms[n : n + opened] for n, row in enumerate(weights)])
    head = np.zeros((closed, transforms.shape[1]), complex)
    for o in range(opened):
        head += weights[:, o, None] * transforms[o : o + closed]
    return head


def by_total(weights: Array) -> Array:
    """Sums over n + o of an array by n and o."""
    closed, opened = weights.shape
    number = np.zeros(closed + opened - 1)
    for n in range(closed):
        number[n : n + opened] += weights[n]
    return number


def shared_passage(
    network: Network, k: int, flows: Sequence[float], service: ServiceTime,
    loads: tuple[float, float], others: int,
) -> SharedPassage:  # fmt: skip
    """Station ``k``; the distribution on arrival is filled in later.

    ``flows`` are those of each class at the instants of arrivals [1/s], ``loads`` those of the
    closed and of the open classes [servers], ``others`` the closed customers that may be there.
    """
    closed_load, open_load = loads
    station = network.stations[k]
    assert isinstance(station, LoadDependentStation | QueueingStation)

    if isinstance(station, LoadDependentStation):
        rates = np.array(station.rates, float)
    else:
        rates = np.arange(1.0, station.servers + 1.0)
    limit = float(rates[-1])
    opened = 0
    if open_load > 0.0:
        # Up to where the weights of open customers, with all closed ones there, are negligible.
        weight, highest = 1.0, 1.0
        while weight > RARE * (1.0 - open_load / limit) * highest:
            opened += 1
            rate = float(rates[min(others + opened, len(rates)) - 1])
            weight *= (others + opened) / opened * open_load / rate
            highest = max(highest, weight)
            if opened > MOST_OPEN or (opened + 1) * (others + 1) > 100 * MOST_OPEN:
                raise NotApplicable(
                    f"percentiles at station {station.name!r}, which shares its speed, at a load "
                    f"of the open classes of {open_load:.6g} of {limit:g}: too near to 1"
                )
    # (n + o)! / (n! o!) closed_load^n open_load^o / (c(1) ... c(n + o)), the largest of them 1.
    most = (others, opened)
    n, o = np.ogrid[: most[0] + 1, : most[1] + 1]
    number = np.arange(1, sum(most) + 1)
    speeds = np.log(rates[np.minimum(number, len(rates)) - 1])
    served = np.concatenate([[0.0], np.cumsum(speeds)])
    logs = gammaln(n + o + 1.0) - gammaln(n + 1.0) - gammaln(o + 1.0) - served[n + o]
    logs = logs + xlogy(n, closed_load) + xlogy(o, open_load)
    weights: Array = np.exp(logs - logs.max())
    time = visits = 0.0
    for i, flow in enumerate(flows):
        time += flow * network.demand[i][k]
        visits += flow * network.visits_at(i, k)
    return SharedPassage(
        service, time / visits if visits else service.mean, rates, weights, weights
    )
