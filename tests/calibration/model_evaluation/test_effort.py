"""Which networks of several classes are left to an approximate method."""

import pytest

import qmodel as qm
from calibration.model_evaluation.effort import left_to

PLAIN = qm.QueueingStation("cpu", 4)
THREADS = qm.LoadDependentStation("cpu", (1.0, 2.0, 2.6, 3.1))


@pytest.mark.parametrize("cpu", [PLAIN, THREADS], ids=["cores", "threads"])
@pytest.mark.parametrize(("users", "long"), [((230, 46), True), ((20, 4), False)])
def test_rates_of_a_station_count_as_its_servers_do(cpu, users, long):
    closed = [qm.ClosedClass(f"c{n}", n, 5.0) for n in users]
    demand = [[0.05, 0.0], [0.08, 0.1]]
    stations = [cpu, qm.QueueingStation("disk")]
    assert left_to(qm.Network(stations, closed, demand)) == ("linearizer" if long else "")
    beside = [*closed, qm.OpenClass("background", 0.3)]
    mixed = qm.Network(stations, beside, [*demand, [1.0, 0.0]])
    assert left_to(mixed) == ("mixed-linearizer" if long else "")
    found = qm.solve(mixed, "mixed-linearizer")
    if not long:
        assert found.response_times == pytest.approx(qm.solve(mixed).response_times, rel=0.02)
