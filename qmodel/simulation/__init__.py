"""Simulation of a network, event by event, with confidence intervals.

`simulate` is the door. `layout` makes flat sequences of a network, `state` says what they are,
`events` and `queues` are the engine, which numba compiles where it is installed (`compiled`);
`replication` has the streams of random numbers, `rounds` runs replications until their intervals
are narrow; `over_time` has a time axis instead; `estimates` and `simulated` are what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.layered_model import Layered
from qmodel.model.network import Network, expect_network
from qmodel.simulation.simulated import Simulated
from qmodel.single_station.arguments import count, positive, shares

if TYPE_CHECKING:
    from qmodel.simulation.layout import Layout
    from qmodel.simulation.replication import Replication

__all__ = ["Simulated", "simulate"]


#: Percentiles asked for without saying which.
USUAL = (0.5, 0.9, 0.95, 0.99)


def simulate(
    network: Network | Layered, *, precision: float = 0.01, events: int | None = None,
    seconds: float | None = 60.0, seed: int = 0, replications: int = 20,
    percentiles: float | Iterable[float] = USUAL, target: float | Mapping[str, float] | None = None,
    executor: Executor | None = None, progress: Callable[[int, int], None] | None = None,
) -> Simulated:  # fmt: skip
    """Simulate a network in steady state until its intervals are narrow enough.

    Parameters
    ----------
    network : Network or Layered
        What to simulate: all that a network can say, but for classes that come back inside a limit
        by chance. Of a layered model the answer is a network of its processors, whose limits are
        its pools of threads.
    precision : float
        Half width of the 95 % intervals of response times, over their values, to stop at. [1]
    events : int, optional
        Stop after so many events, all replications together. [events]
    seconds : float, optional
        Stop after so much wall time; None for none. Where that is what stops it, the answer
        depends on the machine; else on nothing but the arguments. [s]
    seed : int
        Two seeds have no stream of random numbers in common.
    replications : int
        Independent replications, at least 2; intervals are from their differences.
    percentiles : sequence of float
        Each 0 < p < 1, of the response times. [1]
    target : float or mapping of class name to float, optional
        Response time beyond which an interaction is late. [s]
    executor : concurrent.futures.Executor, optional
        Where replications are run. The answer is the same with any and with none.
    progress : callable, optional
        Called after each round with the events that are done and those that will be needed.

    Raises
    ------
    NotApplicable
        If something in the network cannot be simulated, or all customers block each other.
    Unstable
        If open classes arrive faster than a station can serve.
    InvalidInput
        If an argument is out of range, or the precision would take 10^12 events.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation, simulate
    >>> disk = QueueingStation("disk", discipline="fcfs")
    >>> network = Network([disk], [OpenClass("reads", 0.5)], [1.0])
    >>> found = simulate(network, precision=0.05, target=6.0, seed=3)
    >>> found["reads"].low < 2.0 < found["reads"].high  # M/M/1: 1 / (1 - 0.5) s
    True
    """
    from qmodel.simulation.control_variates import controls_of
    from qmodel.simulation.rounds import SERIES, Rounds
    from qmodel.simulation.simulated import gathered
    from qmodel.solvers.open_load import open_loads

    flat = None
    if isinstance(network, Layered):
        from qmodel.simulation.layered_layout import layered_layout

        network, flat = layered_layout(network)
    expect_network(network)
    begun = perf_counter()
    asked, targets = shares(percentiles), targets_of(target, network)
    precision = positive(precision, "precision")
    if not any(limit.full == "reject" for limit in network.limits):  # that keeps queues short
        open_loads(network)
    trace = max(SERIES, min(100_000, 3 * sum(network.populations)))
    runs = started(network, replications, seed, targets, trace, flat=flat)
    rounds = Rounds(network, runs, executor, progress)
    counts = rounds.run(
        precision,
        inf if events is None else positive(events, "events"),
        inf if seconds is None else positive(seconds, "seconds"),
    )
    return gathered(
        network, counts, asked, targets, controls_of(network, counts), wider=rounds.wider,
        warm_up=rounds.warm_up, seconds=perf_counter() - begun, stopped=rounds.stopped,
    )  # fmt: skip


def started(
    network: Network, replications: int, seed: int, targets: Sequence[float | None], trace: int,
    start: str = "empty", flat: Layout | None = None,
) -> list[Replication]:  # fmt: skip
    """Replications at their beginnings, each with streams of its own; ``trace`` as there.

    ``flat`` is the layout, if it is not that which the network implies.
    """
    from numpy.random import SeedSequence

    from qmodel.simulation.layout import layout, why_not_simulated
    from qmodel.simulation.replication import Replication

    expect_network(network)
    replications, seed = count(replications, "replications", 2), count(seed, "seed", 0)
    if start not in {"empty", "loaded"}:
        raise InvalidInput(f"start is {start!r}, expected 'empty' or 'loaded'")
    if reason := why_not_simulated(network):
        raise NotApplicable(f"simulation: {reason}")
    flat = flat or layout(network)
    late = [inf if each is None else each for each in targets]
    seeds = SeedSequence(seed).spawn(replications)
    return [Replication(network, flat, each, late, trace, start == "loaded") for each in seeds]


def targets_of(target: Any, network: Network) -> list[float | None]:
    """The target of each class, None for none. [s]"""
    if target is None:
        return [None] * len(network.classes)
    if not isinstance(target, Mapping):
        return [positive(target, "target")] * len(network.classes)
    for name in target:
        if name not in network.class_names:
            raise InvalidInput(
                f"target of {name!r}: no such class; there is {', '.join(network.class_names)}"
            )
    given = [target.get(name) for name in network.class_names]
    return [None if each is None else positive(each, "target") for each in given]
