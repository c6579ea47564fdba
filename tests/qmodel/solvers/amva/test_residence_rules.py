"""The rules of `extended-amva` at open stations alone, where textbooks have the answer."""

from itertools import pairwise
from math import factorial

import pytest

import qmodel as qm
from tests.truth import ordered

#: It keeps the network from having product form, and nobody else comes there.
APART = qm.QueueingStation("apart", discipline="fcfs")


def response_times(station, classes, services, scv):
    """Of classes at a station alone."""
    last = [*classes, qm.OpenClass("apart", 0.1)]
    demand = [[s, 0.0] for s in services] + [[0.0, 1.0]]
    squares = [[c, 1.0] for c in scv] + [[1.0, 4.0]]
    network = qm.Network([station, APART], last, demand, scv=squares)
    return qm.solve(network, "extended-amva").response_times[:-1]


def erlang_c(servers, load):
    """Probability that an arrival waits in M/M/m; Kleinrock I, eq. 3.40."""
    last = load**servers / factorial(servers) / (1.0 - load / servers)
    return last / (sum(load**i / factorial(i) for i in range(servers)) + last)


@pytest.mark.parametrize("discipline", ["fcfs", "any", "ps"])
@pytest.mark.parametrize(("servers", "load"), [(2, 0.2), (2, 1.8), (5, 3.5), (5, 4.5)])
def test_exponential_service_at_several_servers(discipline, servers, load):
    """M/M/m of service times of 2 s."""
    station = qm.QueueingStation("cpu", servers, discipline)
    (found,) = response_times(station, [qm.OpenClass("a", load / 2.0)], [2.0], [1.0])
    wait = erlang_c(servers, load) * 2.0 / (servers - load)
    assert found == pytest.approx(2.0 + wait, rel=1e-7)


@pytest.mark.parametrize("scv", [0.0, 0.5, 5.0])
@pytest.mark.parametrize("servers", [1, 3])
def test_any_service_waits_in_proportion_to_residual_life(servers, scv):
    """(1 + SCV) / 2 times as long as exponential service, as Lee and Longton 1959 have M/G/m."""
    load = 0.8 * servers
    station = qm.QueueingStation("cpu", servers, "fcfs")
    (found,) = response_times(station, [qm.OpenClass("a", load / 2.0)], [2.0], [scv])
    wait = erlang_c(servers, load) * 2.0 / (servers - load)
    assert found == pytest.approx(2.0 + wait * (1.0 + scv) / 2.0, rel=1e-8)


@pytest.mark.parametrize("servers", [1, 2, 4])
def test_equal_service_by_rank_at_several_servers(servers):
    """Cobham 1954: C(m, U) S / m over what the ranks above, and with its own, leave."""
    station = qm.QueueingStation("cpu", servers, "priority")
    shares = (0.3, 0.2, 0.35)
    classes = [
        qm.OpenClass(f"c{rank}", share * servers / 2.0, priority=rank)
        for rank, share in enumerate(shares)
    ]
    found = response_times(station, classes, [2.0] * 3, [1.0] * 3)
    first = erlang_c(servers, sum(shares) * servers) * 2.0 / servers
    left = [1.0, 0.7, 0.5, 0.15]
    expected = [2.0 + first / (a * b) for a, b in pairwise(left)]
    assert found == pytest.approx(expected, rel=1e-8)


def test_equal_ranks_are_served_as_they_come():
    classes = [qm.OpenClass("a", 0.5, priority=1), qm.OpenClass("b", 0.25, priority=1)]
    here = [
        response_times(qm.QueueingStation("cpu", 2, discipline), classes, [1.0, 4.0], [1.0, 0.5])
        for discipline in ("fcfs", "priority")
    ]
    assert here[0] == pytest.approx(here[1], rel=1e-9)


def test_who_interrupts_sees_nobody_else_at_one_server():
    """M/G/1 of the first rank alone; the second by Kleinrock II, eq. 3.39."""
    classes = [qm.OpenClass("a", 0.2), qm.OpenClass("b", 0.1, priority=1)]
    station = qm.QueueingStation("cpu", discipline="preemptive")
    found = response_times(station, classes, [2.0, 3.0], [3.0, 0.0])
    first, second = 0.2 * 2.0**2 * 4.0 / 2.0, 0.1 * 3.0**2 / 2.0
    assert found[0] == pytest.approx(2.0 + first / 0.6, rel=1e-8)
    assert found[1] == pytest.approx(3.0 / 0.6 + (first + second) / 0.6 / 0.3, rel=1e-8)


@pytest.mark.parametrize("load", [0.3, 0.9])
def test_two_branches_that_join(load):
    """(12 - U) / 8 S / (1 - U), Nelson and Tantawi 1988, eq. 6."""
    station = qm.ForkJoinStation("fork", 2)
    (found,) = response_times(station, [qm.OpenClass("a", load / 2.0)], [2.0], [1.0])
    assert found == pytest.approx((12.0 - load) / 8.0 * 2.0 / (1.0 - load), rel=1e-8)


def test_mixed_service_times_wait_for_the_first_server_to_be_free():
    """Less than a mean residual time of 5 s, and no less than if all were of the short ones."""
    classes = [qm.OpenClass("short", 0.4), qm.OpenClass("long", 0.1)]
    station = qm.QueueingStation("cpu", 4, "fcfs")
    found = response_times(station, classes, [1.0, 16.0], [1.0, 1.0])
    waits = [r - s for r, s in zip(found, (1.0, 16.0), strict=True)]
    assert waits[0] == pytest.approx(waits[1], rel=1e-8)
    load = 0.4 * 1.0 + 0.1 * 16.0
    least, most = (
        erlang_c(4, load) * residual / (4.0 - load) for residual in (1.0, (0.4 + 1.6 * 16.0) / 2.0)
    )
    assert least < waits[0] < most


def test_who_is_interrupted_at_two_servers_may_go_on_at_the_other():
    """Closed classes against the chain that follows every customer."""
    stations = [qm.QueueingStation("cpu", 2, "preemptive"), qm.QueueingStation("disk")]
    classes = [qm.ClosedClass("a", 4, 1.0), qm.ClosedClass("b", 2, 3.0, priority=1)]
    network = qm.Network(stations, classes, [[0.8, 0.1], [1.5, 0.3]])
    truth = [float(sum(row)) for row in ordered.solve(network).residence_time]
    found = qm.solve(network, "extended-amva").response_times
    assert found[0] == pytest.approx(truth[0], rel=0.02)
    assert found[1] == pytest.approx(truth[1], rel=0.105)
