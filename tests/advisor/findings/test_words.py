"""Numbers in words: rounding, units and intervals."""

from math import inf

import pytest

from advisor.findings.records import Evidence
from advisor.findings.words import (
    busiest,
    counted,
    crowd,
    deciding,
    memory_size,
    number_range,
    percent,
    percent_range,
    points,
    points_range,
    resource_name,
    seconds,
    signed,
    signed_range,
)
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range

MIB = 1024**2


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (seconds(0.0123), "12.3 ms"),
        (seconds(4.2), "4.2 s"),
        (seconds(1472.3), "1472 s"),
        (seconds(inf), "unbounded"),
        (counted(1, "user"), "1 user"),
        (counted(20, "user"), "20 users"),
        (memory_size(96 * MIB), "96 MB"),
        (memory_size(1024 * MIB), "1024 MB"),
        (memory_size(2048 * 1024 * MIB), "2048 GB"),
        (memory_size(9 * MIB**2), "9 TB"),
        (memory_size(1234567 * MIB), "1206 GB"),
        (resource_name("cpu"), "cpu"),
        (resource_name(NOT_MEASURED), "an unmeasured queue"),
        (busiest(("cpu", 0.953)), "cpu is the busiest, up to 95 %"),
        (busiest((NOT_MEASURED, 0.71)), "an unmeasured queue is the busiest, up to 71 %"),
        (percent(0.9003), "90 %"),
        (percent(0.0249), "2.5 %"),
        (signed(-0.0834), "-8.3 %"),
        (signed(0.0004), "+0.0 %"),
        (points(0.42, 0.405), "-1.5 points"),
        (points(0.9, 0.89999), "+0.0 points"),
        (percent_range(Range(0.86, 0.90, 0.94)), "90 % (86 to 94)"),
        (signed_range(Range(-0.12, -0.08, -0.05)), "-8.0 % (-12.0 to -5.0)"),
        (number_range(Range(0.5, 1.0, 2.0)), "1 (0.5 to 2)"),
        (number_range(Range(3.0, 3.0, 3.0)), "3"),
        (points_range(Range(-0.25, -0.2, -0.1)), "-20.0 points (-25.0 to -10.0)"),
        (crowd(200, None), "200 users"),
        (crowd(200, 5.0), "5 requests/s"),
    ],
)
def test_a_number_in_words(said, expected):
    assert said == expected


def test_numbers_with_a_threshold_and_the_first_of_a_source_decide():
    busy = Evidence("utilization", 90.0, "%", "computed", "a law", 80.0)
    speed = Evidence("speed", 1.2, "1", "computed", "a law")
    printed = [Evidence(name, 1.0, "s", "measured", "a paper") for name in ("one", "two")]
    assert [e.metric for e in deciding([busy, speed, *printed])] == ["utilization", "one"]
    assert deciding([speed]) == (speed,)
