"""One of several classes that asks nothing of a station: calibrated, and said."""

import pytest

from calibration.fitting.calibrate import calibrate
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES

#: The exact answers of cpu 0.04 s of a and 0.1 s of b, disk 0.3 s of b, thinking 1 and 2 s.
TABLE = """\
users:a,users:b,req/s:a,req/s:b,latency:a [ms],latency:b [ms],cpu [%],disk [%]
4,1,3.820,0.4137,47.0,417.2,19.4,12.41
8,2,7.550,0.8047,59.6,485.4,38.2,24.14
16,4,14.390,1.4764,111.9,709.3,72.3,44.29
"""


def test_a_demand_that_comes_out_as_none_is_no_reason_to_refuse():
    found = calibrate(parse_user_table(TABLE), STRUCTURES[:3])
    assert found.best.values == pytest.approx((0.04, 1.0, 0.1, 0.3, 2.0), rel=2e-3)
    said = "demand of disk (a) came out as none; measure another mix of classes to be sure"
    assert said in found.data.notes
