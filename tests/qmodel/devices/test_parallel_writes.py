"""Mirrored writes at once: between the longest part and the parts in turn."""

import pytest

import qmodel as qm
from qmodel.devices.parallel_writes import lone_time

TIME = 0.010


def mirrored(who):
    return qm.solve(qm.Network([qm.ForkJoinStation("mirror", 2)], [who], [[TIME]]))


def in_turn(who):
    return qm.solve(
        qm.Network([qm.QueueingStation("a"), qm.QueueingStation("b")], [who], [[TIME, TIME]])
    )


def test_a_lone_write_takes_the_longer_of_its_two():
    """Three halves of one, exactly, for times that vary as the exponential does; in turn two."""
    alone = qm.ClosedClass("writes", 1)
    assert mirrored(alone).response_times[0] == pytest.approx(1.5 * TIME, rel=1e-6)
    assert lone_time(TIME, 2) == pytest.approx(1.5 * TIME)
    assert in_turn(alone).response_times[0] == pytest.approx(2 * TIME)


def test_a_lone_write_to_several_by_printed_numbers():
    """1, 1.5, 1.83 and 2.93 times one drive's: the expected longest of 1, 2, 3 and 10.

    A. Thomasian, "Analysis of fork/join and related queueing systems," ACM Computing Surveys
    47(2), 17, 2014, p. 17:2 and (10) on p. 17:11: the harmonic numbers, 1.5 for two; the other
    three as printed in lecture notes on the web (none of the papers' tables was at hand).
    """
    for drives, printed, unit in ((1, 1.0, 0.1), (2, 1.5, 0.1), (3, 1.83, 0.01), (10, 2.93, 0.01)):
        assert lone_time(1.0, drives) == pytest.approx(printed, abs=unit / 2)
        station = qm.ForkJoinStation("mirror", drives)
        alone = qm.solve(qm.Network([station], [qm.ClosedClass("writes", 1)], [[1.0]]))
        assert alone.response_times[0] == pytest.approx(printed, abs=unit / 2)


def test_the_load_is_the_same_and_in_turn_is_an_upper_bound():
    for load in (0.1, 0.5, 0.9):
        writes = qm.OpenClass("writes", arrival_rate=load / TIME)
        at_once, serial = mirrored(writes), in_turn(writes)
        assert at_once.station_utilizations[0] == pytest.approx(load)
        assert serial.station_utilizations == pytest.approx((load, load))
        longest = TIME / (1 - load)
        assert longest < at_once.response_times[0] < serial.response_times[0]
        # Two servers, exact: (12 - load) / 8 times the time at one (Flatto and Hahn 1984;
        # Thomasian 2014, (6) on p. 17:10).
        assert at_once.response_times[0] == pytest.approx((12 - load) / 8 * longest, rel=1e-3)
