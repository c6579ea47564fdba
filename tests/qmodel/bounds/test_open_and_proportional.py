"""Proportional bounds, those of open networks, and N*: they hold, and where they are reached."""

from random import Random

import pytest

import qmodel as qm
from qmodel.bounds import balanced_job, proportional

RNG = Random(33)
SLOWS = qm.LoadDependentStation("slows", [1.0, 1.5, 0.5])


def closed(population, think_time, demands):
    stations = [qm.QueueingStation(f"s{k}") for k in range(len(demands))]
    return qm.Network(stations, [qm.ClosedClass("c", population, think_time)], [demands])


def test_proportional_bounds_hold_and_are_narrower_than_balanced_job_without_thinking():
    for _ in range(200):
        think = RNG.choice([0.0, RNG.expovariate(0.3)])
        demands = [RNG.lognormvariate(0.0, 0.8) for _ in range(RNG.randint(1, 5))]
        network = closed(RNG.randint(1, 50), think, demands)
        (low, high), x = proportional.find(network)[0], qm.solve(network, "mva").throughputs[0]
        assert low * (1 - 1e-12) <= x <= high * (1 + 1e-12)
        if not think:
            least, most = balanced_job.find(network)[0]
            assert (least * (1 - 1e-12) <= low, high <= most * (1 + 1e-12)) == (True, True)


@pytest.mark.parametrize("demands", [[0.3] * 4, [0.4, 0.1]])
def test_proportional_bounds_are_exact_for_two_customers_and_balanced_demands(demands):
    for network in (closed(2, 0.0, demands), closed(20, 0.0, [0.3] * 4)):
        exact = qm.solve(network).throughputs[0]
        assert proportional.find(network)[0] == pytest.approx((exact, exact), rel=1e-12)


def test_bounds_of_open_networks_hold_and_meet_where_demands_are_balanced():
    stations = [qm.QueueingStation("a"), qm.QueueingStation("b"), qm.DelayStation("c")]
    classes = [qm.OpenClass("x", 0.5), qm.OpenClass("y", 0.3)]
    network = qm.Network(stations, classes, [[0.9, 0.2, 1.0], [0.4, 1.5, 0.0]])
    for kind in ("asymptotic", "proportional", "tightest"):
        found = qm.bounds(network, kind)
        rows = found.lower_response_times, qm.solve(network).response_times
        for low, time, high in zip(*rows, found.upper_response_times):
            assert low <= time <= high
    even = qm.Network(stations[:2], classes[:1], [[0.9, 0.9]])
    found = qm.bounds(even, "balanced_job")
    exact = qm.solve(even).response_times[0]
    ends = found.lower_response_times[0], found.upper_response_times[0]
    assert ends == pytest.approx((exact, exact), rel=1e-12)
    for given, kind, said in (
        (network, "balanced_job", "'proportional' takes"), (network, "geometric", "closed classes"),
        (qm.Network([qm.QueueingStation("a", 2)], classes[:1], [[1.0]]), "proportional", "single"),
        (qm.Network([SLOWS], classes[:1], [[0.5]]), "balanced_job", "no single server of speed 1"),
    ):  # fmt: skip
        with pytest.raises(qm.NotApplicable, match=said):
            qm.bounds(given, kind)
    with pytest.raises(qm.Unstable, match=r"Lower the arrival rates to less than 0\.5 of"):
        qm.bounds(qm.Network(stations[:1], [qm.OpenClass("x", 4.0)], [[0.5]]))


def test_the_asymptotes_meet_at_the_saturation_population():
    network = qm.Network(
        [qm.QueueingStation("a", 2), qm.QueueingStation("b")], [qm.ClosedClass("c", 5, 3.0)],
        [[0.4, 0.1]],
    )  # fmt: skip
    assert qm.bounds(network).saturation_population == pytest.approx(3.5 / 0.2)
    delay = qm.Network([qm.DelayStation("d")], [qm.ClosedClass("c", 5, 3.0)], [[0.4]])
    assert qm.bounds(delay).saturation_population is None


@pytest.mark.parametrize(
    ("demands", "expected"), [([1.0, 1.0], None), ([0.1, 1.0], pytest.approx(4.1))]
)
def test_where_a_station_slows_there_is_no_saturation_population(demands, expected):
    """Unless another station limits the throughput."""
    stations, users = [SLOWS, qm.QueueingStation("b")], [qm.ClosedClass("c", 50, 3.0)]
    found = qm.bounds(qm.Network(stations, users, [demands]))
    assert found.saturation_population == expected
