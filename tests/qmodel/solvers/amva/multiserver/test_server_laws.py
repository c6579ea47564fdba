"""The laws for several servers against closed forms: M/M/m, two servers, a closed station."""

from math import factorial, prod

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.amva import closed_model
from qmodel.solvers.amva.closed_model import why_not
from qmodel.solvers.amva.multiserver import LAWS, conway
from qmodel.solvers.amva.multiserver.closed_marginals import idle_term
from tests.tables import rows

CLASSES = [qm.ClosedClass("a", 9, 2.0), qm.ClosedClass("b", 5)]
DEMAND = [[1.0, 0.3], [2.0, 0.1]]


def test_two_servers_are_empty_as_often_as_an_open_station_of_that_load():
    """An M/M/2 queue of load L is empty (2 - L) / (2 + L) of the time; then one server is lost.

    L is what an arrival sees, less its own share.
    """
    network = qm.Network(
        [qm.QueueingStation("cpu", 2), qm.QueueingStation("disk")], CLASSES, DEMAND
    )
    found = qm.solve(network, "bard-schweitzer")
    total = sum(x * row[0] for x, row in zip(found.throughputs, DEMAND, strict=True))
    for c, customers in enumerate(CLASSES):
        seen = sum(row[0] for row in found.queue_lengths)
        seen -= found.queue_lengths[c][0] / customers.population
        load = total - found.throughputs[c] * DEMAND[c][0] / customers.population
        expected = DEMAND[c][0] / 2 * (1 + seen + (2 - load) / (2 + load))
        assert found.residence_times[c][0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("method", ["linearizer", "aql", "bard-schweitzer"])
def test_seidmann_is_a_quicker_server_and_a_delay(method):
    disk = qm.QueueingStation("disk")
    whole = qm.Network([qm.QueueingStation("cpu", 5), disk], CLASSES, DEMAND)
    stations = [qm.QueueingStation("cpu"), qm.DelayStation("rest"), disk]
    split = qm.Network(stations, CLASSES, [[d / 5, d * 4 / 5, other] for d, other in DEMAND])
    found, expected = qm.solve(whole, f"{method}/seidmann"), qm.solve(split, method)
    assert found.throughputs == pytest.approx(expected.throughputs, rel=1e-9)
    for mine, theirs in zip(found.residence_times, expected.residence_times, strict=True):
        assert mine == pytest.approx([theirs[0] + theirs[1], theirs[2]], rel=1e-8)


@pytest.mark.parametrize("law", LAWS)
def test_probabilities_are_for_any_speeds_and_formulas_of_servers_for_servers(law):
    network = qm.Network([qm.LoadDependentStation("raid", [1.0, 1.4, 1.7])], CLASSES, [[1.0]] * 2)
    reason = why_not(network, law)
    if law == "conway":
        assert reason is None
    else:
        assert reason == "station 'raid' is load-dependent"


def erlang(servers, load):
    """The sum of (m - 1 - i) p(i) of an M/M/m queue, p(i) as in any textbook."""
    weights = [load**i / factorial(i) for i in range(servers)]
    all_ = sum(weights) + load**servers / factorial(servers) / (1.0 - load / servers)
    return sum((servers - 1 - i) * w for i, w in enumerate(weights)) / all_


@pytest.mark.parametrize("load", [0.01, 1.3, 3.9])
def test_an_arrival_finds_as_much_idle_as_at_an_open_queue(load):
    """Where the load is the same with one customer less, both laws are those of M/M/4."""
    rates, loads = np.arange(1.0, 5.0), np.array([load])
    expected = 1.0 + erlang(4, load)
    assert conway.at(loads[None], rates[:, None])[0][0, 0] == pytest.approx(expected, rel=1e-9)
    there, below = idle_term(loads, loads[:, None], loads, rates, 1e9)
    assert 1.0 + there[0] == pytest.approx(expected, rel=1e-6)
    assert 1.0 + below[0, 0] == pytest.approx(expected, rel=1e-6)


def closed(customers, think_time, rates):
    """What arrivals find idle, and the load, of customers who think and come to one station."""
    weights = [
        think_time ** (customers - i)
        / factorial(customers - i)
        / prod(rates[min(j, len(rates) - 1)] for j in range(i))
        for i in range(customers + 1)
    ]
    p = [w / sum(weights) for w in weights]
    load = sum(p[i] * rates[min(i, len(rates)) - 1] for i in range(1, customers + 1))
    lost = [(i + 1) * (rates[-1] / rate - 1.0) for i, rate in enumerate(rates)]
    return sum(a * b for a, b in zip(lost, p, strict=False)), load


@pytest.mark.parametrize("rates", [(1.0, 2.0, 3.0, 4.0), (1.0, 1.5, 1.7, 1.75)])
@pytest.mark.parametrize(("customers", "think_time", "within"), rows(__file__, "falling_arrivals"))
def test_falling_arrivals_are_near_a_closed_station(customers, think_time, within, rates):
    """Relative to all that may be idle; open arrivals at a fixed load are off by up to 6 %."""
    truth, load = closed(customers, think_time, rates)
    less, below = closed(customers - 1, think_time, rates)
    one = np.array([below])
    found, fewer = idle_term(np.array([load]), one[:, None], one, np.array(rates), customers)
    size = rates[-1] / rates[0] - 1.0
    assert found[0] == pytest.approx(truth, abs=within * size)
    assert fewer[0, 0] == pytest.approx(less, abs=within * size)


def test_who_is_the_only_one_finds_all_idle():
    """One customer at four servers: L of the time it is there, and finds three idle, not four."""
    found, below = idle_term(
        np.array([0.3]), np.zeros((1, 1)), np.zeros(1), np.arange(1.0, 5.0), 10.0
    )
    assert found[0] == pytest.approx(3 * 0.7 + 2 * 0.3, rel=1e-4)
    assert below[0, 0] == pytest.approx(3.0)


def test_rates_of_one_evaluation_are_counted_and_limited():
    """For each pair of a class and a population all rates of all stations."""
    classes = [qm.ClosedClass(name, 10**7) for name in "abc"]
    classes.append(qm.ClosedClass("nobody", 0))

    def network(servers):
        stations = [
            qm.QueueingStation("many", servers), qm.QueueingStation("one"),
            qm.LoadDependentStation("raid", [1.0, 1.4, 1.7]), qm.DelayStation("lan"),
        ]  # fmt: skip
        return qm.Network(stations, classes, [[1.0] * 4] * 4)

    most = closed_model.NUMBERS // (3 * 4) - 3
    assert why_not(network(most), "conway") is None
    assert why_not(network(most + 1), "conway") == (
        "its stations have 5e+07 rates in all, it takes 5e+07"
    )
    servers = qm.Network([qm.QueueingStation("many", 2 * most)], classes, [[1.0]] * 4)
    assert str(why_not(servers, "conway")).endswith("rates in all, it takes 5e+07")
    assert why_not(servers, "seidmann") is None  # it needs no rates
