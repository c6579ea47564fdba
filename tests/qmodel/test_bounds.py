"""Bounds: they hold for exact answers, they are reached, and they say where they do not apply."""

import random

import pytest

from qmodel import (
    ClosedClass,
    DelayStation,
    InvalidInput,
    LoadDependentStation,
    Network,
    NotApplicable,
    OpenClass,
    QueueingStation,
    bounds,
    solve,
)
from qmodel.bounds import KINDS


def random_network(seed):
    rng = random.Random(seed)
    makers = [
        QueueingStation,
        lambda name: QueueingStation(name, rng.randint(2, 5)),
        DelayStation,
        lambda name: LoadDependentStation(name, [rng.uniform(0.3, 3.0) for _ in range(4)]),
    ]
    allowed = makers[:1] if seed % 2 else makers
    stations = [rng.choice(allowed)(f"station {k}") for k in range(rng.randint(1, 4))]
    classes = [ClosedClass("users", rng.choice([1, 2, 5, 12]), rng.choice([0.0, 1.0, 20.0]))]
    if seed % 2:
        classes += [ClosedClass("others", rng.choice([0, 1, 4]), 2.0)] * (seed % 4 == 1)
    demand = [[rng.choice([0.0, 0.1, 1.0]) + 0.01 for _ in stations] for _ in classes]
    return Network(stations, classes, demand)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_bound_holds(kind):
    held = 0
    for seed in range(120):
        network = random_network(seed)
        if kind.why_not(network) is not None:
            continue
        held += 1
        solution = solve(network, "exact")
        found = bounds(network, kind.name)
        for c, x in enumerate(solution.throughputs):
            assert found.lower_throughputs[c] * (1 - 1e-12) <= x
            assert x <= found.upper_throughputs[c] * (1 + 1e-12)
            if x:
                r = solution.response_times[c]
                assert found.lower_response_times[c] <= r * (1 + 1e-9) + 1e-12
                assert r <= found.upper_response_times[c] * (1 + 1e-9) + 1e-12
    assert held >= 30


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_bound_is_reached_by_one_customer(kind):
    network = Network(
        [QueueingStation("cpu"), QueueingStation("disk")],
        [ClosedClass("users", 1, 3.0)],
        [0.3, 0.2],
    )
    found = bounds(network, kind.name)
    assert found.lower_throughputs == pytest.approx(found.upper_throughputs, rel=1e-14)
    assert found.upper_throughputs[0] == pytest.approx(1 / 3.5, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_upper_bound_is_reached_in_saturation(kind):
    network = Network(
        [QueueingStation("cpu"), QueueingStation("disk")],
        [ClosedClass("users", 5000, 3.0)],
        [0.3, 0.2],
    )
    found = bounds(network, kind.name).upper_throughputs[0]
    assert solve(network).throughputs[0] == pytest.approx(found, rel=1e-12)


def test_balanced_job_bounds_meet_in_a_balanced_network():
    network = Network(
        [QueueingStation("a"), QueueingStation("b"), QueueingStation("c")],
        [ClosedClass("users", 8)],
        [0.5, 0.5, 0.5],
    )
    found = bounds(network, "balanced_job")
    assert found.lower_throughputs[0] == pytest.approx(8 / (1.5 + 7 * 0.5), rel=1e-14)
    assert found.upper_throughputs == pytest.approx(found.lower_throughputs, rel=1e-14)


def test_the_tightest_is_at_least_as_tight_as_each():
    network = random_network(3)
    best = bounds(network)
    assert best.kind == "tightest"
    for kind in KINDS:
        found = bounds(network, kind.name)
        for c in range(len(network.classes)):
            assert best.lower_throughputs[c] >= found.lower_throughputs[c]
            assert best.upper_throughputs[c] <= found.upper_throughputs[c]


def test_no_customers_have_no_throughput():
    network = Network(
        [QueueingStation("cpu")],
        [ClosedClass("none", 0, 1.0), ClosedClass("some", 2)],
        [[0.1], [0.5]],
    )
    found = bounds(network)
    assert (found.lower_throughputs[0], found.upper_throughputs[0]) == (0.0, 0.0)
    assert (found.lower_response_times[0], found.upper_response_times[0]) == (0.0, 0.0)


def test_rounding_does_not_turn_bounds_around():
    """The other class fills the station by itself, to the last digit and a bit more."""
    network = Network(
        [QueueingStation("cpu")],
        [ClosedClass("none", 0, 0.11705576529402273), ClosedClass("some", 3)],
        [[0.4581551426561837], [0.6483645197088758]],
    )
    found = bounds(network, "balanced_job")
    assert found.upper_throughputs[0] == 0.0
    assert found.lower_throughputs[1] <= found.upper_throughputs[1]
    assert solve(network).throughputs[1] == pytest.approx(1 / 0.6483645197088758, rel=1e-12)


def test_open_classes_and_unknown_kinds_are_refused():
    network = Network([QueueingStation("cpu")], [OpenClass("mail", 0.5)], [[0.1]])
    with pytest.raises(NotApplicable, match="'mail' is open"):
        bounds(network)
    closed = Network([QueueingStation("cpu", 2)], [ClosedClass("users", 5)], [0.1])
    with pytest.raises(InvalidInput, match="no bound 'best'"):
        bounds(closed, "best")
    with pytest.raises(NotApplicable, match="'cpu' has 2 servers"):
        bounds(closed, "balanced_job")
