"""Sojourn times over the states of the network at the instant of an arrival; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import comb, lgamma, log, prod
from typing import Self

import numpy as np
from scipy.fft import next_fast_len

from qmodel.numerics.arrays import Array, Complex, Index
from qmodel.response_times.ctmc_station import CtmcPassage
from qmodel.response_times.processor_sharing import SharedPassage
from qmodel.response_times.station_passage import StationPassage, poisson_weights

#: Numbers held at once.
HELD = 1_000_000
#: Probabilities below this are rounding.
ROUNDING = 1e-9
#: Numbers of customers at all stations that are less likely, over the likeliest, are left out.
RARE = 1e-15
#: Series with more terms are multiplied by Fourier transforms.
LONG = 24


@dataclass(frozen=True, slots=True)
class ArrivalStates:
    """The network at the instant of an arrival, as power series."""

    #: Other customers of each closed group, N. [customers]
    others: tuple[int, ...]
    #: Mean number of each that think or are at delay stations, as a weight. [customers]
    delay: tuple[float, ...]
    #: The stations, for the arriving class.
    stations: tuple[StationPassage, ...]
    #: By station, the share of each group in the load of the closed classes; they add up to 1. [1]
    load_shares: tuple[tuple[float, ...], ...]
    #: Weights without some stations, computed before. They depend on no times, so copies with other
    #: times share them.
    computed: dict[tuple[int, ...], Complex] = field(
        default_factory=dict, compare=False, repr=False
    )
    #: `weights_elsewhere` of stations, shared likewise.
    elsewhere: dict[int, Array] = field(default_factory=dict, compare=False, repr=False)
    #: More customers of the only group, who are hardly ever at a station. [customers]
    away: int = 0

    def without_the_rare(self) -> Self:
        """The same without numbers at stations that are hardly ever found, of one group alone."""
        if len(self.others) > 1 or any(isinstance(at, CtmcPassage) for at in self.stations):
            return self
        at_stations = replace(self, delay=(0.0,), computed={}, elsewhere={})._weights_without([])  # noqa: SLF001
        weight = np.flip(at_stations[:, 0].real) * _terminals(self.delay[0], self.others[0], 0)
        away = int(np.argmax(weight > RARE * weight.max()))
        return replace(self, others=(self.others[0] - away,), away=away, computed={}, elsewhere={})

    def transform(self, s: Complex, visited: Sequence[tuple[int, float]]) -> Complex:
        """Transform of the time at stations that are each visited once with a probability."""
        visit = dict(visited)
        rest, norm = self._weights_without(visit), self._weights_without([])
        return self._in_parts(s, 1, lambda at: self._along(at, visit, rest)) / norm.flat[-1]

    def cycles(
        self, s: Complex, centre: int, others: Sequence[tuple[int, float]], most: int
    ) -> tuple[Complex, Complex]:
        """Transforms of several cycles about a central server that find the same state.

        A cycle goes to one of the ``others`` at most, each with a probability. First those of 0, 1
        ... ``most`` - 1 cycles and one more visit to the centre, shape (most, B), then that of
        ``most`` cycles, shape (B,).
        """
        rest = self._weights_without([centre, *(k for k, _ in others)])
        norm = self._weights_without([])
        transforms = self._in_parts(
            s, most + 1, lambda at: self._cycles(at, centre, others, most, rest)
        )
        transforms = transforms / norm.flat[-1]
        return transforms[:-1], transforms[-1]

    def visit_elsewhere(self, s: Complex, others: Sequence[tuple[int, float]]) -> Complex:
        """Transform of a visit to one of the ``others`` at most, found anew each time."""
        away = 0.0 * s + 1.0
        for k, p in others:
            away = away + p * (self.sojourn(s, k, self.weights_elsewhere(k)) - 1.0)
        return away

    def visits_alike(
        self, s: Complex, station: int, passed: Callable[[Complex], Complex]
    ) -> Complex:
        """Transform of visits to a shared station that find the same, by that of one of them."""
        at, stations = self.stations[station], list(self.stations)
        assert isinstance(at, SharedPassage)
        stations[station] = at.passed_as(passed)
        states = replace(self, stations=tuple(stations))
        return states.sojourn(s, station, self.weights_elsewhere(station))

    def weights_elsewhere(self, station: int) -> Array:
        """Weights of the rest of the network with 0, 1, 2 ... customers at one station.

        Times the weights of the station they are the distribution of the number there that an
        arrival finds. By the numbers of each group where the station's weights are so.
        """
        if station not in self.elsewhere:
            self.elsewhere[station] = self._elsewhere(station)
        return self.elsewhere[station]

    def _elsewhere(self, station: int) -> Array:
        by_group: Array = np.flip(self._weights_without([station])[..., 0].real)
        if isinstance(self.stations[station], CtmcPassage):
            return by_group
        ones = np.ones((sum(self.others) + 1, 1), complex)
        powers = _powers_of_y(by_group.shape, ones, self.load_shares[station])[..., 0].real
        number = np.indices(by_group.shape).sum(axis=0)
        return np.asarray(np.bincount(number.ravel(), (by_group * powers).ravel()), float)

    def sojourn(self, s: Complex, station: int, elsewhere: Array) -> Complex:
        """Transform of the time of one visit to a station, given its `weights_elsewhere`."""

        def total(head: Complex, ratio: Complex) -> Complex:
            last = min(len(head), len(elsewhere)) - 1
            # The geometric tail by Horner's rule, then the head before it.
            tail = np.zeros_like(ratio)
            if ratio.any():
                for weight in elsewhere[:last:-1]:
                    tail = ratio * (weight + tail)
            tail = head[last] * (elsewhere[last] + tail)
            return np.asarray(tail + (head[:last] * elsewhere[:last, None]).sum(axis=0))

        at = self.stations[station]
        if isinstance(at, CtmcPassage):
            terms = (at.transforms_by_group(s) * elsewhere[..., None]).reshape(-1, len(s))
            return np.asarray(terms.sum(axis=0) / (at.weights * elsewhere).sum(), complex)
        transform: Complex = total(*at.weighted_transforms(s)) / total(
            *at.weighted_transforms(np.zeros(1, complex))
        )
        return transform

    def _in_parts(self, s: Complex, rows: int, part: Callable[[Complex], Complex]) -> Complex:
        """The function of so many ``rows`` at all points, of as many at once as memory allows."""
        size = max(1, HELD // rows // prod(n + 1 for n in self.others))
        return np.concatenate([part(s[i : i + size]) for i in range(0, len(s), size)], axis=-1)

    def _cycles(
        self, s: Complex, centre: int, others: Sequence[tuple[int, float]], most: int, rest: Complex
    ) -> Complex:
        """Transforms of 0, 1, 2 ... cycles and a visit more, and of ``most`` cycles without it."""
        none = 1.0
        for _, p in others:
            none -= p
        products = {n: none**n * rest for n in range(most + 1) if none > ROUNDING or n == 0}
        for k, p in others:
            longer: dict[int, Complex] = {}
            for m in range(most + 1):  # so many of the cycles go to station k
                visited = self._visited(m, s, k)
                for n, product in products.items():
                    if n + m <= most:
                        new = comb(n + m, m) * p**m * visited(product)
                        longer[n + m] = longer[n + m] + new if n + m in longer else new
            products = longer
        transforms = np.empty((most + 1, len(s)), complex)
        for n, product in products.items():
            whole = self._visited(min(n + 1, most), s, centre)(product)
            transforms[n] = whole.reshape(-1, whole.shape[-1])[-1]
        return transforms

    def _visited(self, visits: int, s: Complex, k: int) -> Callable[[Complex], Complex]:
        """As `_factor`, where several visits to station ``k``, or none, find the same state."""
        if not visits:
            return self._factor(self.stations[k], np.zeros(1, complex), k)
        return self._factor(self.stations[k].repeated(visits), s, k)

    def _along(self, s: Complex, visit: dict[int, float], rest: Complex) -> Complex:
        product = rest
        for i, (k, p) in enumerate(visit.items(), 1):
            if i == len(visit) and p == 1.0:
                last = self._last_coefficient(product, s, k)
                if last is not None:
                    return last
            longer = self._times(product, s, k)
            if p < 1.0:
                longer = p * longer
                longer += (1.0 - p) * self._times(product, np.zeros(1, complex), k)
            product = longer
        return np.asarray(product.reshape(-1, product.shape[-1])[-1])

    def _weights_without(self, some: Sequence[int] | dict[int, float]) -> Complex:
        """Weights of all populations at the terminals, delays and all but some stations.

        From those without a half of the stations, a quarter and so on, which serve many.
        """
        key = tuple(sorted(some))
        if key in self.computed:
            return self.computed[key]
        block = self._block_around(key)
        if block != key:
            weights = self._weights_without(block)
        else:
            weights = np.ones([1] * len(self.others) + [1], complex)
            for g, (n, delay) in enumerate(zip(self.others, self.delay, strict=True)):
                shape = [1] * (len(self.others) + 1)
                shape[g] = n + 1
                weights = weights * _terminals(delay, n, self.away).reshape(shape)
        for k in block:
            if k not in key:
                weights = self._times(weights, np.zeros(1, complex), k)
        self.computed[key] = weights
        return weights

    def _block_around(self, some: tuple[int, ...]) -> tuple[int, ...]:
        """The smallest block of stations, halved again and again, around some of them."""
        block = tuple(range(len(self.stations)))
        while len(block) > 1:
            halves = block[: len(block) // 2], block[len(block) // 2 :]
            around = [half for half in halves if set(some) <= set(half) and half != some]
            if not around:
                break
            block = around[0]
        return block

    def _last_coefficient(self, series: Complex, s: Complex, k: int) -> Complex | None:
        """That of the product with a station's series, where it is less work than all of them."""
        station = self.stations[k]
        groups = tuple(range(series.ndim - 1))
        if isinstance(station, CtmcPassage):
            powers = station.transforms_by_group(s)
        else:
            head, ratio = station.weighted_transforms(s)
            if len(head) <= LONG or ratio.any():
                return None
            powers = _powers_of_y(series.shape[:-1], head, self.load_shares[k])
        return np.asarray((np.flip(series, groups) * powers).sum(axis=groups))

    def _times(self, series: Complex, s: Complex, k: int) -> Complex:
        return self._factor(self.stations[k], s, k)(series)

    def _factor(self, station: StationPassage, s: Complex, k: int) -> Callable[[Complex], Complex]:
        """Multiplies a power series by that of a station, a head and a geometric tail."""
        if isinstance(station, CtmcPassage):
            by_group = station.transforms_by_group(s)
            return lambda series: _times_array(series, by_group)
        head, ratio = station.weighted_transforms(s)
        shares = self.load_shares[k]
        last = min(len(head), sum(self.others) + 1) - 1
        # (head(0) + sum of (head(n) - ratio head(n - 1)) y^n) / (1 - ratio y)
        numerator = head[: last + 1].astype(complex)
        numerator[1:] -= ratio * head[:last]

        def times(series: Complex) -> Complex:
            if last > LONG:
                product = _by_fourier(series, _powers_of_y(series.shape[:-1], numerator, shares))
            elif len(shares) == 1:
                product = series * numerator[0]
                for n in range(1, last + 1):
                    product[n:] += series[:-n] * (shares[0] ** n * numerator[n])
            else:
                product = series * numerator[last]
                for n in range(last - 1, -1, -1):
                    product = _times_y(product, shares)
                    product += series * numerator[n]
            if ratio.any():
                _divide(product, shares, ratio)
            return product

        return times


def _terminals(delay: float, most: int, away: int) -> Array:
    """Weights of ``away`` and up to so many more customers at terminals."""
    row = np.array(poisson_weights(delay, away + most, away))
    if not row.any():  # the mean is far above: the weights rise to the last
        rising = [1.0]
        for i in range(away + most, away, -1):
            rising.append(rising[-1] * i / delay)
        row = np.array(rising[::-1])
    return row


def _times_array(series: Complex, station: Complex) -> Complex:
    """The product with a power series in the numbers of each group."""
    sizes = station.shape[:-1]
    terms = np.argwhere(station.any(axis=-1))
    if len(terms) > LONG:
        return _by_fourier(series, station)
    product = np.zeros(np.broadcast_shapes(series.shape, station.shape), complex)
    for term in terms.tolist():
        before = tuple(slice(0, n - i) for n, i in zip(sizes, term, strict=True))
        after = tuple(slice(i, None) for i in term)
        product[after] += series[before] * station[tuple(term)]
    return product


def _by_fourier(series: Complex, station: Complex) -> Complex:
    """The product with a power series, by Fourier transforms over the populations."""
    sizes = station.shape[:-1]
    axes = tuple(range(len(sizes)))
    twice = tuple(next_fast_len(2 * n - 1, real=True) for n in sizes)
    both = np.fft.fftn(series, twice, axes) * np.fft.fftn(station, twice, axes)
    product = np.fft.ifftn(both, twice, axes)
    return np.ascontiguousarray(product[tuple(slice(n) for n in sizes)])


def _powers_of_y(sizes: tuple[int, ...], head: Complex, shares: Sequence[float]) -> Complex:
    """The sum of head(n) y^n by populations: multinomial coefficients times powers of shares."""
    number = np.indices(sizes)
    total = number.sum(axis=0)
    logs = np.array([lgamma(n + 1.0) for n in range(total.max() + 1)])
    coefficient = logs[total]
    for n, share in zip(number, shares, strict=True):
        coefficient = (
            coefficient - logs[n] + (n * log(share) if share else np.where(n, -np.inf, 0.0))
        )
    longer = np.concatenate([head, 0.0 * head[:1]])  # 0 beyond the head
    powers: Complex = np.exp(coefficient)[..., None] * longer[np.minimum(total, len(head))]
    return powers


def _times_y(series: Complex, shares: Sequence[float]) -> Complex:
    """The product with y, the sum of shares times z."""
    product = np.zeros_like(series)
    for g, share in enumerate(shares):
        if share:
            before, after = [slice(None)] * series.ndim, [slice(None)] * series.ndim
            before[g], after[g] = slice(None, -1), slice(1, None)
            product[tuple(after)] += share * series[tuple(before)]
    return product


def _divide(series: Complex, shares: Sequence[float], ratio: Complex) -> None:
    """Divide by 1 - ratio y, in place: populations of one total after the other.

    Of one group alone by the product of 1 + (ratio y)^n over n = 1, 2, 4 ... which is its inverse.
    """
    if len(shares) == 1:
        power, step = shares[0] * ratio, 1
        while step < len(series):
            series[step:] += power * series[:-step]
            power, step = power * power, 2 * step
        return
    flat = series.reshape(-1, series.shape[-1])
    parts = [share * ratio for share in shares]
    for steps in _by_total(series.shape[:-1]):
        for part, share, (at, before) in zip(parts, shares, steps, strict=True):
            if share and len(at):
                flat[at] += part * flat[before]


@lru_cache(maxsize=4)
def _by_total(sizes: tuple[int, ...]) -> list[list[tuple[Index, Index]]]:
    """For each total of customers and each group: populations, and those with one less of it."""
    number = np.indices(sizes).reshape(len(sizes), -1)
    total = number.sum(axis=0)
    order = np.argsort(total, kind="stable")
    ends = np.searchsorted(total[order], np.arange(total.max() + 2))
    strides = [prod(sizes[g + 1 :]) for g in range(len(sizes))]
    totals = []
    for first, last in pairwise(ends[1:]):
        plane = order[first:last]
        steps = []
        for g, stride in enumerate(strides):
            at = plane[number[g][plane] > 0]
            steps.append((at, at - stride))
        totals.append(steps)
    return totals
