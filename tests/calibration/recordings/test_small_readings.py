"""What headings, numbers, moments and counters of recordings mean, one by one."""

from fractions import Fraction  # noqa: F401, named in the table

import numpy as np
import pytest

from calibration.recordings.background import without  # noqa: F401, named in the table
from calibration.recordings.counters import growth
from calibration.recordings.header import read_header, read_heading  # noqa: F401, named in the table
from calibration.recordings.importing import columns_of  # noqa: F401, named in the table
from calibration.recordings.load_levels import is_whole  # noqa: F401, named in the table
from calibration.recordings.number_style import decimal_comma, plain  # noqa: F401, named in the table
from calibration.recordings.percentiles import percentile
from calibration.recordings.reader import moment  # noqa: F401, named in the table
from calibration.recordings.readers.sysstat_json import recording_of  # noqa: F401, named in the table
from calibration.recordings.series import Series
from calibration.recordings.span_trees import Service, sentence  # noqa: F401, named in the table
from calibration.recordings.spellings import respelt, to_paste  # noqa: F401, named in the table
from calibration.recordings.steadiness import standard_error
from tests.tables import asked, rows

SYSSTAT = {"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": [
    {"timestamp": {"date": "2026-01-05", "time": "10:00:10", "utc": 1, "interval": 10},
     "cpu-load": [{"cpu": "all", "user": 20.0, "iowait": 5.0, "idle": 70.0}]}]}]}}  # fmt: skip


@pytest.mark.parametrize(("heading", "meant"), rows(__file__, "headings"))
def test_a_heading_is_respelt(heading, meant):
    assert respelt(heading) == (meant or None)


@pytest.mark.parametrize(("found", "expected"), rows(__file__, "a_small_reading"))
def test_a_small_reading(found, expected):
    assert asked(found, globals()) == asked(expected, globals())


def test_a_quantity_without_its_unit_is_refused():
    with pytest.raises(ValueError, match="no unit; write response_time"):
        read_heading("response_time")


def test_a_counter_that_starts_anew():
    grown, resets = growth(np.array([10.0, 14.0, 13.75, 14.75, 3.0, 5.0]))  # slips, and begins
    assert (grown.tolist(), resets) == ([4.0, 0.0, 1.0, 3.0, 2.0], 1)


def test_a_percentile_of_buckets_needs_enough_in_them():
    bounds, counts = np.array([0.1, 0.25, 0.5]), np.array([700.0, 200.0, 100.0])
    assert round(percentile(bounds, counts, 0.95), 2) == 0.28
    assert percentile(bounds, counts / 20, 0.95) is None


def test_samples_four_and_four_alike_are_sixteen_and_not_sixty_four():
    values = np.repeat([1.0, 2.0] * 8, 4)
    walk = Series("x", "", "", np.arange(1.0, 65.0), np.ones(64), values)
    assert round(standard_error(walk, (0.0, 64.0)), 3) == 0.129
