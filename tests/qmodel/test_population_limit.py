"""Which populations of one class the exact recursions refuse, and in what words."""

import pytest

import qmodel as qm
from qmodel.solvers.product_form.recursion_limit import FEW, KEPT, WORK, too_many


def tied(customers, stations, servers=1):
    """Stations equally busy: there is no limit to take in place of a recursion."""
    demands = [float(servers)] * stations
    names = [qm.QueueingStation(f"s{k}", servers) for k in range(stations)]
    return qm.Network(names, [qm.ClosedClass("users", customers, 5.0)], [demands])


@pytest.mark.parametrize("kept", [True, False])
def test_some_are_taken_without_a_question(kept):
    """Numbers for each of 300 stations are more than the most, with one customer more refused."""
    assert FEW * 300 > WORK
    assert too_many(tied(FEW - 1, 300), kept=kept) is None
    assert too_many(tied(FEW, 300), kept=kept) is None
    assert too_many(tied(FEW + 1, 300), kept=kept) == (
        "2e+06 customers at 300 stations are 6e+08 numbers, it takes 5e+08; linearizer may serve"
    )


def test_work_is_counted_station_by_station_and_where_kept_rate_by_rate():
    customers = WORK // 100
    assert customers > FEW
    assert too_many(tied(customers, 100), kept=False) is None
    assert "5.05e+08 numbers" in too_many(tied(customers, 101), kept=False)
    assert too_many(tied(customers, 2, servers=49), kept=True) is None
    assert "5.1e+08 numbers" in too_many(tied(customers, 2, servers=50), kept=True)
    assert too_many(tied(customers, 2, servers=50), kept=False) is None


def test_constants_that_are_kept_need_room():
    assert too_many(tied(KEPT, 2), kept=True) is None
    assert too_many(tied(KEPT + 1, 2), kept=False) is None
    assert too_many(tied(2 * KEPT, 2), kept=True) == (
        "4e+07 customers, it keeps 2e+07; linearizer may serve"
    )


def test_one_bottleneck_that_never_idles_needs_no_recursion():
    network = qm.Network(
        [qm.QueueingStation("a"), qm.QueueingStation("b")],
        [qm.ClosedClass("users", 10**12, 5.0)],
        [[1.0, 0.5]],
    )
    assert too_many(network, kept=True) is None
    delays = qm.Network([qm.DelayStation("a")], [qm.ClosedClass("users", 10**12, 5.0)], [[1.0]])
    assert too_many(delays, kept=True) is None
