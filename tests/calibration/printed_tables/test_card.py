"""Reading tables: print rounding, units, and one-line errors for faulty files and names."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.printed_tables import card as cards
from calibration.printed_tables.table import errata, load_table, table_names  # noqa: F401, named in the table
from tests.tables import asked, rows


@given(st.decimals(-(10**6), 10**6, places=8), st.integers(0, 6), st.booleans())
def test_rounding_stays_within_half_a_unit(exact, places, grouped):
    text = f"{exact:{',' if grouped else ''}.{places}f}"
    half = cards.half_unit(text)
    assert half == pytest.approx(0.5 * 10**-places)
    assert abs(cards.printed_number(text) - exact) <= Decimal(half) * (1 + Decimal("1e-12"))


@pytest.mark.parametrize(("text", "unit", "expected"), rows(__file__, "half_units"))
def test_half_a_unit_of_the_last_printed_place(text, unit, expected):
    assert cards.half_unit(text, unit) == asked(expected, globals())


@pytest.mark.parametrize("text", ["abc", "1,56", "1 569", "5 %", "1.2.3", "1e3", "12MB", "--1"])
def test_text_is_no_number(text):
    with pytest.raises(cards.TableError, match="is not a number"):
        cards.printed_number(text)


@given(st.integers(0, 10**6), st.sampled_from(["%", "ms", "min", "KB/s", "MB", "Kbps", "1/min"]))
def test_value_and_rounding_share_their_factor(number, unit):
    value, half = cards.base_value(
        str(number), cards.Measure("x", unit, "factor", "any"), cards.Kilo()
    )
    _, numerator, denominator = cards.base_unit(unit)
    assert value == float(number * numerator / denominator)
    assert half == pytest.approx(float(numerator / denominator) / 2)


def test_kilobytes_are_what_the_source_says():
    assert cards.base_unit("MB", cards.Kilo(size=1000))[1] == 10**6
    assert cards.base_unit("MB", cards.Kilo(size=1024))[1] == 2**20
    assert cards.base_unit("MB/s", cards.Kilo(size=1024, rate=1000))[1] == 10**6
    own = cards.Measure("x", "GB", "size", "any", kilobyte=1000)
    assert cards.base_value("2", own, cards.Kilo(size=1024))[0] == 2e9


def test_numbers_are_read_without_a_stray_digit():
    assert load_table("notes31/table_3_2").values("cpu")[:2] == (0.999, 0.754)


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("call", "message"), rows(__file__, "errors_name_the_culprit_in_one_line"))
def test_errors_name_the_culprit_in_one_line(call, message):
    with pytest.raises(cards.TableError, match=message) as caught:
        asked(call, globals())
    assert "\n" not in str(caught.value)
