"""Proportional bounds: one class, single-server and delay stations; see THEORY.md."""

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
    """Lowest and highest throughput of a single class. [1/s]"""
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
