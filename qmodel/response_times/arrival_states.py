"""Times of an arriving customer, over all states of the network that it may find.

Let z be one variable for each closed class (or group of classes), G the coefficient of z^N in the
product of all stations' weights as power series, N being the others' populations, and F(s) the
same with the transforms of the times at the stations on the customer's path. Then the time on the
path has the transform F(s) / F(0): given the state found, times at different stations are taken as
independent. For exponential single servers, first come first served, on a path without overtaking
that is exact [1, 2].

A station's weights depend on the classes only by y, the sum over the classes of load times z, and
end in a geometric series in y; so a station costs as many steps as there are populations.

References
----------
.. [1] R. Schassberger and H. Daduna, "The time for a round trip in a cycle of exponential queues,"
   Journal of the ACM 30(1), 1983, pp. 146-150.
.. [2] F. P. Kelly and P. K. Pollett, "Sojourn times in closed queueing networks," Advances in
   Applied Probability 15(3), 1983, pp. 638-656: overtake-free paths, several classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import comb, lgamma, log, prod
from typing import TYPE_CHECKING

from qmodel.response_times.ctmc_station import Isolated
from qmodel.response_times.stage import poisson_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.response_times.stage import Stage

    Complex = NDArray[np.complex128]

#: Numbers held at once.
HELD = 1_000_000
#: Chances below this are rounding.
NONE = 1e-9
#: Series with more terms are multiplied by Fourier transforms.
LONG = 24


@dataclass(frozen=True, slots=True)
class States:
    """What an arriving customer may find.

    Parameters
    ----------
    others : tuple of int
        Other customers of each closed group, N. [customers]
    delay : tuple of float
        Mean number of each that think or are at delay stations, as a weight. [customers]
    stages : tuple of Stage
        The stations, as the arriving class meets them.
    shares : tuple of tuple of float
        By station, the part of each group in the load of the closed classes; they add up to 1. [1]
    known : dict
        Weights that were computed already, without some stations. They depend on no times, so
        copies with other times share them.
    """

    others: tuple[int, ...]
    delay: tuple[float, ...]
    stages: tuple[Stage, ...]
    shares: tuple[tuple[float, ...], ...]
    known: dict[tuple[int, ...], Complex] = field(default_factory=dict, compare=False, repr=False)

    def transform(self, s: Complex, visited: Sequence[tuple[int, float]]) -> Complex:
        """Transform of the time at some stations, each visited once with a probability.

        Parameters
        ----------
        s : array of complex, shape (B,)
            [1/s]
        visited : sequence of (int, float)
            Stations, and the probability of a visit to each.
        """
        import numpy as np

        chance = dict(visited)
        rest, norm = self._weights(chance), self._weights([])
        size = max(1, HELD // prod(n + 1 for n in self.others))
        found = [
            self._path(s[i : i + size], chance, rest) / norm.flat[-1]
            for i in range(0, len(s), size)
        ]
        return np.concatenate(found)

    def rounds(
        self, s: Complex, centre: int, others: Sequence[tuple[int, float]], most: int
    ) -> tuple[Complex, Complex]:
        """Transforms of several rounds about a central server that find the same.

        Parameters
        ----------
        s : array of complex, shape (B,)
            [1/s]
        centre : int
            The central server.
        others : sequence of (int, float)
            Stations, and the chance that a round goes to each; it goes to one at most.
        most : int
            How many rounds.

        Returns
        -------
        array of complex, shape (most, B)
            Of 0, 1, 2 ... rounds and one visit more to the centre.
        array of complex, shape (B,)
            Of ``most`` rounds.
        """
        import numpy as np

        rest, norm = self._weights([centre, *(k for k, _ in others)]), self._weights([])
        size = max(1, HELD // (most + 1) // prod(n + 1 for n in self.others))
        parts = [
            self._rounds(s[i : i + size], centre, others, most, rest)
            for i in range(0, len(s), size)
        ]
        found = np.concatenate(parts, axis=1) / norm.flat[-1]
        return found[:-1], found[-1]

    def ways(self, station: int) -> NDArray[np.float64]:
        """Weights of the rest of the network where 0, 1, 2 ... customers are at one station.

        The distribution of the number there that an arrival finds is that of these times the
        weights of the station. By the numbers of each group where the station's are so.
        """
        import numpy as np

        rest = self._weights([station])
        if isinstance(self.stages[station], Isolated):
            numbers: NDArray[np.float64] = np.flip(rest[..., 0].real)
            return numbers
        found = np.empty(sum(self.others) + 1)
        for n in range(len(found)):
            found[n] = rest.flat[-1].real
            rest = times_y(rest, self.shares[station])
        return found

    def visit(self, s: Complex, station: int, ways: NDArray[np.float64]) -> Complex:
        """Transform of the time of one visit to a station, with its `ways`."""
        import numpy as np

        def total(head: Complex, ratio: Complex) -> Complex:
            last = min(len(head), len(ways)) - 1
            # The geometric tail by Horner's rule, then the head before it.
            tail = np.zeros_like(ratio)
            if ratio.any():
                for weight in ways[:last:-1]:
                    tail = ratio * (weight + tail)
            tail = head[last] * (ways[last] + tail)
            whole: Complex = tail + (head[:last] * ways[:last, None]).sum(axis=0)
            return whole

        stage = self.stages[station]
        if isinstance(stage, Isolated):
            numbers = (stage.lattice(s) * ways[..., None]).reshape(-1, len(s))
            return np.asarray(numbers.sum(axis=0) / (stage.weights * ways).sum(), complex)
        here: Complex = total(*stage.series(s)) / total(*stage.series(np.zeros(1, complex)))
        return here

    def _rounds(
        self,
        s: Complex,
        centre: int,
        others: Sequence[tuple[int, float]],
        most: int,
        rest: Complex,
    ) -> Complex:
        """Transforms of 0, 1, 2 ... rounds and a visit more, and of ``most`` rounds without it."""
        import numpy as np

        none = 1.0
        for _, p in others:
            none -= p
        paths = {n: none**n * rest for n in range(most + 1) if none > NONE or n == 0}
        for k, p in others:
            after: dict[int, Complex] = {}
            for m in range(most + 1):  # so many of the rounds go there
                there, at = (self._repeated(k, m), s) if m else (self, np.zeros(1, complex))
                for n, path in paths.items():
                    if n + m <= most:
                        new = comb(n + m, m) * p**m * there._times(path, at, k)  # noqa: SLF001
                        after[n + m] = after[n + m] + new if n + m in after else new
            paths = after
        found = np.empty((most + 1, len(s)), complex)
        for n, path in paths.items():
            visits = min(n + 1, most)
            whole = self._repeated(centre, visits)._times(path, s, centre)  # noqa: SLF001
            found[n] = whole.reshape(-1, whole.shape[-1])[-1]
        return found

    def _repeated(self, station: int, times: int) -> States:
        """The same where one station is visited so often and finds the same."""
        stages = list(self.stages)
        stages[station] = stages[station].repeated(times)
        return replace(self, stages=tuple(stages))

    def _path(self, s: Complex, chance: dict[int, float], rest: Complex) -> Complex:
        import numpy as np

        path = rest
        for i, (k, p) in enumerate(chance.items(), 1):
            if i == len(chance) and p == 1.0:
                last = self._last(path, s, k)
                if last is not None:
                    return last
            there = self._times(path, s, k)
            if p < 1.0:
                there = p * there
                there += (1.0 - p) * self._times(path, np.zeros(1, complex), k)
            path = there
        found: Complex = path.reshape(-1, path.shape[-1])[-1]
        return found

    def _weights(self, but: Sequence[int] | dict[int, float]) -> Complex:
        """Weights of all populations at the terminals, delays and all stations ``but`` some."""
        import numpy as np

        key = tuple(sorted(but))
        if key in self.known:
            return self.known[key]
        found = np.ones([1] * len(self.others) + [1], complex)
        for g, (n, delay) in enumerate(zip(self.others, self.delay, strict=True)):
            row = np.array(poisson_weights(delay, n), complex)
            if not row.any():  # more think than there are: the weights rise to the last
                rising = [1.0]
                for i in range(n, 0, -1):
                    rising.append(rising[-1] * i / delay)
                row = np.array(rising[::-1], complex)
            shape = [1] * (len(self.others) + 1)
            shape[g] = n + 1
            found = found * row.reshape(shape)
        for k in range(len(self.stages)):
            if k not in but:
                found = self._times(found, np.zeros(1, complex), k)
        self.known[key] = found
        return found

    def _last(self, path: Complex, s: Complex, k: int) -> Complex | None:
        """The last coefficient of the product with a station's, where that is less work."""
        import numpy as np

        stage = self.stages[k]
        if isinstance(stage, Isolated):
            groups = tuple(range(path.ndim - 1))
            found: Complex = (np.flip(path, groups) * stage.lattice(s)).sum(axis=groups)
            return found
        head, ratio = stage.series(s)
        short = len(head) <= LONG or ratio.any()
        return None if short else _last_of(path, head, self.shares[k])

    def _times(self, rest: Complex, s: Complex, k: int) -> Complex:
        """The product of a power series with that of a station, a head and a geometric tail."""
        stage = self.stages[k]
        if isinstance(stage, Isolated):
            return _by_lattice(rest, stage.lattice(s))
        head, ratio = stage.series(s)
        shares = self.shares[k]
        last = min(len(head), sum(self.others) + 1) - 1
        # (head(0) + sum of (head(n) - ratio head(n - 1)) y^n) / (1 - ratio y)
        new = head[: last + 1].astype(complex)
        new[1:] -= ratio * head[:last]
        if last > LONG:
            found = _by_fourier(rest, _powers(rest.shape[:-1], new, shares))
        else:
            found = rest * new[last]
            for n in range(last - 1, -1, -1):
                found = times_y(found, shares)
                found += rest * new[n]
        if ratio.any():
            _over_one_less(found, shares, ratio)
        return found


def _by_lattice(rest: Complex, station: Complex) -> Complex:
    """The product with a power series in the numbers of each group."""
    import numpy as np

    sizes = station.shape[:-1]
    there = np.argwhere(station.any(axis=-1))
    if len(there) > LONG:
        return _by_fourier(rest, station)
    found = np.zeros(np.broadcast_shapes(rest.shape, station.shape), complex)
    for at in there.tolist():
        before = tuple(slice(0, n - i) for n, i in zip(sizes, at, strict=True))
        after = tuple(slice(i, None) for i in at)
        found[after] += rest[before] * station[tuple(at)]
    return found


def _last_of(rest: Complex, head: Complex, shares: Sequence[float]) -> Complex:
    """The last coefficient of the product with the sum of head(n) y^n."""
    powers = _powers(rest.shape[:-1], head, shares)
    turned = rest[tuple(slice(None, None, -1) for _ in shares)]
    axes = tuple(range(len(shares)))
    found: Complex = (turned * powers).sum(axis=axes)
    return found


def _by_fourier(rest: Complex, station: Complex) -> Complex:
    """The product with a power series, by Fourier transforms over the populations."""
    import numpy as np

    sizes = station.shape[:-1]
    axes, twice = tuple(range(len(sizes))), tuple(2 * n for n in sizes)
    both = np.fft.fftn(rest, twice, axes) * np.fft.fftn(station, twice, axes)
    product = np.fft.ifftn(both, twice, axes)
    return np.ascontiguousarray(product[tuple(slice(n) for n in sizes)])


def _powers(sizes: tuple[int, ...], head: Complex, shares: Sequence[float]) -> Complex:
    """The sum of head(n) y^n by populations."""
    import numpy as np

    number = np.indices(sizes)
    total = number.sum(axis=0)
    logs = np.array([lgamma(n + 1.0) for n in range(total.max() + 1)])
    ways = logs[total]
    for n, share in zip(number, shares, strict=True):
        ways = ways - logs[n] + (n * log(share) if share else np.where(n, -np.inf, 0.0))
    # Beyond the head there is nothing.
    longer = np.concatenate([head, 0.0 * head[:1]])
    found: Complex = np.exp(ways)[..., None] * longer[np.minimum(total, len(head))]
    return found


def times_y(series: Complex, shares: Sequence[float]) -> Complex:
    """The product with y, the sum of shares times z."""
    import numpy as np

    found = np.zeros_like(series)
    for g, share in enumerate(shares):
        if share:
            before, after = [slice(None)] * series.ndim, [slice(None)] * series.ndim
            before[g], after[g] = slice(None, -1), slice(1, None)
            found[tuple(after)] += share * series[tuple(before)]
    return found


def _over_one_less(series: Complex, shares: Sequence[float], ratio: Complex) -> None:
    """Divide by 1 - ratio y, in place: populations of one total after the other."""
    flat = series.reshape(-1, series.shape[-1])
    parts = [share * ratio for share in shares]
    for steps in _totals(series.shape[:-1]):
        for part, share, (at, before) in zip(parts, shares, steps, strict=True):
            if share and len(at):
                flat[at] += part * flat[before]


@lru_cache(maxsize=4)
def _totals(
    sizes: tuple[int, ...],
) -> list[list[tuple[NDArray[np.intp], NDArray[np.intp]]]]:
    """For each total of customers and each group: populations, and those with one less of it."""
    import numpy as np

    number = np.indices(sizes).reshape(len(sizes), -1)
    total = number.sum(axis=0)
    order = np.argsort(total, kind="stable")
    ends = np.searchsorted(total[order], np.arange(total.max() + 2))
    strides = [prod(sizes[g + 1 :]) for g in range(len(sizes))]
    found = []
    for first, last in pairwise(ends[1:]):
        plane = order[first:last]
        steps = []
        for g, stride in enumerate(strides):
            at = plane[number[g][plane] > 0]
            steps.append((at, at - stride))
        found.append(steps)
    return found
