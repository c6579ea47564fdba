"""A network over time: how it goes on from a given beginning, by replications; see THEORY.md."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from qmodel.errors import InvalidInput
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network, expect_network
from qmodel.model.validation import finite
from qmodel.simulation import USUAL, started, targets_of
from qmodel.simulation.simulated import Simulated, gathered
from qmodel.single_station.arguments import count, positive, shares
from qmodel.tabular import Tabular

#: From when on so many times the arrivals or customers of a class are there. [s], [1]
Profile = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class OverTime(Tabular):
    """The steps of a time axis.
    As a table: the rows of `Simulated`, step by step.

    Attributes
    ----------
    ends : tuple of float
        When each step ends, from the beginning on. [s]
    steps : tuple of Simulated
        What was counted in each; a response time belongs to the step in which it ends.

    Examples
    --------
    >>> from qmodel import DelayStation, OpenClass
    >>> network = Network([DelayStation("lan")], [OpenClass("x", 20.0)], [2.0])
    >>> found = simulate_over_time(network, 8.0, steps=4)
    >>> found.ends, [round(step.queue_lengths[0][0].value) for step in found.steps]
    ((2.0, 4.0, 6.0, 8.0), [15, 31, 36, 39])
    """

    ends: tuple[float, ...]
    steps: tuple[Simulated, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists in base units."""
        return {"ends": list(self.ends), "steps": [step.to_dict() for step in self.steps]}

    def _caption(self) -> str:
        return f"{len(self.ends)} steps, 95 % intervals"

    def _columns(self) -> dict[str, list[Any]]:
        tables = [step._columns() for step in self.steps]  # noqa: SLF001
        rows = len(tables[0]["class"])
        ends = {"end": [end for end in self.ends for _ in range(rows)]}
        return ends | {name: [x for table in tables for x in table[name]] for name in tables[0]}


def simulate_over_time(
    network: Network, until: float, *, start: str = "empty", steps: int = 20,
    replications: int = 100, seed: int = 0, percentiles: float | Iterable[float] = USUAL,
    target: float | Mapping[str, float] | None = None, load: Mapping[str, Profile] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> OverTime:  # fmt: skip
    """Simulate a network from its beginning on, without any warm-up; it need not be stable.

    Parameters
    ----------
    network : Network
        As for `simulate`, but no layered model.
    until : float
        When to end. [s]
    start : "empty" or "loaded"
        Whether closed classes think to begin with, or all ask at once, as after a failure.
    steps : int
        Equal parts of the time.
    replications : int
        Independent replications, at least 2.
    seed, percentiles, target
        As for `simulate`.
    load : mapping of class name to sequence of (float, float), optional
        From when on [s] how many times the arrival rate or the customers of the network a class
        has; before the first 1. Customers begin by thinking, and leave when they would think.
    progress : callable, optional
        Called after each replication with their number so far, and with all.

    Raises
    ------
    InvalidInput
        If this is no network, an argument is out of range, or ``load`` names no class.
    NotApplicable
        If something in the network cannot be simulated, or all customers block each other.
    Unstable
        If there are too many customers to go on.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> users = ClosedClass("users", 30, think_time=60.0)
    >>> network = Network([QueueingStation("cpu")], [users], [1.0])
    >>> found = simulate_over_time(network, 120.0, start="loaded", steps=4)
    >>> [round(step["users"].value) for step in found.steps]  # a backlog of 30 s drains
    [13, 13, 2, 2]
    """
    expect_network(network)
    until = positive(until, "until")
    asked, targets = shares(percentiles), targets_of(target, network)
    steps = count(steps, "steps", 1)
    begun = perf_counter()
    largest, changes = _changes(network, load or {})
    runs = started(largest, replications, seed, targets, 0, start)
    ends = tuple(until * (i + 1) / steps for i in range(steps))
    counts: list[list[Any]] = [[] for _ in ends]
    stopped = "until"
    try:
        for number, run in enumerate(runs, 1):
            left = list(changes)
            for end, found in zip(ends, counts, strict=True):
                while left and left[0][0] < end:
                    at, factors, there = left.pop(0)
                    if at > 0.0:
                        run.run(at)
                    run.take_load(factors, there)
                run.run(end)
                found.append(run.counted())
                run.count_anew()
            if progress is not None:
                progress(number, len(runs))
    except KeyboardInterrupt:
        stopped = "interrupted"
        if len(counts[-1]) < 2:
            raise
    counts = [row[: len(counts[-1])] for row in counts]
    how: dict[str, Any] = {"seconds": perf_counter() - begun, "stopped": stopped}
    return OverTime(
        ends,
        tuple(
            gathered(network, row, asked, targets, warm_up=end - until / steps, **how)
            for end, row in zip(ends, counts, strict=True)
        ),
    )


def _changes(
    network: Network, load: Mapping[str, Profile]
) -> tuple[Network, list[tuple[float, list[float], list[int]]]]:
    """The network with all customers there ever are, and when how many of each class are there.

    A change has its time, by class the factor of the arrival rate, and the customers.
    """
    for name, profile in load.items():
        if name not in network.class_names:
            raise InvalidInput(f"load of {name!r}: expected {', '.join(network.class_names)}")
        for pair in profile:
            if min(finite(each, f"load of {name!r}", error=InvalidInput) for each in pair) < 0.0:
                raise InvalidInput(f"load of {name!r} is {pair}, expected a time and factor >= 0")
    steps = {name: [(0.0, 1.0), *sorted(profile)] for name, profile in load.items()}
    changes = []
    for at in sorted({time for profile in steps.values() for time, _ in profile}):
        factors = [
            [factor for time, factor in steps.get(name, [(0.0, 1.0)]) if time <= at][-1]
            for name in network.class_names
        ]
        there = [
            round(factor * getattr(c, "population", 0))
            for factor, c in zip(factors, network.classes, strict=True)
        ]
        changes.append((at, factors, there))
    classes = [
        replace(c, population=max([c.population, *(there[i] for _, _, there in changes)]))
        if isinstance(c, ClosedClass)
        else c
        for i, c in enumerate(network.classes)
    ]
    return replace(network, classes=tuple(classes)), changes
