"""What headings, numbers, moments and counters of recordings mean, one by one."""

from fractions import Fraction

import numpy as np
import pytest

from calibration.recordings.background import without
from calibration.recordings.counters import growth
from calibration.recordings.header import read_header, read_heading
from calibration.recordings.importing import columns_of
from calibration.recordings.number_style import decimal_comma, plain
from calibration.recordings.percentiles import percentile
from calibration.recordings.reader import moment
from calibration.recordings.readers.sysstat_json import recording_of
from calibration.recordings.series import Series
from calibration.recordings.span_trees import Service, sentence
from calibration.recordings.spellings import respelt, to_paste
from calibration.recordings.steadiness import standard_error
from tests.tables import rows

SYSSTAT = {"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": [
    {"timestamp": {"date": "2026-01-05", "time": "10:00:10", "utc": 1, "interval": 10},
     "cpu-load": [{"cpu": "all", "user": 20.0, "iowait": 5.0, "idle": 70.0}]}]}]}}  # fmt: skip


@pytest.mark.parametrize(("heading", "meant"), rows(__file__, "headings"))
def test_a_heading_is_respelt(heading, meant):
    assert respelt(heading) == (meant or None)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (to_paste("checkout [req/s]"), "throughput:checkout [1/s]"),
        (to_paste("weather"), "ignore:weather"),
        (read_heading("utilization:cpu [%]").of, "cpu"),
        (read_heading("cpu").unit, "%"),
        (read_header(["users", "volume:lan [KB/s]"], "runs.csv", 1)[1].factor, Fraction(1000)),
        (columns_of("VUs=users, busy=utilization:cpu [%]")["busy"].of, "cpu"),
        (
            [decimal_comma(cells) for cells in (["0,5", "1.000"], ["1,234.5", "7"], ["1.000"])],
            [True, False, False],
        ),
        (plain("1.234,5", commas=True), "1234.5"),
        (plain("1 234 %", commas=False), "1234 %"),
        (plain("7'000", commas=False), "7000"),
        (moment("1795471965986"), (1795471965.986, "UTC")),
        (moment("2026-11-23T22:16:43+0000"), (1795472203.0, "UTC")),
        (moment("2026-11-23 22:16:43"), (1795472203.0, "local")),
        (without([(0.0, 10.0), (10.0, 20.0)], [(8.0, 15.0)]), [(0.0, 8.0), (15.0, 20.0)]),
        (sentence([Service("shop", 0.0123, {"db": 2.0})]).split("; ")[1], "shop calls db 2 times"),
        (
            [(each.name, each.value.tolist()) for each in recording_of(SYSSTAT).series],
            [("utilization:cpu", [0.25]), ("servers:cpu", [2.0])],
        ),
    ],
)
def test_a_small_reading(found, expected):
    assert found == expected


def test_a_quantity_without_its_unit_is_refused():
    with pytest.raises(ValueError, match="no unit; write response_time"):
        read_heading("response_time")


def test_a_counter_that_starts_anew():
    grown, resets = growth(np.array([10.0, 14.0, 3.0, 5.0]))
    assert (grown.tolist(), resets) == ([4.0, 3.0, 2.0], 1)


def test_a_percentile_of_buckets_needs_enough_in_them():
    bounds, counts = np.array([0.1, 0.25, 0.5]), np.array([700.0, 200.0, 100.0])
    assert round(percentile(bounds, counts, 0.95), 2) == 0.28
    assert percentile(bounds, counts / 20, 0.95) is None


def test_samples_four_and_four_alike_are_sixteen_and_not_sixty_four():
    values = np.repeat([1.0, 2.0] * 8, 4)
    walk = Series("x", "", "", np.arange(1.0, 65.0), np.ones(64), values)
    assert round(standard_error(walk, (0.0, 64.0)), 3) == 0.129
