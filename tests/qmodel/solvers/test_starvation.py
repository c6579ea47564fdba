"""Who counts as hardly ever served: less than a part of what a class would do without waiting."""

import pytest

import qmodel as qm
from qmodel.solvers.open_load import check_served

STATIONS = [qm.QueueingStation("cpu", discipline="preemptive"), qm.QueueingStation("disk")]
CLASSES = [
    qm.ClosedClass("hog", 2),
    qm.ClosedClass("poor", 5, 4.0, priority=1),
    qm.ClosedClass("nobody", 0),
    qm.OpenClass("mail", 0.1),
]
NETWORK = qm.Network(STATIONS, CLASSES, [[1.0, 0.0], [3.0, 1.0], [1.0, 0.0], [1.0, 0.0]])


def test_a_class_is_measured_by_its_own_time_and_number():
    """Five customers, each 8 s without waiting: 5 / 8 a second at most."""
    check_served(NETWORK, (1.0, 1.001e-3 * 5 / 8, 0.0, 0.0), 1e-3)
    with pytest.raises(qm.Unstable, match="class 'poor': classes of higher priority leave it next"):
        check_served(NETWORK, (1.0, 0.999e-3 * 5 / 8, 0.0, 0.0), 1e-3)


@pytest.mark.parametrize("throughput", [0.0, float("nan")])
def test_what_is_no_rate_is_not_served(throughput):
    with pytest.raises(qm.Unstable, match="'hog'"):
        check_served(NETWORK, (throughput, 1.0, 0.0, 0.0), 1e-3)
