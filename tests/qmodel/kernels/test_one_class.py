"""Plain floats and networks say the same: X, R, U and Q of one class."""

import math  # noqa: F401, named in the table

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
from qmodel.kernels import LEAST_SCV, OneClassNetwork, at_arrival_rate, at_populations, totals
from tests.strategies import demands, positive_demands, think_times
from tests.tables import asked, rows

#: How a hyperexponential service of the same two moments may differ from one of two stages in a
#: row: the worst recorded error of `marie` is 3.7 %.
OTHER_PHASES = 0.02

backgrounds = st.sampled_from([0.0, 0.0, 1e-6, 0.3, 0.9])
speeds = st.lists(st.floats(0.5, 4.0, allow_nan=False), min_size=1, max_size=5).map(tuple)


@st.composite
def drawn(draw, background=backgrounds):
    """Numbers of one class: single, several and load-dependent servers, delays, other work."""
    count = draw(st.integers(1, 4))
    each = [draw(demands) for _ in range(count)]
    each[0] = each[0] or draw(positive_demands)
    return OneClassNetwork(
        each, draw(think_times), draw(st.one_of(st.just(0.0), positive_demands)),
        [draw(st.sampled_from([1, 1, 2, 3, 8])) for _ in each],
        [draw(st.one_of(st.none(), st.none(), speeds)) for _ in each],
        [draw(background) for _ in each],
    )  # fmt: skip


def stations_of(one):
    return [
        *(
            qm.LoadDependentStation(f"s{k}", rates) if rates else qm.QueueingStation(f"s{k}", m)
            for k, (_, m, rates, _) in enumerate(one.stations())
        ),
        qm.DelayStation("delay"),
    ]


def network_of(one, users):
    """The same as a network, other work as an open class."""
    classes, rows = [users], [[*one.demands, one.delay]]
    if any(one.background):
        taken = [b * (r[-1] if r else m) for _, m, r, b in one.stations()]
        classes.append(qm.OpenClass("other", 1.0))
        rows.append([*taken, 0.0])
    return qm.Network(stations_of(one), classes, rows)


def same(found, solution, one):
    assert found.throughput == pytest.approx(solution.throughputs[0], rel=1e-9)
    assert found.response_time == pytest.approx(solution.response_times[0], rel=1e-9, abs=1e-12)
    times = solution.residence_times[0][:-1]
    assert found.residence_times == pytest.approx(times, rel=1e-9)
    assert found.queue_lengths == pytest.approx(solution.queue_lengths[0][:-1], rel=1e-9)
    shown = zip(found.utilizations, solution.station_utilizations, one.stations(), strict=False)
    for mine, theirs, (_, _, rates, background) in shown:
        if not (rates and background):  # a highest speed that is not the last one
            assert mine == pytest.approx(theirs, rel=1e-9)


@given(drawn(), st.lists(st.integers(1, 40), min_size=1, max_size=4))
def test_closed_networks_are_those_of_solve(one, populations):
    found = at_populations(one, populations)
    for n, measures, (x, r) in zip(populations, found, totals(one, populations), strict=True):
        same(measures, qm.solve(network_of(one, qm.ClosedClass("users", n, one.think_time))), one)
        assert x == pytest.approx(measures.throughput, rel=1e-12)
        assert x * (r + one.think_time) == pytest.approx(n, rel=1e-9)


@given(drawn(), st.floats(0.0, 0.95))
def test_open_networks_are_those_of_solve(one, load):
    limit = min(
        (
            (1.0 - b) * (rates[-1] if rates else m) / d
            for d, m, rates, b in one.stations()
            if d
        ),
    )  # fmt: skip
    rate = load * limit
    same(at_arrival_rate(one, rate), qm.solve(network_of(one, qm.OpenClass("mail", rate))), one)


def test_alone_a_station_is_busy_however_its_service_varies():
    alone = OneClassNetwork([1.0, 0.0], 0.0, servers=[1, 1], scv=[4.0, 1.0])
    assert totals(alone, [1, 5]) == [(1.0, 1.0), (1.0, 5.0)]


@pytest.mark.parametrize("scv", [LEAST_SCV, 0.7, 2.0, 6.0, 20.0])
@pytest.mark.parametrize(("think", "servers"), [(3.0, [1, 1]), (0.5, [1, 4]), (10.0, [1, 2])])
@pytest.mark.parametrize("n", [1, 2, 9, 25])
def test_variable_service_is_that_of_marie(scv, think, servers, n):
    one = OneClassNetwork([0.2, 0.3], think, servers=servers, scv=[scv, 1.0])
    (found,) = at_populations(one, [n])
    network = qm.Network(
        [qm.QueueingStation("cpu", discipline="fcfs"), qm.QueueingStation("disk", servers[1])],
        [qm.ClosedClass("users", n, think)], [[0.2, 0.3]], scv=[[scv, 1.0]],
    )  # fmt: skip
    solution = qm.solve(network, "marie")
    room = 1e-9 if scv == LEAST_SCV else OTHER_PHASES  # Erlang's distribution is both
    assert found.response_time == pytest.approx(solution.response_times[0], rel=room)
    assert found.queue_lengths == pytest.approx(solution.queue_lengths[0], rel=room, abs=room)
    assert sum(found.queue_lengths) + found.throughput * think == pytest.approx(n, rel=1e-9)
    ((x, r),) = totals(one, [n])
    assert (x, r) == pytest.approx((found.throughput, found.response_time), rel=1e-9)


@pytest.mark.parametrize("servers", [[1, 1], [1, 3]])
def test_exponential_service_by_marie_is_product_form(servers):
    near = OneClassNetwork([0.2, 0.3], 1.0, 0.1, servers, scv=[1.0 + 1e-12, 1.0])
    plain = OneClassNetwork([0.2, 0.3], 1.0, 0.1, servers)
    for mine, exact in zip(
        at_populations(near, [1, 5, 40]), at_populations(plain, [1, 5, 40]), strict=True
    ):
        for a, b in zip(mine, exact, strict=True):
            assert a == pytest.approx(b, rel=1e-9)


@pytest.mark.parametrize(("changes", "error", "said"), rows(__file__, "what_is_not_answered"))
def test_what_is_not_answered(changes, error, said):
    error = asked(error, globals())
    one = OneClassNetwork(**({"demands": [1.0, 0.5]} | asked(changes, globals())))
    for question in (at_populations, totals):
        with pytest.raises(error, match=said):
            question(one, [3])


def test_a_population_is_at_least_one_and_a_rate_below_capacity():
    one = OneClassNetwork([1.0], 1.0)
    with pytest.raises(qm.InvalidInput, match="at least 1"):
        totals(one, [3, 0])
    with pytest.raises(qm.InvalidInput, match="at least 1"):
        totals(one, [])
    with pytest.raises(qm.Unstable, match="station 0"):
        at_arrival_rate(one, 1.0)
    with pytest.raises(qm.NotApplicable, match="closed"):
        at_arrival_rate(OneClassNetwork([1.0], scv=[2.0]), 0.5)
