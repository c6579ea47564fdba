"""Networks drawn otherwise are one network, and nearly equal ones are two."""

from __future__ import annotations

import pytest

import qmodel as qm
from tests.published.same_network import same

QUEUES = (qm.QueueingStation("cpu"), qm.QueueingStation("disk"))


def network(*demand: float, population: int = 3, think_time: float = 0.0, stations=QUEUES):
    return qm.Network(stations, [qm.ClosedClass("jobs", population, think_time)], [list(demand)])


TWO_SERVERS = (qm.QueueingStation("cpu", 2), QUEUES[1])
RATES = (qm.LoadDependentStation("cpu", [1.0, 2.0]), QUEUES[1])
HALF_RATES = (qm.LoadDependentStation("cpu", [0.5, 1.0]), QUEUES[1])
DELAY = (QUEUES[0], qm.DelayStation("terminals"))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (network(1, 2), network(2, 1), True),
        (network(1, 2), network(1, 2.002), True),
        (network(1, 2), network(1, 2.1), False),
        (network(1, 2), network(1, 2, population=4), False),
        (network(1, 2), network(1, 2, think_time=1), False),
        (network(1, 2, stations=DELAY), network(1, 0, think_time=2), True),
        (network(1, 2, stations=TWO_SERVERS), network(1, 2), False),
        (network(1, 2, stations=TWO_SERVERS), network(1, 2, stations=RATES), True),
        (network(1, 2, stations=TWO_SERVERS), network(0.5, 2, stations=HALF_RATES), True),
    ],
)
def test_same(one, other, expected):
    assert same(one, other) is expected
