"""The first look: exact tables give back what they were made of, and what is missing is named."""

from math import sqrt

import pytest

from calibration import NotCalibratable, first_look
from calibration.recordings.user_table import parse_user_table
from qmodel import ClosedClass, DelayStation, Network, QueueingStation, solve
from tests.tables import rows

STATIONS = [QueueingStation("cpu", 2), QueueingStation("disk"), DelayStation("away")]
DEMANDS = [[0.300, 0.120, 0.200]]
THINKING = 4.0


def made(populations=(1, 5, 20, 40), columns=("throughput", "response", "think")):
    """A table of a network's own exact answers."""
    head = {"throughput": "throughput [1/s]", "response": "response_time [s]",
            "think": "think_time [s]"}  # fmt: skip
    lines = [",".join(["users", *(head[c] for c in columns), "cpu", "servers:cpu",
                       "utilization:disk [1]"])]  # fmt: skip
    for n in populations:
        answer = solve(Network(STATIONS, [ClosedClass("users", n, THINKING)], DEMANDS))
        values = {"throughput": answer.throughputs[0], "response": answer.response_times[0],
                  "think": THINKING}  # fmt: skip
        busy = answer.station_utilizations
        row = [n, *(repr(values[c]) for c in columns), 100 * busy[0], 2, busy[1]]
        lines.append(",".join(map(str, row)))
    return "\n".join(lines)


@pytest.mark.parametrize(("columns"), rows(__file__, "exact_tables_give_back_the_network"))
def test_exact_tables_give_back_the_network(columns):
    look = first_look(parse_user_table(made(columns=columns)))
    assert look.stations == ("cpu", "disk")
    assert look.servers == (2, 1)
    assert [d.value for d in look.demands] == pytest.approx([0.300, 0.120], rel=1e-9)
    assert [d.standard_error for d in look.demands] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert look.think_time == pytest.approx(THINKING, rel=1e-9)
    assert look.delay == pytest.approx(0.200, rel=1e-7)
    wanted = solve(Network(STATIONS, [ClosedClass("users", 150, THINKING)], DEMANDS))
    assert solve(look.network(150)).response_times == pytest.approx(wanted.response_times)


def test_standard_error_is_the_scatter_over_the_root_of_the_runs():
    table = "users,think_time [s],throughput [1/s],cpu\n1,9,1,10\n2,9,1,12\n3,9,1,11\n"
    (demand,) = first_look(parse_user_table(table)).demands
    assert demand.value == pytest.approx(0.11)
    assert demand.standard_error == pytest.approx(0.01 / sqrt(3))
    assert demand.variation == pytest.approx(1 / 11)


def test_demands_move_by_standard_errors_and_stay_above_nothing():
    table = "users,think_time [s],throughput [1/s],cpu\n1,9,1,1\n2,9,1,30\n"
    look = first_look(parse_user_table(table))
    (demand,) = look.demands
    for deviations in (-50.0, 0.0, 2.0):
        (row,) = look.network(5, deviations).demand
        assert row[0] > 0.0
    assert look.network(5, 2.0).demand[0][0] == demand.value + 2.0 * demand.standard_error


def test_a_quicker_answer_than_the_demands_allow_leaves_no_delay():
    table = "users,throughput [1/s],response_time [s],cpu\n10,2,1,90\n20,2.1,4.5,95\n"
    look = first_look(parse_user_table(table))
    assert look.delay == 0.0
    assert len(look.network(3).stations) == 1


@pytest.mark.parametrize(("table", "missing"), rows(__file__, "what_is_missing_is_named"))
def test_what_is_missing_is_named(table, missing):
    with pytest.raises(NotCalibratable, match=missing):
        first_look(parse_user_table(table))
