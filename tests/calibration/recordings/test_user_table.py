"""The door for a user's table: what comes in, and the one line that each mistake gets."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.recordings import user_table as ut
from calibration.recordings.header import QUANTITIES, UNITS, read_heading
from qmodel.errors import FileError
from tests.tables import asked, rows

GOOD = "population,think_time [s],throughput [1/s],utilization:cpu [%],volume:lan [KB/s]\n"


def refused(text, name="T.csv"):
    with pytest.raises(FileError) as caught:
        ut.parse_user_table(text, name)
    assert "\n" not in str(caught.value)
    return caught.value


# --- what comes in ------------------------------------------------------------------------------


def test_every_column_of_the_format():
    header = (
        "configuration,class,population,think_time [s],throughput [1/s],response_time [s],"
        "utilization:cpu [%],servers:cpu,volume:lan [KB/s],operations:disk [1/s]"
    )
    table = ut.parse_user_table(f"{header}\nbefore,edit,20,12,0.5,28,45.5,2,120.4,30\n")
    assert [column.quantity for column in table.columns] == [
        "configuration", "class", "population", "think_time", "throughput", "response_time",
        "utilization", "servers", "volume", "operations",
    ]  # fmt: skip
    assert table.words("configuration") == ("before",)
    assert table.values("utilization", "cpu") == (0.455,)
    assert table.values("volume", "lan") == (120_400.0,)
    assert table.values("servers", "cpu") == (2.0,)
    assert table.values("volume", "tape") == (None,)
    assert table.words("class") == ("edit",)


@pytest.mark.parametrize(("heading", "base"), rows(__file__, "units"))
def test_units_and_their_variants(heading, base):
    assert float(read_heading(heading).factor) == pytest.approx(base, rel=1e-15)


def test_units_do_not_overlap_where_a_mistake_would_be_silent():
    for one, units in UNITS.items():
        for other, others in UNITS.items():
            if one < other and (one, other) != ("fraction", "utilization"):
                assert not (units.keys() & others.keys()) - {"", "1", "%"}
    assert all(quantity.dimension in UNITS for quantity in QUANTITIES)
    assert UNITS["data rate"]["KB/s"] == 8 * UNITS["data rate"]["Kb/s"]


@pytest.mark.parametrize(("cell", "value", "half"), rows(__file__, "rounding"))
def test_print_rounding_is_half_a_unit_of_the_last_place(cell, value, half):
    reading = ut.parse_user_table(f"utilization:cpu [%]\n{cell}\n").readings[0][0]
    assert reading.value == pytest.approx(value, rel=1e-15)
    assert reading.half_unit == pytest.approx(half, rel=1e-15)


def test_thousands_and_missing_cells():
    table = ut.parse_user_table('response_time [s],cpu\n"1,569",\n-,NA\n12,n/a\n')
    assert table.values("response_time") == (1569.0, None, 12.0)
    assert table.values("utilization", "cpu") == (None, None, None)


def test_rows_are_named_by_distinct_configurations_or_by_their_lines():
    named = ut.parse_user_table("configuration,cpu\nold,50\nnew,40\n")
    assert named.rows == ("old", "new")
    assert ut.parse_user_table("configuration,cpu\nold,50\nold,40\n").rows == ("line 2", "line 3")
    assert ut.parse_user_table("cpu\n50\n\n# note\n40\n").rows == ("line 2", "line 5")


def test_byte_order_mark_line_ends_and_spaces(written):
    path = written("runs.csv", b"\xef\xbb\xbfusers, cpu\r\n10, 57\r\n20, 88\r\n")
    table = ut.load_user_table(path)
    assert table.values("population") == (10.0, 20.0)
    assert table.path == str(path)
    assert table == ut.load_user_table(str(path))


@given(st.integers(0, 10**6), st.integers(0, 6), st.sampled_from(sorted(UNITS["time"])))
def test_values_are_exact(number, places, unit):
    text = f"{number / 10**places:.{places}f}"
    table = ut.parse_user_table(f"response_time [{unit}]\n{text}\n")
    exact = Fraction(text) * UNITS["time"][unit]
    assert table.values("response_time") == (float(exact),)


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "place", "words"), rows(__file__, "refused"))
def test_one_line_with_file_row_and_column(text, place, words):
    error = refused(text)
    assert str(error).startswith(place)
    assert words in str(error)


def test_a_header_to_paste_with_what_was_meant_in_the_separator_of_the_file():
    rest = "\n50;9,86;46,9;7;99;4,86\n"
    said = refused(f"VUs;Throuhgput;Respones Time (ms);p97 (ms);max_rt [ms];CPU app{rest}")
    header = str(said.others[-1]).partition("to paste: ")[2]
    pasted = "VUs;throughput [1/s];response_time (ms);ignore:p97 ms;ignore:max_rt ms;CPU app"
    assert header == pasted
    assert ut.parse_user_table(header + rest).values("response_time") == (0.0469,)


@pytest.mark.parametrize(
    ("header", "cells", "words"), rows(__file__, "the_question_behind_too_much_utilization")
)
def test_the_question_behind_too_much_utilization(header, cells, words):
    assert words in str(refused(f"{header}\n{cells}\n"))


def test_a_utilization_that_rounding_puts_at_its_limit():
    assert ut.parse_user_table("cpu\n100.0\n100\n").values("utilization", "cpu") == (1.0, 1.0)
    assert "above 100 %" in str(refused("cpu\n100.4\n"))


def test_control_characters_do_not_reach_the_terminal():
    assert "\x1b" not in str(refused("users,cpu\n1,\x1b[31m\n"))


def test_too_many_rows_are_refused_at_once(tmp_path):
    path = tmp_path / "monitor.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("users,cpu\n")
        file.write("10,57\n" * 1_000_000)
    start = time.perf_counter()
    with pytest.raises(FileError, match=r"exceeds the 1 MB limit.*2,000 rows, one a measured run"):
        ut.load_user_table(path)
    assert time.perf_counter() - start < 3.0
    rows = "users,cpu\n" + "10,57\n" * (ut.ROW_LIMIT + 1)
    assert len(rows) < ut.SIZE_LIMIT
    assert "more than 2,000 rows" in str(refused(rows))
    assert len(ut.parse_user_table(rows[: -len("10,57\n")]).rows) == ut.ROW_LIMIT


def test_too_many_columns():
    assert "at most 200" in str(refused(",".join(["cpu"] * 300) + "\n1\n"))


@pytest.mark.parametrize(("content", "words"), rows(__file__, "encodings"))
def test_other_encodings_are_named(written, content, words):
    path = written("runs.csv", asked(content, globals()))
    with pytest.raises(FileError) as caught:
        ut.load_user_table(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileError, match="cannot read: no such file"):
        ut.load_user_table(tmp_path / "none.csv")
    with pytest.raises(FileError, match="cannot read: is a directory"):
        ut.load_user_table(tmp_path)


def one_line(text):
    """The error a text gets, None if it is a table."""
    try:
        ut.parse_user_table(text, "T.csv")
    except FileError as error:
        return str(error)
    return None


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_one_line(text):
    said = one_line(text)
    assert said is None or (said.startswith("T.csv") and "\n" not in said)


@given(st.text(alphabet='cpu:users[%]/s,;\n"0123456789.-e ', max_size=120))
def test_nearly_tables_are_tables_or_one_line(text):
    said = one_line(text)
    assert said is None or "\n" not in said
