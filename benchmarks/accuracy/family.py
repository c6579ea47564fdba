"""A family of networks, its truth, and the methods that are compared on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from qmodel import Network, Solution, solve

#: Lists of one measure each: "R", "X", "Q", "p95" ...
Values = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Truth:
    """What is right.

    Attributes
    ----------
    values : mapping of str to sequence of float
        By measure.
    scale : mapping of str to sequence of float
        What an error is divided by, where it is not the value itself.
    noise : mapping of str to sequence of float
        Half width of the confidence interval of each value, of a simulation.
    """

    values: Values
    scale: Values = field(default_factory=dict)
    noise: Values = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """See the text of `benchmarks.accuracy`."""

    name: str
    about: str
    seed: int
    networks: Callable[[int], Iterable[Network]]
    count: int
    reference: Callable[[Network], Truth]
    methods: Mapping[str, Callable[[Network], Values]]
    truth: str = "exact"
    sample: int = 6
    keep: bool = False
    #: Networks that the suite leaves to ``make accuracy``: some method takes seconds.
    slow: tuple[int, ...] = ()
    #: Measures in the order of the table; all that the reference has, by default.
    measures: tuple[str, ...] = ()


def measures(solution: Solution) -> dict[str, list[float]]:
    """Response times R and throughputs X of the classes, queue lengths Q of the stations."""
    queues = [
        sum(row[k] for row in solution.queue_lengths) for k in range(len(solution.network.stations))
    ]
    return {"R": list(solution.response_times), "X": list(solution.throughputs), "Q": queues}


def by_name(*names: str) -> dict[str, Callable[[Network], Values]]:
    """Methods of `qmodel.solve`."""
    return {name: partial(_solved, name) for name in names}


def exact_reference(network: Network) -> Truth:
    """The exact solution; queue lengths count as parts of all customers."""
    return as_truth(solve(network, "exact"))


def as_truth(solution: Solution) -> Truth:
    """A solution that is right."""
    values = measures(solution)
    everybody = sum(getattr(c, "population", 0) for c in solution.network.classes)
    if all(hasattr(c, "population") for c in solution.network.classes):
        return Truth(values, {"Q": [everybody] * len(values["Q"])})
    return Truth(values)


def errors(found: Values, truth: Truth) -> dict[str, float]:
    """The largest relative error of each measure."""
    worst = {}
    for measure, right in truth.values.items():
        if measure not in found:
            continue
        scale = truth.scale.get(measure, right)
        worst[measure] = max(
            (abs(a - b) / s for a, b, s in zip(found[measure], right, scale, strict=True) if s),
            default=0.0,
        )
    return worst


def _solved(name: str, network: Network) -> Values:
    return measures(solve(network, name))
