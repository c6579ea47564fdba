"""The parts of a network solved in turn: where several of them are exact, and when they end."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.marie import marie as isolation
from qmodel.solvers.marie.marginal_weights import arrival_rates, product_form_weights

CLASSES = [qm.ClosedClass("a", 3, 1.0), qm.ClosedClass("b", 2, 2.0)]
#: Variation so near that of exponential service that nothing but product form can come out.
NEARLY = 1.0 + 1e-9


def in_order(*servers):
    return [qm.QueueingStation(f"s{k}", m, "fcfs") for k, m in enumerate(servers)]


@pytest.mark.parametrize("servers", [(1, 1), (2, 1, 1)])
def test_several_parts_of_product_form_are_exact(servers):
    """Each part is fed by all the others and by the rest."""
    rows = [[0.5, 0.9, 0.2][: len(servers)]] * 2
    plain = [qm.QueueingStation(f"s{k}", m) for k, m in enumerate(servers)]
    exact = qm.solve(qm.Network(plain, CLASSES, rows), "exact")
    scv = [[NEARLY] * len(servers)] * 2
    found = qm.solve(qm.Network(in_order(*servers), CLASSES, rows, scv=scv), "marie")
    assert found.throughputs == pytest.approx(exact.throughputs, rel=1e-7)
    for mine, theirs in zip(found.residence_times, exact.residence_times, strict=True):
        assert mine == pytest.approx(theirs, rel=1e-7)


def test_turns_end_when_nothing_changes_any_more():
    """Each turn makes what is left several times less, so that some twenty are enough."""
    found = isolation.solve(qm.Network(in_order(1, 1), CLASSES, [[0.5, 0.4], [0.1, 1.5]]))
    assert found.residual <= 1e-10
    assert 5 < found.iterations < 30
    one = qm.Network(in_order(1), CLASSES, [[0.5], [0.1]])
    assert isolation.solve(one).iterations == 1  # what feeds it does not change


def test_stations_that_nobody_visits_and_limits_come_first():
    """They hide nothing of what comes after them."""
    unseen = qm.QueueingStation("not measured")
    stations = in_order(1, 1)
    demand = [[0.5, 0.4], [0.1, 1.5]]
    found = qm.solve(qm.Network(stations, CLASSES, demand), "marie")
    beside = qm.Network([unseen, *stations], CLASSES, [[0.0, *row] for row in demand])
    assert qm.solve(beside, "marie").throughputs == found.throughputs
    inside = qm.QueueingStation("inside")
    wide = qm.PopulationLimit("memory", 5, ["inside"])
    rows = [[0.3, *row] for row in demand]
    limited = qm.Network([inside, *stations], CLASSES, rows, limits=[wide])
    free = qm.Network([inside, *stations], CLASSES, rows)
    assert qm.solve(limited, "marie").throughputs == pytest.approx(
        qm.solve(free, "marie").throughputs, rel=1e-8
    )


def test_weights_of_two_classes_at_two_servers():
    """(n + m)! / (n! m!) / (r(1) ... r(n + m)) times the powers of the demands."""
    found = product_form_weights((2, 1), (0.5, 2.0), (1.0, 2.0))
    assert found == pytest.approx(np.array([[1.0, 2.0], [0.5, 1.0], [0.125, 0.375]]))
    delay = product_form_weights((2, 1), (0.5, 2.0), None)
    assert delay == pytest.approx(np.array([[1.0, 2.0], [0.5, 1.0], [0.125, 0.25]]))


def test_who_is_too_unlikely_for_a_float_comes_all_the_same():
    """Two customers who think: one elsewhere comes at 1, two at 2, and none cannot."""
    assert arrival_rates(product_form_weights((2,), (1.0,), None))[0] == pytest.approx([2, 1, 0])
    assert arrival_rates(np.array([1.0, 0.0, 0.0]))[0].tolist() == [1.0, 1.0, 0.0]
    assert arrival_rates(np.array([1.0, 0.25, 0.0]))[0].tolist() == [4.0, 4.0, 0.0]
    two = arrival_rates(np.array([[1.0, 0.5], [0.0, 0.0]]))
    assert two[0].tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert two[1].tolist() == [[2.0, 0.0], [2.0, 0.0]]
