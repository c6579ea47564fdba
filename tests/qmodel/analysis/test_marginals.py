"""Distributions of numbers: means are those of the solution, constants give the throughputs."""

from math import exp
from random import Random

import pytest

import qmodel as qm
from qmodel.single_station import MMm
from tests.tables import asked, rows

RNG = Random(7)


def network_of(classes):
    stations = [qm.QueueingStation("a", 2), qm.LoadDependentStation("b", [1.0, 1.5, 1.2])]
    stations += [qm.DelayStation("c"), qm.QueueingStation("d")]
    demand = [[RNG.lognormvariate(0.0, 1.0) for _ in stations] for _ in classes]
    return qm.Network(stations, classes, demand)


@pytest.mark.parametrize("sizes", [(9,), (3, 4), (2, 0, 3), (1, 2, 2)])
def test_means_and_throughputs_are_those_of_the_solution(sizes):
    network = network_of([qm.ClosedClass(f"c{i}", n, i) for i, n in enumerate(sizes)])
    exact = qm.solve(network, "exact")
    for k, name in enumerate(network.station_names):
        found = qm.marginal(network, name)
        assert found.mean == pytest.approx(sum(q[k] for q in exact.queue_lengths), rel=1e-10)
        assert found.at_least(0) == pytest.approx(1.0, rel=1e-12)
    less = network.with_population(sizes[0] - 1, *sizes[1:])
    ratio = qm.log_normalizing_constant(less) - qm.log_normalizing_constant(network)
    assert exp(ratio) == pytest.approx(exact.throughputs[0], rel=1e-10)


def test_open_stations_are_those_alone():
    network = network_of([qm.OpenClass("x", 0.1), qm.OpenClass("y", 0.05)])
    load = 0.1 * network.demand[0][0] + 0.05 * network.demand[1][0]
    found, alone = qm.marginal(network, "a"), MMm(load, 1.0, 2)
    assert found.probabilities[3] == pytest.approx(alone.probability(3), rel=1e-12)
    assert found.at_least(3) == pytest.approx(alone.at_least(3), rel=1e-10)
    assert found.at_least(1) == pytest.approx(alone.at_least(1), rel=1e-10)
    assert found.variance == pytest.approx(alone.number_variance, rel=1e-10)


@pytest.mark.parametrize(("classes", "said"), rows(__file__, "too_large"))
def test_what_is_too_large_is_named_with_a_way_out(classes, said):
    classes = asked(classes, globals())
    with pytest.raises(qm.NotApplicable, match=rf"{said}.*use simulate\(\)"):
        qm.marginal(network_of(classes), "a")
