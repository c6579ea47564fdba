"""Percentiles where a limit keeps customers outside, against queues that are the same."""

import pytest

import qmodel as qm
from qmodel import percentiles, solve
from tests.tables import rows

SHARES = (0.1, 0.5, 0.9, 0.95, 0.99, 0.999)


def limited(most, station, demand, users=12, think=2.0, **more):
    limit = qm.PopulationLimit("pool", most, [station.name], **more)
    return qm.Network([station], [qm.ClosedClass("users", users, think)], [demand], limits=[limit])


def in_order(servers, demand, users=12, think=2.0):
    station = qm.QueueingStation("s", servers, "fcfs")
    return qm.Network([station], [qm.ClosedClass("users", users, think)], [demand])


@pytest.mark.parametrize(("most", "station"), [
    (1, qm.QueueingStation("s", discipline="ps")),
    (1, qm.QueueingStation("s", discipline="fcfs")),
    (1, qm.DelayStation("s")),
    (3, qm.DelayStation("s")),
    (3, qm.QueueingStation("s", 3)),
    (3, qm.QueueingStation("s", 7, "fcfs")),
])  # fmt: skip
@pytest.mark.parametrize("load", [0.3, 1.0, 3.0])
def test_places_with_a_server_each_are_servers_with_one_queue(most, station, load):
    found = percentiles(solve(limited(most, station, load * most)), SHARES)
    known = percentiles(solve(in_order(most, load * most)), SHARES)
    assert known.exact == (True,)
    for share in SHARES:
        assert found["users"][share] == pytest.approx(known["users"][share], rel=2e-3)
    assert "waits for 'pool' first come, first served" in found.assumptions[0]
    assert not found.exact[0]


@pytest.mark.parametrize(("most", "station"), [
    (1, qm.QueueingStation("s", discipline="ps")), (3, qm.DelayStation("s")),
    (3, qm.QueueingStation("s", 3)),
])  # fmt: skip
@pytest.mark.parametrize("load", [0.1, 0.6, 0.9])
def test_places_of_arrivals_are_servers_with_one_queue(most, station, load):
    arrivals = qm.OpenClass("users", load * most)
    limit = qm.PopulationLimit("pool", most, ["s"])
    found = percentiles(solve(qm.Network([station], [arrivals], [1.0], limits=[limit])), SHARES)
    queue = qm.QueueingStation("s", most, "fcfs")
    known = percentiles(solve(qm.Network([queue], [arrivals], [1.0])), SHARES)
    assert known.exact == (True,)
    for share in SHARES:
        assert found["users"][share] == pytest.approx(known["users"][share], rel=2e-3)
    assert "within 13 % of 30" in found.assumptions[0]


def test_one_of_so_many_users_comes_as_from_outside():
    """Where the numbers of others would be too many, and just below."""
    stations = [qm.QueueingStation("cpu", 64), qm.QueueingStation("disk", 2, "fcfs")]
    found = [
        percentiles(
            solve(qm.Network(stations, [qm.ClosedClass("users", n, n / 1e4)], [[4e-3, 1.5e-4]]))
        )
        for n in (100_000, 200_000)
    ]
    for share, time in found[0]["users"].items():
        assert found[1]["users"][share] == pytest.approx(time, rel=1e-3)


def test_arrivals_beside_users_wait_with_them():
    limit = qm.PopulationLimit("pool", 2, ["s"])
    classes = [qm.OpenClass("mail", 0.6), qm.ClosedClass("users", 3, 4.0)]
    network = qm.Network([qm.QueueingStation("s", 2)], classes, [[1.0], [1.0]], limits=[limit])
    found, simulated = percentiles(solve(network)), qm.simulate(network, precision=0.02, seed=1)
    for name, times in zip(("mail", "users"), simulated.percentiles, strict=True):
        assert found[name][0.95] == pytest.approx(times[2].value, rel=0.06)


def test_the_wait_for_a_place_is_a_visit():
    found = percentiles(solve(limited(2, qm.DelayStation("s"), 1.0, 8, 0.0)), SHARES)
    # Five wait ahead for one of two places: six departures, at a rate of 2/s.
    from scipy.stats import gamma

    assert found["users", "pool"][0.95] == pytest.approx(gamma(6, scale=0.5).ppf(0.95), rel=1e-3)
    assert found["users", "s"][0.95] == pytest.approx(2.9957, rel=1e-3)


def test_most_find_a_place_at_once():
    found = percentiles(solve(limited(3, qm.DelayStation("s"), 0.1)), (0.5, 0.999999999))
    assert found["users", "pool"][0.5] == 0.0


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("load", [0.02, 1.0, 3.0])
def test_late_shares_are_the_inverse(share, load):
    solution = solve(limited(3, qm.QueueingStation("s", 2), load))
    time = percentiles(solution, [share])["users"][share]
    late = qm.late_shares(solution, time)["users"][time]
    assert late == pytest.approx(1.0 - share, rel=2e-3)


def test_a_limit_that_nearly_all_pass_is_none():
    free = qm.Network([qm.QueueingStation("s", 2)], [qm.ClosedClass("users", 12, 9.0)], [1.0])
    known = percentiles(solve(free), SHARES)["users"]
    found = percentiles(solve(limited(11, qm.QueueingStation("s", 2), 1.0, think=9.0)), SHARES)
    assert found["users"] == pytest.approx(known, rel=0.01)


def test_classes_that_are_alike_are_one():
    station = qm.QueueingStation("s", 2)
    classes = [qm.ClosedClass(name, 6, 2.0) for name in "ab"]
    limit = qm.PopulationLimit("pool", 4, ["s"])
    both = qm.Network([station], classes, [[1.0], [1.0]], limits=[limit])
    found, one = percentiles(solve(both)), percentiles(solve(limited(4, station, 1.0)))
    for name in "ab":
        assert found[name] == pytest.approx(one["users"], rel=0.03)


def test_beyond_the_limits_of_the_grid():
    """Thousands wait: an hour of departures, of which no number is told from the next."""
    network = limited(16, qm.QueueingStation("s", 8), 0.1, 5000, 5.0)
    solution = solve(network)
    found = percentiles(solution, (0.05, 0.5, 0.95))["users"]
    mean = solution["users"].response_time
    assert mean > 50.0
    for share, time in found.items():
        assert time == pytest.approx(mean, rel=0.05), share


@pytest.mark.parametrize(("demand", "users", "think"), [
    ((0.107, 0.98), 5, 0.0),
    ((0.5, 0.98), 20, 10.0),
    ((0.2, 1.0), 40, 30.0),
    ((1.0, 0.9), 40, 5.0),
])  # fmt: skip
def test_a_queue_outside_goes_on_as_without_the_limit(demand, users, think):
    classes, limit = [qm.ClosedClass("users", users, think)], qm.PopulationLimit("pool", 1, ["in"])
    both = [qm.QueueingStation(name, 1, "fcfs") for name in ("in", "out")]
    alone = [qm.DelayStation("in"), both[1]]
    found = percentiles(solve(qm.Network(alone, classes, [demand], limits=[limit])), SHARES)
    known = percentiles(solve(qm.Network(both, classes, [demand])), SHARES)
    assert known.exact == (True,)
    assert found["users"] == pytest.approx(known["users"], rel=1e-4)
    assert found["users", "out"] == pytest.approx(known["users", "out"], rel=1e-4)


@pytest.mark.parametrize("row", rows(__file__, "small"))
def test_networks_with_a_queue_outside_are_near(row):
    text, places, users, think, *known = row
    words = [word.lstrip("*").split(":") for word in text.split()]
    orders = {"p": "ps", "f": "fcfs"}
    stations = [
        qm.QueueingStation(f"s{k}", int(kind[0]), orders[kind[1]])
        for k, (kind, _) in enumerate(words)
    ]
    inside = [f"s{k}" for k, word in enumerate(text.split()) if word[0] != "*"]
    network = qm.Network(
        stations, [qm.ClosedClass("u", users, think)], [[float(time) for _, time in words]],
        limits=[qm.PopulationLimit("pool", places, inside)],
    )  # fmt: skip
    found = percentiles(solve(network), (0.95, 0.99), visits=False)
    assert [*found["u"].values()] == pytest.approx(known, rel=0.03)


@pytest.mark.parametrize(("users", "think", "near"), [
    (600, 3.0, 2e-3), (600, 60.0, 0.06), (100, 9.0, 0.06),
])  # fmt: skip
def test_one_server_in_order_serves_as_without_the_limit(users, think, near):
    """With many places: where some are free, times inside by the number found are mixtures."""
    station = qm.QueueingStation("s", 1, "fcfs")
    found = percentiles(solve(limited(60, station, 0.1, users, think)), SHARES)["users"]
    known = percentiles(solve(in_order(1, 0.1, users, think)), SHARES)["users"]
    assert found == pytest.approx(known, rel=near)


@pytest.mark.parametrize("network", [
    limited(41, qm.DelayStation("s"), 1.0, 60),
    limited(2, qm.DelayStation("s"), 1.0, 801),
    limited(2, qm.LoadDependentStation("s", [1.0, 1.5]), 1.0),
])  # fmt: skip
def test_no_error_is_quoted_beyond_the_record(network):
    assert "(errors not recorded)" in percentiles(solve(network)).assumptions[0]


def test_what_is_assumed_of_the_inside_does_not_say_exact():
    network = qm.Network(
        [qm.DelayStation("in"), qm.QueueingStation("out", discipline="fcfs")],
        [qm.ClosedClass("users", 5, 1.0)],
        [[0.1, 0.9]],
        limits=[qm.PopulationLimit("pool", 1, ["in"])],
    )
    (said,) = percentiles(solve(network)).assumptions
    assert "exact" not in said
    assert "inside: in: exponential delay; out: first come, first served" in said


SIMULATED = [(row, 0.06, "within 6 % of 30") for row in rows(__file__, "simulated")[::3]]
SIMULATED += [(row, 0.13, "within 13 % of 30") for row in rows(__file__, "arrivals")[::3]]


@pytest.mark.parametrize(("row", "near", "said"), SIMULATED)
def test_random_networks_are_as_near_as_is_said(row, near, said):
    text, delay, outside, places, *much, p95, p99 = row
    stations, demand = [], []
    for k, word in enumerate(text.split()):
        (servers, order), time = word.split(":")[0], word.split(":")[1]
        order = {"p": "ps", "f": "fcfs"}[order]
        stations.append(qm.QueueingStation(f"s{k}", int(servers), order))
        demand.append(float(time))
    kinds = (qm.DelayStation("delay"), delay), (qm.QueueingStation("lan"), outside)
    both = [*zip(stations, demand, strict=True), *(pair for pair in kinds if pair[1])]
    inside = [station.name for station, _ in both if station.name != "lan"]
    limit = qm.PopulationLimit("pool", places, inside)
    made = qm.OpenClass if len(much) == 1 else qm.ClosedClass
    customers = [made("u", *much)]
    network = qm.Network([s for s, _ in both], customers, [[d for _, d in both]], limits=[limit])
    found = percentiles(solve(network), (0.95, 0.99), visits=False)
    assert [*found["u"].values()] == pytest.approx([p95, p99], rel=near)
    assert said in found.assumptions[0]
