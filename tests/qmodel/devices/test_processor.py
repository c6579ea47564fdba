"""Processors against published numbers, and at their limits."""

from itertools import pairwise

import pytest

from qmodel import ClosedClass, InvalidInput, Network, QueueingStation, solve
from qmodel.devices import processor as cpu
from tests.tables import asked, rows

NAN, INF = float("nan"), float("inf")


def test_the_1995_processors():
    """Rebuilding a view: 100 MHz on the bus of 66 is 20 % faster, and 156 % than a 486/50."""
    share = cpu.memory_share(clock=100 / 66, bus=1.0, ratio=1.20)
    assert cpu.speed_ratio(100 / 66, 1.0, share) == pytest.approx(1.20)
    assert share == pytest.approx(0.51, abs=0.005)
    p100, p486 = cpu.speed_ratio(100 / 66, 1.0, share), 1.20 / 2.56
    assert round(p100 / p486, 2) == 2.56
    # A clock that is only faster inside never gains what its rate promises.
    assert 1.0 < p100 < 100 / 66


def test_the_limits_of_the_memory_share():
    assert cpu.speed_ratio(2.0, 1.0, 0.0) == 2.0
    assert cpu.speed_ratio(2.0, 1.0, 1.0) == 1.0
    assert cpu.speed_ratio(3.0, 3.0, 0.4) == pytest.approx(3.0)


def test_hardware_threads_of_2002():
    """Marr et al.: 21 % more transactions with all threads busy, nothing for one alone."""
    station = cpu.processor_station("cpu", sockets=2, thread_gain=cpu.THREAD_GAIN)
    network = Network([station], [ClosedClass("jobs", 400)], [[0.01]])
    without = Network([QueueingStation("cpu", 2)], [ClosedClass("jobs", 400)], [[0.01]])
    gain = solve(network).throughputs[0] / solve(without).throughputs[0]
    assert gain == pytest.approx(1.21, abs=1e-6)
    alone = solve(network.with_population(1)).response_times[0]
    assert alone == pytest.approx(0.01)


def test_threads_at_their_limits():
    assert cpu.processor_station("cpu", 2, 8, thread_gain=1.0) == QueueingStation("cpu", 16)
    assert cpu.thread_rates(4, gain=2.0) == tuple(float(n) for n in range(1, 9))
    rates = cpu.thread_rates(16)
    assert all(b > a for a, b in pairwise(rates))


@pytest.mark.parametrize(("call", "text"), rows(__file__, "what_no_processor_can_be"))
def test_what_no_processor_can_be(call, text):
    with pytest.raises(InvalidInput, match=text.replace("(", "\\(")):
        asked(call, globals())
