"""Published numbers: units, ranges and limits as papers print them, and errors against them."""

from math import inf

import pytest

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.ensemble import NINETY_PERCENT
from calibration.agreements.published import Published, published
from calibration.estimation.interval import Range
from calibration.printed_tables.card import TableError
from tests.tables import asked, rows


def test_a_cell_keeps_its_printed_unit_and_rounding():
    found = published("groupwise52/table_3", "10_4", "throughput")
    assert (found.value, found.unit, found.half_unit) == (9.3, "Mb/s", 0.05)
    assert found.cell == "groupwise52/table_3:10_4:throughput"
    assert found.source.endswith("Table 3, row 10_4, column throughput")
    assert not found.is_limit


def test_another_unit():
    found = published("groupwise52/table_3", "10_4", "throughput", "KB/s")
    assert (found.value, found.half_unit) == pytest.approx((1162.5, 6.25))
    minutes = published("notes31/table_4_7", "4 KB", "response_time", "s")
    assert (minutes.value, minutes.half_unit) == pytest.approx((1195.8, 0.3))
    with pytest.raises(TableError, match="not known"):
        published("groupwise52/table_3", "10_4", "throughput", "furlongs")


def test_ranges_and_limits_of_claims():
    gain = published("groupwise52/claims", "read_ahead_gain", "value")
    assert (gain.low, gain.high, gain.value) == (15.0, 20.0, 17.5)
    under = published("domino5_raid/study_two_claims", "cpu_4000", "value")
    assert (under.low, under.high, under.value, under.is_limit) == (-inf, 24.0, 24.0, True)
    over = published("domino5_raid/study_two_claims", "knee_others", "value")
    assert (over.low, over.high, over.value) == (4000.0, inf, 4000.0)


def test_conversion_turns_ranges_round_and_keeps_rounding():
    gain = published("groupwise52/claims", "raid0_gain", "value")
    ratio = gain.converted("1", lambda percent: 1.0 - percent / 100.0)
    assert (ratio.low, ratio.high) == pytest.approx((0.8, 0.9))
    assert ratio.half_unit == pytest.approx(0.005)
    limit = published("domino5_raid/study_two_claims", "cpu_4000", "value")
    free = limit.converted("%", lambda busy: 100.0 - busy)
    assert (free.low, free.high) == (76.0, inf)


def test_a_cell_of_words_is_refused():
    with pytest.raises(ValueError, match="holds no number"):
        published("groupwise52/table_1", "1000", "machine")
    with pytest.raises(TableError, match="no row"):
        published("groupwise52/table_1", "999", "memory")


def comparison(predicted, number):
    return Comparison(
        published=Published("t/t", "r", "c", "s", "s", *number, half_unit=0.5), subject="a",
        metric="b", case="", status="held out", model="m", predicted=Range(*predicted),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("predicted", "number", "error", "inside"), rows(__file__, "error_and_coverage")
)
def test_error_and_coverage(predicted, number, error, inside):
    found = comparison(asked(predicted, globals()), asked(number, globals()))
    assert found.error == pytest.approx(error)
    assert found.inside is inside


def test_half_width_is_relative_to_the_prediction():
    assert comparison((90.0, 100.0, 130.0), (1.0, 1.0)).half_width == pytest.approx(0.2)


def test_noise_of_one_more_adds_in_quadrature():
    found = for_one_more(Range(97.0, 100.0, 103.0), 4.0 / NINETY_PERCENT)
    assert (found.low, found.mid, found.high) == pytest.approx((95.0, 100.0, 105.0))
