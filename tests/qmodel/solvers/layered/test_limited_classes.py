"""Several classes at limits, one inside of another."""

import pytest

import qmodel as qm
from qmodel.solvers.layered import limited_classes
from tests.truth import nested as truth

STATIONS = [qm.QueueingStation("app", 2), qm.QueueingStation("db"), qm.QueueingStation("disk")]
CALLS = ["app", "db", "disk", "app", "db", "disk", "app"]


def pools(classes, threads, connections, demand=(0.12, 0.2, 0.06), routes=False, **more):
    limits = [
        qm.PopulationLimit("threads", threads, CALLS, held="visit"),
        qm.PopulationLimit("connections", connections, CALLS[1:3], held="visit", **more),
    ]
    rows = demand if isinstance(demand, list) else [demand] * len(classes)
    return qm.Network(STATIONS, classes, [list(row) for row in rows], limits=limits,
                      visit_ratio=[[3.0, 2.0, 2.0]] * len(classes),
                      routes={each.name: CALLS for each in classes} if routes else ())  # fmt: skip


def closed(*sizes, think=0.4):
    return [qm.ClosedClass(f"c{i}", n, think) for i, n in enumerate(sizes)]


@pytest.mark.parametrize("routes", [False, True])
@pytest.mark.parametrize(("sizes", "threads", "connections"), [((3, 2), 3, 1), ((4, 1), 4, 2)])
def test_equal_classes_are_the_markov_chain_of_one(sizes, threads, connections, routes):
    found = qm.solve(pools(closed(*sizes), threads, connections, routes=routes))
    assert found.method == "limited-layers"
    one = pools(closed(sum(sizes)), threads, connections, routes=routes)
    response, throughput = truth.solve(one, sum(sizes))
    assert sum(found.throughputs) == pytest.approx(throughput, rel=0.02)
    mean = sum(x * r for x, r in zip(found.throughputs, found.response_times, strict=True))
    assert mean / sum(found.throughputs) == pytest.approx(response, rel=0.035)


def test_two_streams_at_one_place_wait_as_pollaczek_and_khinchine_say():
    stations, rates = [qm.QueueingStation("one"), qm.QueueingStation("two")], (0.6, 0.3)
    work = [[0.3, 0.3], [0.6, 0.6]]
    network = qm.Network(stations, [qm.OpenClass(f"c{i}", x) for i, x in enumerate(rates)], work,
                         limits=[qm.PopulationLimit("lock", 1, ["one", "two"])])  # fmt: skip
    busy = sum(x * sum(row) for x, row in zip(rates, work, strict=True))
    square = sum(x * 1.5 * sum(row) ** 2 for x, row in zip(rates, work, strict=True))
    found = qm.solve(network)
    for row, own in zip(found.residence_times, work, strict=True):
        assert row[2] == pytest.approx(square / 2.0 / (1.0 - busy), rel=0.03)
        assert row[:2] == pytest.approx(own, rel=1e-9)


@pytest.mark.parametrize(
    ("sizes", "think", "places", "work", "simulated"),
    [((27, 7), 0.0, 4, [[0.1, 0.1], [0.2, 0.1]], (5.782, 1.436)),
     ((50, 4), 2.0, 2, [[0.1, 0.3], [0.2, 0.05]], (2.957, 0.274))],
)  # fmt: skip
def test_who_never_pauses_leaves_no_place_empty(sizes, think, places, work, simulated):
    """A third of the throughput, where customers without a pause were taken to come late."""
    stations = [qm.QueueingStation("one"), qm.QueueingStation("two")]
    classes = [qm.ClosedClass("c0", sizes[0], think), qm.ClosedClass("c1", sizes[1])]
    limit = qm.PopulationLimit("places", places, ["one", "two"])
    found = qm.solve(qm.Network(stations, classes, work, limits=[limit]), "limited-layers")
    assert found.throughputs == pytest.approx(simulated, rel=0.02)


def test_limits_that_are_never_reached_are_none():
    network = pools(closed(6, 3), 9, 9, [(0.12, 0.2, 0.06), (0.05, 0.1, 0.2)])
    free = qm.solve(qm.Network(STATIONS, network.classes, [r[:3] for r in network.demand],
                               visit_ratio=[r[:3] for r in network.visit_ratio]))  # fmt: skip
    found = qm.solve(network)
    assert found.throughputs == pytest.approx(free.throughputs, rel=1e-9)
    assert [row[3:] for row in found.residence_times] == [(0.0, 0.0)] * 2


@pytest.mark.parametrize(("change", "reason"), [
    ({"full": "reject"}, "limit 'connections' rejects customers; of several classes all wait"),
    ({"connections": 700, "sizes": (1000, 900)}, "'threads' lets in more than 600"),
    ({"sizes": (2000, 1)}, "2001 customers, it takes 2000"),
    ({"sizes": (5,)}, "it takes several classes with customers, the network has 1"),
])  # fmt: skip
def test_what_it_does_not_take(change, reason):
    sizes, connections = change.pop("sizes", (5, 5)), change.pop("connections", 2)
    network = pools(closed(*sizes), 1000, connections, **change)
    assert reason in (limited_classes.why_not(network) or "")


def test_a_class_that_is_always_there_and_holds_places_for_a_short_time_is_near_the_simulation():
    network = pools([*closed(20), qm.ClosedClass("task", 1)], 3, 1, [(0.1, 0.1, 0.1), (0.01,) * 3])
    found = qm.solve(network)  # simulated: 200,000 events, half widths of 2 %
    assert found.response_times == pytest.approx((3.643, 3.269), rel=0.08)
    assert "not recorded for networks like this" in found.reason


def test_a_class_of_nobody_and_one_of_no_work_are_left_alone():
    classes = [*closed(5, 0, 4), qm.ClosedClass("idle", 3, 2.0)]
    found = qm.solve(pools(classes, 3, 1, [(0.12, 0.2, 0.06)] * 3 + [(0.0, 0.0, 0.0)]))
    two = qm.solve(pools(closed(5, 4), 3, 1))
    assert found.throughputs == pytest.approx((two.throughputs[0], 0.0, two.throughputs[1], 1.5))


def test_more_than_a_pool_can_do_is_said():
    classes = [qm.OpenClass("a", 2.0), qm.OpenClass("b", 2.2)]
    with pytest.raises(qm.Unstable, match="'threads' gets"):
        qm.solve(pools(classes, 3, 1))
