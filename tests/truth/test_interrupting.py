"""Open classes that interrupt each other at several servers, against the Markov chain of two."""

import pytest

import qmodel as qm
from qmodel.solvers.amva.preemptive_multiserver import Visits, delays
from tests.tables import asked, rows
from tests.truth.chain import explored, stationary

#: Customers of each class that the chain holds; it is hardly ever full.
FULL = (40, 150)


def chain(rates, times, servers):
    """Response times of two classes, the first of which interrupts the second."""

    def moves(state):
        first, second = state
        served = min(first, servers)
        if first < FULL[0]:
            yield (first + 1, second), rates[0]
        if second < FULL[1]:
            yield (first, second + 1), rates[1]
        if served:
            yield (first - 1, second), served / times[0]
        if beside := min(second, servers - served):
            yield (first, second - 1), beside / times[1]

    states, flow = explored([(0, 0)], moves)
    probability = stationary(len(states), flow)
    return [
        sum(p * state[c] for p, state in zip(probability, states, strict=True)) / rates[c]
        for c in (0, 1)
    ]


def network(rates, times, servers):
    classes = [qm.OpenClass(f"c{c}", rate, priority=c) for c, rate in enumerate(rates)]
    station = qm.QueueingStation("cpu", servers, discipline="preemptive")
    return qm.Network([station], classes, [[time] for time in times])


@pytest.mark.parametrize("servers", [1, 2, 4])
@pytest.mark.parametrize("load", [(0.3, 0.3), (0.2, 0.6)])
def test_equal_times_are_exact(servers, load):
    rates = [servers * part for part in load]
    truth = chain(rates, (1.0, 1.0), servers)
    found = qm.solve(network(rates, (1.0, 1.0), servers), "extended-amva")
    assert found.response_times == pytest.approx(truth, rel=1e-8)


@pytest.mark.parametrize(
    ("servers", "times", "load", "within"), rows(__file__, "unequal_times_are_near")
)
def test_unequal_times_are_near(servers, times, load, within):
    times, load = asked(times, globals()), asked(load, globals())
    rates = [servers * part / time for part, time in zip(load, times, strict=True)]
    truth = chain(rates, times, servers)
    found = qm.solve(network(rates, times, servers), "extended-amva").response_times
    assert found[0] == pytest.approx(truth[0], rel=1e-8)
    assert found[1] == pytest.approx(truth[1], rel=within)


def test_one_class_is_a_queue_of_several_servers_and_one_server_is_any_service():
    """M/M/4; and at one server M/G/1 of the first class, which sees nothing of the other."""
    plain = qm.Network([qm.QueueingStation("cpu", 4)], [qm.OpenClass("a", 3.0)], [[1.0]])
    (delay,) = delays([Visits(3.0, 1.0, 1.0, 0)], 4)
    assert delay + 1.0 == pytest.approx(qm.solve(plain).response_times[0], rel=1e-12)
    first, _ = delays([Visits(0.5, 1.0, 2.5, 0), Visits(0.1, 1.0, 1.0, 1)], 1)
    assert first == pytest.approx(0.5 * 2.5 / 0.5)


def test_ranks_in_any_order_and_nobody():
    visits = [Visits(0.5, 1.0, 1.0, 3), Visits(0.0, 1.0, 1.0, 0), Visits(0.4, 2.0, 3.0, 1)]
    found = delays(visits, 2)
    assert found[1] == 0.0
    assert found == delays(visits[::-1], 2)[::-1]
