"""The Markov chain of a whole network against the one that follows every customer."""

import random

import pytest

import qmodel as qm
from tests.truth import markov, ordered
from tests.truth.agreement import disagreements

#: Relative difference that is rounding.
ROUNDING = 1e-9
#: States of the chain that follows every customer, at most.
STATES = 1_500


def station(rng, name, kind):
    if kind == "fork":
        return qm.ForkJoinStation(name, rng.choice([2, 2, 3]))
    if kind == "delay":
        return qm.DelayStation(name)
    return qm.QueueingStation(name, rng.choice([1, 1, 2, 3]), kind)


def drawn(rng):
    """Stations of all kinds, classes that skip some of them, and now and then a limit."""
    kinds = [rng.choice(["fcfs", "priority", "preemptive", "fork", "any", "ps", "delay"])
             for _ in range(rng.choice([1, 2, 2, 3]))]  # fmt: skip
    stations = [station(rng, f"s{k}", kind) for k, kind in enumerate(kinds)]
    count = rng.choice([1, 2, 2, 3])
    classes = [
        qm.ClosedClass(
            f"c{c}", rng.choice([0, 1, 1, 2, 2, 3]), rng.choice([0.0, 0.5, 2.0]), rng.randint(0, 2)
        )
        for c in range(count)
    ]
    demand = [[rng.choice([0.0, 1.0, 1.0, 1.0]) * 10 ** rng.uniform(-1, 0.5) for _ in kinds]
              for _ in classes]  # fmt: skip
    for row in demand:
        row[0] = row[0] or max(row[-1], 0.5)  # who visits nothing is no matter of a chain
    scv = [
        [1.0 if kind == "fork" else rng.choice([0.25, 0.5, 1.0, 1.0, 4.0]) for kind in kinds]
        for _ in classes
    ]
    limits = []
    if rng.random() < 0.4:
        first = rng.randrange(len(kinds))
        inside = [s.name for s in stations[first : first + rng.randint(1, 2)]]
        only = [c.name for c in classes if rng.random() < 0.7]
        limits.append(qm.PopulationLimit("limit", rng.randint(1, 3), inside, only or None))
    return qm.Network(stations, classes, demand, scv=scv, limits=limits)


def drawn_networks(seed, count):
    """Those that it takes, with their truth."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        try:
            network = drawn(rng)
            if qm.methods_for(network)["global-balance"] is None:
                found.append((network, ordered.solve(network, most=STATES)))
        except (qm.InvalidNetwork, AssertionError, RuntimeError):
            # Throughput without bound, too many states, or several sets of states that stay.
            continue
    return found


def test_speeds_that_depend_on_numbers():
    """Against the chain of counts, which knows of product form only."""
    stations = [
        qm.QueueingStation("cpu", discipline="fcfs"),
        qm.LoadDependentStation("array", [1.0, 1.7, 1.2]),
    ]
    classes = [qm.ClosedClass("a", 3, 1.0), qm.ClosedClass("b", 2, 3.0)]
    network = qm.Network(stations, classes, [[0.5, 0.9], [0.5, 0.3]])
    truth = markov.solve(network)
    solution = qm.solve(network, "global-balance")
    assert not disagreements(solution, truth, throughput=ROUNDING, others=ROUNDING)


@pytest.mark.parametrize("seed", range(8))
def test_networks_of_all_kinds(seed):
    for network, truth in drawn_networks(seed, 12):
        try:
            solution = qm.solve(network, "global-balance")
        except qm.Unstable:
            assert min(truth.throughput) < 1e-12
            continue
        except qm.NotApplicable as error:
            assert "keep the order in which they start" in str(error)  # noqa: PT017
            continue
        assert not disagreements(solution, truth, throughput=ROUNDING, others=ROUNDING), network
