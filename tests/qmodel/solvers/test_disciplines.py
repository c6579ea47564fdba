"""A discipline means the same in every method, whatever the other stations are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qmodel as qm

SCV = st.sampled_from([0.5, 1.0, 2.0])
FEW = settings(max_examples=12, deadline=None, derandomize=True)
DISCIPLINES = st.sampled_from(["any", "any", "ps", "fcfs", "priority"])


def marked(network, before, after):
    """The same network with another word for a discipline."""
    stations = [
        replace(s, discipline=after) if getattr(s, "discipline", "") == before else s
        for s in network.stations
    ]
    return replace(network, stations=stations)


@st.composite
def networks(draw):
    """Open, closed and mixed; at least one station without a discipline."""
    orders = ["any", *draw(st.lists(DISCIPLINES, max_size=1 + draw(st.booleans())))]
    stations = [
        qm.QueueingStation(f"s{k}", draw(st.sampled_from([1, 1, 2])), order)
        for k, order in enumerate(draw(st.permutations(orders)))
    ]
    classes = [
        qm.ClosedClass(f"c{c}", draw(st.integers(1, 3)), 1.0, c)
        if closed
        else qm.OpenClass(f"c{c}", draw(st.floats(0.05, 0.4)), c, arrival_scv=draw(SCV))
        for c, closed in enumerate(draw(st.lists(st.booleans(), min_size=1, max_size=2)))
    ]
    rows = [[draw(st.sampled_from([0.2, 0.5, 1.0])) for _ in stations] for _ in classes]
    scv = [[draw(SCV) for _ in stations] for _ in classes]
    return qm.Network(stations, classes, rows, scv=scv)


def answers(network):
    """What every method says, and every percentile."""
    found = {}
    for name, reason in qm.methods_for(network).items():
        if reason is not None:
            continue
        try:
            solution = qm.solve(network, name)
            found[name] = solution.throughputs, solution.residence_times
        except qm.QmodelError as error:
            found[name] = type(error)
    try:
        solution = qm.solve(network)
        times = qm.percentiles(solution, [0.5, 0.95])
        found["percentiles"] = solution.method, times.response_times, times.sojourn_times
    except qm.QmodelError as error:
        found["percentiles"] = type(error)
    return found


@FEW
@given(networks())
def test_no_discipline_is_processor_sharing_in_every_method_and_percentile(network):
    assert answers(network) == answers(marked(network, "any", "ps"))


@FEW
@given(networks(), SCV)
def test_an_scv_has_no_effect_on_means_where_servers_are_shared(network, scv):
    k = next(k for k, s in enumerate(network.stations) if s.discipline == "any")
    rows = [
        [scv if j == k else network.scv_at(c, j) for j in range(len(network.stations))]
        for c in range(len(network.classes))
    ]
    one, other = answers(network), answers(replace(network, scv=rows))
    del one["percentiles"], other["percentiles"]
    assert one == other


OTHERS = [("fcfs", 1, 0.25), ("fcfs", 1, 4.0), ("fcfs", 2, 1.0), ("any", 1, 0.25), ("ps", 2, 4.0)]


@pytest.mark.parametrize(("discipline", "servers", "scv"), OTHERS)
def test_what_changes_at_one_station_changes_nothing_at_another(discipline, servers, scv):
    """Poisson arrivals at a, so its times are those of product form whatever b is."""
    b = qm.QueueingStation("b", servers, discipline)
    rates, demand = (2.444, 0.3108), [[0.1077, 0.1], [1.4058, 0.1]]
    classes = [qm.OpenClass(name, rate) for name, rate in zip("xy", rates, strict=True)]
    spare = 1.0 - sum(rate * row[0] for rate, row in zip(rates, demand, strict=True))
    for a in ("any", "ps"):
        stations = [qm.QueueingStation("a", discipline=a), b]
        network = qm.Network(stations, classes, demand, scv=[[4.0, scv], [0.5, scv]])
        for name, reason in qm.methods_for(network).items():
            if reason is None:
                times = qm.solve(network, name).residence_times
                for c, row in enumerate(demand):
                    assert times[c][0] == pytest.approx(row[0] / spare, rel=1e-7), name
    in_order = marked(marked(network, "any", "fcfs"), "ps", "fcfs")
    assert qm.solve(in_order).response_times[0] > 1.9


def test_the_time_is_continuous_where_product_form_ends():
    def time(scv, method="auto"):
        stations = [qm.QueueingStation("a"), qm.QueueingStation("b", discipline="fcfs")]
        classes = [qm.OpenClass("x", 2.444), qm.OpenClass("y", 0.3108)]
        network = qm.Network(
            stations, classes, [[0.1077, 0.1], [1.4058, 0.1]], scv=[[1.0, scv]] * 2
        )
        return qm.solve(network, method).response_times[0]

    assert time(1.0) == pytest.approx(0.497, abs=5e-4)
    assert time(0.99) < time(1.0) < time(1.01)
    assert time(1.01) - time(0.99) < 0.001
    assert time(0.25) == pytest.approx(time(0.25, "qna"), rel=1e-6)


CLOSED = qm.Network(
    [qm.QueueingStation("a"), qm.QueueingStation("b", 2), qm.QueueingStation("c", 1, "fcfs")],
    [qm.ClosedClass("x", 4, 1.0), qm.ClosedClass("y", 2, 1.0)],
    [[0.2, 0.3, 0.1], [0.1, 0.6, 0.4]],
)


@pytest.mark.parametrize("scv", [None, [[1.0, 3.0, 0.5]] * 2])
def test_curves_and_sweeps_say_the_same(scv):
    one = replace(CLOSED, scv=scv)
    other = marked(one, "any", "ps")
    curves = [qm.curve(each, [1, 2, 5], "x") for each in (one, other)]
    assert curves[0].residence_time.tolist() == curves[1].residence_time.tolist()
    grid = {"demand.x.a": [0.1, 0.3], "population.x": [1, 3]}
    sweeps = [qm.sweep(each, grid) for each in (one, other)]
    assert np.array_equal(sweeps[0].residence_time, sweeps[1].residence_time)


def test_the_reason_says_where_servers_are_shared():
    stations = [qm.QueueingStation("a"), qm.QueueingStation("b", discipline="fcfs")]
    opened = qm.OpenClass("x", 0.5, arrival_scv=2.0)
    said = qm.solve(qm.Network(stations, [opened], [[0.5, 0.5]], scv=[[3.0, 1.0]])).reason
    assert "no discipline, so servers are shared, at 'a'" in said
    assert "SCV without effect where servers are shared: at 'a'" in said
    assert "on the recorded family open-sharing" in said
    plain = qm.Network(stations, [qm.OpenClass("x", 0.5)], [[0.5, 0.5]])
    assert qm.solve(plain).reason == "exact"


@pytest.mark.parametrize("order", ["fcfs", "random", "lcfs-pr"])
@pytest.mark.parametrize(("size", "names"), [(12, ["auto"]), (2, ["marie", "global-balance"])])
def test_in_product_form_any_order_is_that_of_shared_servers(order, size, names):
    """BCMP: one time for all under FCFS and in random order, any times under LCFS-PR."""
    stations = [qm.QueueingStation("first", discipline=order), qm.QueueingStation("second", 2)]
    classes = [qm.ClosedClass(f"c{c}", min(5, size), 1.0 + c, c) for c in range(size)]
    first = [0.03 * 3.0 ** (c % 5) if order == "lcfs-pr" else 0.3 for c in range(size)]
    found = qm.Network(stations, classes, [[t, 0.1 + 0.03 * c] for c, t in enumerate(first)])
    shared = qm.solve(marked(found, order, "ps"))
    for name in names:
        assert qm.solve(found, name).response_times == pytest.approx(shared.response_times)


def test_who_never_leaves_lcfs_pr_is_never_below_others():
    stays, last = qm.ClosedClass("a", 4), [qm.QueueingStation("s", discipline="lcfs-pr")]
    with pytest.raises(qm.NotApplicable, match="class 'a' never leaves station 's'"):
        qm.solve(qm.Network(last, [stays, qm.ClosedClass("b", 1, 1.0)], [[1.0], [2.0]]))
    assert qm.solve(qm.Network(last, [stays], [1.0])).response_times == (4.0,)
