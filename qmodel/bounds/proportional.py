"""Proportional bounds: one class, single-server and delay stations.

Theory and sources: `qmodel/bounds/THEORY.md`, proportional.
"""

from collections.abc import Sequence

from qmodel.bounds import balanced_job
from qmodel.bounds.asymptotic import Interval, Kind, delays_and_demands
from qmodel.bounds.geometric import why_not
from qmodel.model.network import Network


def find(network: Network) -> list[Interval]:
    """Lowest and highest throughput of the class."""
    (population,), (delay,), (demands,) = delays_and_demands(network)
    return [one_class(population, delay, demands) if population else (0.0, 0.0)]


def one_class(population: int, delay: float, demands: Sequence[float]) -> Interval:
    """Lowest and highest throughput of a single class. [1/s]

    Examples
    --------
    Two customers, demands 2 and 1 s: X = 2 / (3 + 5 / 3), as mean value analysis has it.

    >>> low, high = one_class(2, 0.0, [2.0, 1.0])
    >>> round(low, 6), round(high, 6)
    (0.428571, 0.428571)
    """
    largest, others = max(demands, default=0.0), population - 1
    alone = delay + sum(demands)
    if not largest or not others:
        return population / alone, population / alone
    shares = [d / largest for d in demands if d]
    least, most = balanced_job.one_class(others, delay, demands)
    even = largest * sum(s * s for s in shares) / sum(shares)
    powers = [s**others for s in shares]
    uneven = largest * sum(s * p for s, p in zip(shares, powers, strict=True)) / sum(powers)
    return (
        population / (alone + uneven * (others - delay * least)),
        min(1.0 / largest, population / (alone + even * (others - delay * most))),
    )


KIND = Kind("proportional", find, why_not)
