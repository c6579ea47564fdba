"""The prediction over users: one pass is the same as one by one, the knee and saturation."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import advisor
from advisor.predicting.highest_load import at_load
from advisor.predicting.load_curve import middles
from advisor.predicting.prediction import predict, predict_with
from advisor.predicting.saturation import knee, saturation
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of, ways_of
from qmodel import solve
from qmodel.errors import InvalidInput
from tests.advisor import configurations as cs  # noqa: F401, named in the table
from tests.advisor.configurations import EXAMPLES, configured, measured, quiet
from tests.advisor.test_properties import FEWER, servers
from tests.tables import asked, rows

NEW = advisor.load_config(EXAMPLES / "new_server.toml")
SERVERS = {name: asked(text, globals()) for name, text in rows(__file__, "servers")}


def near(range_):
    return pytest.approx((range_.low, range_.mid, range_.high), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", SERVERS)
def test_the_curve_is_what_predict_says_one_by_one(name):
    configuration = SERVERS[name]
    found = advisor.predict_users(configuration, [12, 3, 3, 7])
    assert [each.users for each in found.outlooks] == [3, 7, 12]
    for each in found.outlooks:
        alone = predict(configuration.with_users(each.users)).outlook
        for mine, other in zip(each.classes, alone.classes, strict=True):
            times = mine.response_time
            assert (times.low, times.mid, times.high) == near(other.response_time)
        for mine, other in zip(each.resources, alone.resources, strict=True):
            queue = mine.queue_length
            assert (queue.low, queue.mid, queue.high) == near(other.queue_length)


@FEWER
@given(servers(), st.integers(2, 40))
def test_more_users_never_wait_less_on_random_servers(data, users):
    """All interactions together: where classes differ, one of them may gain."""
    configuration = configured(data)
    if configuration.settings.workload.arrival_rate is not None:
        return
    found = advisor.predict_users(configuration, [users, 2 * users]).outlooks
    few, many = (
        [c for c in outlook.classes if not c.batch and c.response_time.mid] for outlook in found
    )
    if not few:
        return
    mean = [
        sum(c.throughput.mid * c.response_time.mid for c in classes)
        / sum(c.throughput.mid for c in classes)
        for classes in (few, many)
    ]
    assert mean[1] >= mean[0] * (1.0 - 1e-6)


def test_saturation_is_where_the_asymptotes_meet():
    """Lazowska et al. 1984, chapter 5: N* = (D + Z) / D_max and X <= 1 / D_max."""
    configuration = quiet(lan={"rate": "1 Gb/s"}, user={"write_share": 0.5})
    (way,) = ways_of(configuration)
    network = network_of(configuration, way).network
    (demand,) = network.demand
    found = saturation(configuration)
    assert found.station == "cpu"
    assert found.throughput.mid == pytest.approx(1.0 / max(demand), rel=1e-12)
    assert found.users.mid == pytest.approx((sum(demand) + 10.0) / max(demand), rel=1e-9)
    many = predict(configuration.with_users(5000)).outlook.classes[0].throughput
    assert many.mid == pytest.approx(found.throughput.mid, rel=1e-6)


def test_the_knee_has_the_most_power():
    """Kleinrock 1979: throughput over response time, against every number of users around."""
    configuration = quiet(lan={"rate": "1 Gb/s"}, user={"write_share": 0.5})
    (way,) = ways_of(configuration)

    def power(users):
        solution = solve(network_of(configuration.with_users(users), way).network)
        return solution.throughputs[0] / solution.response_times[0]

    found = knee(configuration)
    best = max(range(1, 300), key=power)
    assert found.users.mid == best
    assert found.users.mid < saturation(configuration).users.mid


def test_an_interval_where_demands_are_fitted():
    found = advisor.predict_users(measured(), [10])
    for range_ in (found.knee.users, found.saturation.users, found.saturation.throughput):
        assert range_.low < range_.mid < range_.high


def test_arrivals_do_not_depend_on_users():
    configuration = quiet(workload={"arrival_rate": "2 /s"})
    found = advisor.predict_users(configuration, [5])
    assert found.knee.users is found.saturation.users is None
    # One queue has most power at half of what it can serve, time spent elsewhere moves it up.
    assert 5.0 < found.knee.throughput.mid < 7.0
    assert found.saturation.throughput.mid == pytest.approx(10.0)
    with pytest.raises(InvalidInput, match="arrival_rate"):
        advisor.predict_users(configuration, [5, 6])


@pytest.mark.parametrize("counts", [[], [0], [-1], [1.5], [True]])
def test_bad_numbers_of_users(counts):
    with pytest.raises(InvalidInput, match="users"):
        advisor.predict_users(NEW, counts)


@pytest.mark.parametrize("name", ["new_server", "overloaded", "domino5_raid", "open"])
def test_middles_in_one_pass_are_those_one_by_one(name):
    if name == "open":
        configuration = quiet(workload={"arrival_rate": "7 /s", "users": 1})
        loads = (1, 500, 1000, 5000)
    else:
        configuration = advisor.load_config(EXAMPLES / f"{name}.toml")
        users = configuration.settings.workload.users
        loads = (1, users // 2, users, 2 * users)
    found = middles(configuration, loads)
    asked = [at_load(configuration, n) for n in loads[: len(found)]]
    alone = [predict_with(each, solve_network, middle=True).outlook for each in asked]
    assert len(found) == (3 if name == "open" else 4)  # arrivals beyond saturation have none
    for one, other in zip(found, alone, strict=True):
        assert one.users == other.users
        for a, b in zip(one.classes, other.classes, strict=True):
            assert a.response_time.mid == pytest.approx(b.response_time.mid, rel=1e-6)


def test_a_curve_has_no_step_where_exact_solutions_end():
    configuration = advisor.load_config(EXAMPLES / "domino46_mail_discussion.toml")
    found = middles(configuration, range(880, 1100, 20))
    assert {each.method for each in found} == {"linearizer"}
    times = [each.classes[0].response_time.mid for each in found]
    growth = [b / a for a, b in pairwise(times)]
    assert all(b == pytest.approx(a, rel=0.02) for a, b in pairwise(growth))
