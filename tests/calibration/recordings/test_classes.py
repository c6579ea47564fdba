"""What each class of requests asks, and how long its late ones take."""

import pytest

from calibration.recordings.classes import by_class
from calibration.recordings.series import Requests

PERIODS = [(100.0 * i, 100.0 * i + 100.0) for i in range(4)]


def requests(*rates):
    found = Requests()
    for (start, end), (browse, pay) in zip(PERIODS, rates, strict=True):
        for second in range(int(start), int(end)):
            for i in range(browse):
                found.add(second, 0.010 + 0.001 * i, "browse now")
            for i in range(pay):
                found.add(second, 0.200 + 0.010 * i, "pay:all")
    return found.series()


def test_percentiles_are_of_each_class():
    series, said = by_class(requests((20, 10), (30, 5), (40, 5), (10, 20)), PERIODS, wanted=True)
    tails = {each.name: each for each in series if each.quantity in {"p95", "p99"}}
    assert [*tails] == ["p95:browse now", "p99:browse now", "p95:pay_all", "p99:pay_all"]
    assert tails["p95:browse now"].mean(*PERIODS[0]) == pytest.approx(0.028, abs=0.001)
    assert tails["p95:pay_all"].mean(*PERIODS[0]) == pytest.approx(0.285, abs=0.01)
    assert said.startswith("classes: browse now")


def test_together_they_have_one():
    series, said = by_class(requests(*[(20, 10)] * 4), PERIODS, wanted=True)
    assert [each.name for each in series if each.quantity == "p95"] == ["p95"]
    assert said.endswith("are together in the table: their mix hardly varies")
