"""A network over time: what becomes of it from a given beginning, by replications.

Every replication begins in the same state; what is counted in each of several equal steps is
estimated over the replications, so that intervals hold at any time and nothing need be stable [1].

References
----------
.. [1] A. M. Law, "Simulation Modeling and Analysis," 5th ed., McGraw-Hill, 2015, ch. 9.4: the
   replication method for terminating simulations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.model.validation import integer
from qmodel.simulation import USUAL, started
from qmodel.simulation.simulated import Simulated, gathered
from qmodel.simulation.validation import positive, targets_of
from qmodel.single_station.arguments import shares
from qmodel.tabular import Tabular


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
    network: Network,
    until: float,
    *,
    start: str = "empty",
    steps: int = 20,
    replications: int = 100,
    seed: int = 0,
    percentiles: float | Iterable[float] = USUAL,
    target: float | Mapping[str, float] | None = None,
    times: Mapping[Any, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> OverTime:
    """Simulate a network from its beginning on, without any warm-up; it need not be stable.

    Parameters
    ----------
    network : Network
        As for `simulate`.
    until : float
        When to end. [s]
    start : "empty" or "loaded"
        Whether closed classes think to begin with, or all ask at once, as after a failure.
    steps : int
        Equal parts of the time.
    replications : int
        Independent replications, at least 2.
    seed, percentiles, target, times
        As for `simulate`.
    progress : callable, optional
        Called after each replication with their number so far, and with all.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> users = ClosedClass("users", 30, think_time=60.0)
    >>> network = Network([QueueingStation("cpu")], [users], [1.0])
    >>> found = simulate_over_time(network, 120.0, start="loaded", steps=4)
    >>> [round(step["users"].value) for step in found.steps]  # a backlog of 30 s drains
    [13, 13, 2, 2]
    """
    until = positive(until, "until")
    asked, targets = shares(percentiles), targets_of(target, network)
    steps = integer(steps, "steps")
    if steps < 1:
        raise InvalidInput(f"steps is {steps}, expected >= 1")
    begun = perf_counter()
    runs = started(network, replications, seed, targets, 0, times, start)
    ends = tuple(until * (i + 1) / steps for i in range(steps))
    counts: list[list[Any]] = [[] for _ in ends]
    stopped = "until"
    try:
        for number, run in enumerate(runs, 1):
            for end, found in zip(ends, counts, strict=True):
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
