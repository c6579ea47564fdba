"""Marginal distributions of the number at a station, and normalizing constants; see THEORY.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import exp, expm1, fsum, inf, log, prod
from typing import Any

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.kernels.convolution import convolution
from qmodel.model.closed_network import OneClass, not_closed, of_one_class, one_class, service_rates
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network, expect_network
from qmodel.model.solution import index_of
from qmodel.model.stations import DelayStation, Station
from qmodel.numerics.arrays import Array
from qmodel.solvers import solve
from qmodel.solvers.marie.marginal_weights import convolve, product_form_weights
from qmodel.solvers.open_load import open_loads
from qmodel.tabular import Tabular

#: Customers of one class and population vectors of several at most: some seconds; numbers of an
#: open station, and the probability of those left out.
CUSTOMERS, VECTORS, NUMBERS, SELDOM = 4_000, 2_500, 2_000_000, 1e-17


@dataclass(frozen=True, slots=True)
class Marginal(Tabular):
    """The distribution of the number of customers at a station, of all classes together.
    As a table: a row per number.

    Parameters
    ----------
    station : str
        Its name.
    probabilities : tuple of float
        Of 0, 1 ... customers; of an open network to where the rest is below 1e-17. [1]

    Examples
    --------
    >>> found = Marginal("cpu", (0.25, 0.5, 0.25))
    >>> found.mean, found.variance, found.at_least(1)
    (1.0, 0.5, 0.75)
    """

    station: str
    probabilities: tuple[float, ...]

    def at_least(self, n: int) -> float:
        """Probability of n customers or more. [1]"""
        return fsum(self.probabilities[max(n, 0) :])

    @property
    def mean(self) -> float:
        """Mean number. [customers]"""
        return fsum(n * p for n, p in enumerate(self.probabilities))

    @property
    def variance(self) -> float:
        """Variance of the number. [customers^2]"""
        mean = self.mean
        return fsum((n - mean) ** 2 * p for n, p in enumerate(self.probabilities))

    def _caption(self) -> str:
        return f"customers at {self.station}"

    def _columns(self) -> dict[str, Any]:
        return {"number": range(len(self.probabilities)), "probability": self.probabilities}


def marginal(network: Network, station: str) -> Marginal:
    """The distribution of the number of customers at a station of an open or a closed network.

    Parameters
    ----------
    network : Network
        Of product form; of one closed class, several with few customers, or open classes.
    station : str
        Its name.

    Raises
    ------
    NotApplicable
        If there is no product form, open classes beside closed ones, or too many customers.
    InvalidInput
        If there is no such station.
    Unstable
        If an open class arrives faster than a station can serve.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, marginal
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 2)], [[0.2, 0.1]])
    >>> found = marginal(network, "cpu")
    >>> [round(p, 6) for p in found.probabilities], round(found.at_least(1), 6)
    ([0.142857, 0.285714, 0.571429], 0.857143)
    >>> round(found.mean, 6), round(found.variance, 6)
    (1.428571, 0.530612)
    """
    _check(network)
    k = index_of(network.station_names, station, "station")
    if not any(isinstance(c, ClosedClass) for c in network.classes):
        return Marginal(station, _of_open(network, k))
    if sum(map(bool, network.populations)) > 1:
        own, rest, _ = _lattice(network, k)
        joint = own * rest[(slice(None, None, -1),) * rest.ndim]
        by_number = [0.0] * (sum(network.populations) + 1)
        for at, weight in zip(product(*map(range, joint.shape)), joint.flat, strict=True):
            by_number[sum(at)] += float(weight)
        return Marginal(station, tuple(each / fsum(by_number) for each in by_number))
    model = one_class(network)
    c, n = model.position, model.population
    others = _log_constants(_without(network, c, n, k))
    logs = list(accumulate(_log_factors(network.stations[k], network.demand[c][k], n), initial=0.0))
    return Marginal(
        station, _normalized([f + g for f, g in zip(logs, reversed(others), strict=True)])
    )


def log_normalizing_constant(network: Network) -> float:
    """The natural logarithm of G(N) of a closed network, demands and think times in seconds.

    Weights are those of [2]: (n_1 + ... n_C)! prod (D_c^n_c / n_c!) / (r(1) ... r(n)) at a station,
    prod (Z_c^n_c / n_c!) of the terminals. Raises `NotApplicable` as `marginal` does, and for
    open classes.

    Examples
    --------
    G(2) = 0.2^2 + 0.2 0.1 + 0.1^2:

    >>> from qmodel import ClosedClass, Network, QueueingStation, log_normalizing_constant
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 2)], [[0.2, 0.1]])
    >>> round(exp(log_normalizing_constant(network)), 12)
    0.07
    """
    _check(network)
    if (reason := not_closed(network)) is not None:
        raise NotApplicable(f"{reason}; log_normalizing_constant() takes closed classes")
    if sum(map(bool, network.populations)) > 1:
        return _lattice(network, None)[2]
    model = one_class(network)
    return _log_constants(_without(network, model.position, model.population, None))[-1]


def _check(network: Network) -> None:
    """Raise `NotApplicable` unless there are such constants, and not too many."""
    expect_network(network)
    sizes = [n for n in network.populations if n]
    broken = network.product_form_violation()
    if broken is None and len({type(c) for c in network.classes}) > 1:
        broken = "open classes beside closed ones"
    if broken is None and len(sizes) > 1 and (vectors := prod(n + 1 for n in sizes)) > VECTORS:
        broken = f"{vectors:.3g} population vectors, it takes {VECTORS}"
    if broken is None and sum(sizes) > CUSTOMERS:
        broken = f"{sum(sizes)} customers, it takes {CUSTOMERS}"
    if broken is not None:
        raise NotApplicable(f"distributions of numbers take product form: {broken}; use simulate()")


def _without(network: Network, c: int, n: int, k: int | None) -> OneClass:
    others = [j for j in range(len(network.stations)) if j != k]
    return of_one_class(network, c, others, n, network.think_time[c])


def _log_constants(model: OneClass) -> list[float]:
    """Logarithms of G(0) to G(N) of one class; minus infinity where no customer has a place."""
    if not model.demands and not model.delay:
        return [0.0] + [-inf] * model.population
    numbers = range(1, model.population + 1)
    rows = convolution(model, numbers, stations=False) if model.population else {}
    return list(accumulate((-log(rows[n][0]) for n in numbers), initial=0.0))


def _log_factors(station: Station, demand: float, most: int) -> Iterator[float]:
    """Logarithm of f(n) / f(n - 1), n = 1, 2 ... of the weights of a station."""
    rates = None if isinstance(station, DelayStation) else service_rates(station)
    for n in range(1, most + 1):
        rate = n if rates is None else rates[min(n, len(rates)) - 1]
        yield log(demand / rate) if demand else -inf


def _of_open(network: Network, k: int) -> tuple[float, ...]:
    logs, top = [0.0], 0.0
    for step in _log_factors(network.stations[k], open_loads(network)[k].load, NUMBERS):
        logs.append(logs[-1] + step)
        top = max(top, logs[-1])
        # A geometric tail from here on, or one that falls faster.
        if step < 0.0 and logs[-1] - top < log(SELDOM) + log(-expm1(step)):
            return _normalized(logs)
    raise NotApplicable(
        f"more than {NUMBERS} numbers at {network.station_names[k]!r}; lower its load"
    )


def _normalized(logs: Sequence[float]) -> tuple[float, ...]:
    top = max(logs)
    weights = [exp(each - top) for each in logs]
    total = fsum(weights)
    return tuple(each / total for each in weights)


def _lattice(network: Network, k: int | None) -> tuple[Array, Array, float]:
    """Weights of station k and G of all others over the lattice of populations, and log G(N).

    Times are in units of the cycle of each class: the weights f(n) X^n at their throughputs X.
    """
    classes = [c for c, n in enumerate(network.populations) if n]
    sizes = [network.populations[c] for c in classes]
    pace = [solve(network).throughputs[c] for c in classes]
    thinking = product_form_weights(
        sizes, [network.think_time[c] * x for c, x in zip(classes, pace, strict=True)], None
    )
    own, rest = np.zeros_like(thinking), thinking
    own[(0,) * own.ndim] = 1.0
    for j, station in enumerate(network.stations):
        work = [network.demand[c][j] * x for c, x in zip(classes, pace, strict=True)]
        rates = None if isinstance(station, DelayStation) else service_rates(station)
        weights = product_form_weights(sizes, work, rates)
        own, rest = (weights, rest) if j == k else (own, convolve(rest, weights))
    constant = float((own * np.flip(rest)).sum())
    if not 0.0 < constant < inf:
        raise NotApplicable("normalizing constants leave the range of floats; use simulate()")
    units = fsum(n * log(x) for n, x in zip(sizes, pace, strict=True))
    return own, rest, log(constant) - units
