"""Reading tables: print rounding, units, and one-line errors for faulty files and names."""

import hashlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calibration.printed_tables.table as module
from calibration.printed_tables.card import (
    Kilo,
    Measure,
    base_unit,
    base_value,
    half_unit,
    printed_number,
)
from calibration.printed_tables.table import TableError, errata, load_table, table_names


@given(st.decimals(-(10**6), 10**6, places=8), st.integers(0, 6), st.booleans())
def test_rounding_stays_within_half_a_unit(exact, places, grouped):
    text = f"{exact:{',' if grouped else ''}.{places}f}"
    half = half_unit(text)
    assert half == pytest.approx(0.5 * 10**-places)
    assert abs(printed_number(text) - exact) <= Decimal(half) * (1 + Decimal("1e-12"))


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("69", "", 0.5), ("0.10", "", 0.005), ("1,569", "", 0.5), ("97.2", "", 0.05),
        ("8,000,000", "bytes", 0.5), ("22%", "%", 0.5), ("42MB", "MB", 0.5),
        ("10 Mb/s", "Mb/s", 0.5), ("512K", "KB", 0.5), ("-2%", "%", 0.5), ("Twenty", "", 0.5),
        ("", "", None), ("NA", "", None), ("-", "", None),
    ],
)  # fmt: skip
def test_half_a_unit_of_the_last_printed_place(text, unit, expected):
    assert half_unit(text, unit) == expected


@pytest.mark.parametrize("text", ["abc", "1,56", "1 569", "5 %", "1.2.3", "1e3", "12MB", "--1"])
def test_text_is_no_number(text):
    with pytest.raises(TableError, match="is not a number"):
        printed_number(text)


@given(st.integers(0, 10**6), st.sampled_from(["%", "ms", "min", "KB/s", "MB", "Kbps", "1/min"]))
def test_value_and_rounding_share_their_factor(number, unit):
    measure = Measure("x", unit, "factor", "any")
    value, half = base_value(str(number), measure, Kilo())
    _, numerator, denominator = base_unit(unit)
    assert value == float(number * numerator / denominator)
    assert half == pytest.approx(float(numerator / denominator) / 2)


def test_kilobytes_are_what_the_source_says():
    assert base_unit("MB", Kilo(size=1000))[1] == 10**6
    assert base_unit("MB", Kilo(size=1024))[1] == 2**20
    assert base_unit("MB/s", Kilo(size=1024, rate=1000))[1] == 10**6
    own = Measure("x", "GB", "size", "any", kilobyte=1000)
    assert base_value("2", own, Kilo(size=1024))[0] == 2e9


def test_numbers_are_read_without_a_stray_digit():
    assert load_table("notes31/table_3_2").values("cpu")[:2] == (0.999, 0.754)


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: load_table("notes31/table_4_22"), r"did you mean 'notes31/table_4_2'\?"),
        (lambda: load_table("nothing at all"), r"table_names\(\) lists them"),
        (lambda: load_table("../card"), "no table '../card'"),
        (lambda: load_table("notes31/../notes31/table_4_2"), "no table"),
        (lambda: load_table("notes31/source"), "no table 'notes31/source'"),
        (lambda: load_table("notes31/table_4_2", "true"), "use 'corrected' or 'printed'"),
        (lambda: table_names("notes30"), "no source 'notes30'; sources are domino46"),
        (lambda: errata("notes30"), "no source 'notes30'"),
        (lambda: load_table("notes31/table_4_2").column("gpu"), "columns are configuration"),
        (lambda: load_table("notes31/table_4_2").cell("raid6", "cpu"), "rows are no_fault"),
        (lambda: load_table("notes31/table_4_2").cite("raid6"), "no row 'raid6'"),
        (lambda: load_table("notes31/table_4_2").values("label"), r"use \.text\('label'\)"),
        (lambda: base_unit("furlong"), "unit 'furlong' is not known; use one of 1, %"),
    ],
)
def test_errors_name_the_culprit_in_one_line(call, message):
    with pytest.raises(TableError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


# --- faulty files -------------------------------------------------------------------------------

SOURCE = """
title = "A paper"
publisher = "A press"
short = "A paper"
date = "2000"
[kilobyte]
size = 1024
rate = 1000
reason = "as usual"
[conditions]
"""
CARD = """
title = "Two runs"
kind = "measured"
section = "Chapter 1"
sha256 = "{digest}"
[columns.run]
unit = ""
quantity = "key"
meaning = "name of the run"
[columns.cpu]
unit = "%"
quantity = "utilization"
station = "cpu"
meaning = "busy share"
"""
CSV = "run,cpu\na,50\nb,60\n"


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A function that ships one table and loads it."""
    monkeypatch.setattr(module, "TABLES", tmp_path)

    def ship(csv=CSV, card=CARD, source=SOURCE, errata=""):
        folder = tmp_path / "paper"
        folder.mkdir()
        raw = csv if isinstance(csv, bytes) else csv.encode()
        (folder / "runs.csv").write_bytes(raw)
        (folder / "runs.toml").write_text(card.format(digest=hashlib.sha256(raw).hexdigest()))
        (folder / "source.toml").write_text(source)
        (folder / "errata.toml").write_text(errata)
        table = load_table("paper/runs")
        table.values("cpu")
        return table

    return ship


def test_a_sound_table_loads(shipped):
    assert shipped().values("cpu") == (0.5, 0.6)


ERRATUM = """
[[erratum]]
id = "E-1"
place = "here"
confidence = "certain"
finding = "wrong"
evidence = "none"
"""

FAULTY = {
    "digest": ({"card": CARD.replace("{digest}", "0")}, "runs.toml: sha256 is '0', the CSV file"),
    "uneven": ({"csv": CSV + "c,1,2\n"}, "line 4: 3 cells, expected 2"),
    "twice": ({"csv": CSV + "a,70\n"}, "row keys must be unique"),
    "empty key": ({"csv": CSV + ",70\n"}, "row keys must be unique and not empty"),
    "word": ({"csv": CSV + "c,much\n"}, "row 'c', column 'cpu': 'much' is not a number in %"),
    "undescribed": ({"csv": "run,cpu,lan\na,1,2\n"}, "'lan' of the CSV file is not described"),
    "absent": ({"csv": "run\na\n"}, "'cpu' is described but not in the CSV file"),
    "unknown key": ({"card": "colour = 1\n" + CARD}, "key 'colour' is not known; use title"),
    "no title": ({"card": CARD.replace("title", "caption")}, "key 'title' is missing"),
    "kind": ({"card": CARD.replace('"measured"', '"guessed"')}, "kind 'guessed' is not one of"),
    "quantity": ({"card": CARD.replace("utilization", "busyness")}, "quantity 'busyness' is not"),
    "station": ({"card": CARD.replace('station = "cpu"', 'station = "bus"')}, "station 'bus'"),
    "unit": ({"card": CARD.replace('"%"', '"percent"')}, "unit 'percent' is not known"),
    "by row": ({"card": CARD.replace('"%"', '"by row"')}, "unit and quantity are both 'by row'"),
    "kilobyte": ({"card": CARD + "kilobyte = 1001\n"}, "kilobyte is 1001; use 1000 or 1024"),
    "not TOML": ({"card": "title ="}, "runs.toml: cannot be read as TOML"),
    "source": ({"source": SOURCE.replace("publisher", "house")}, "key 'publisher' is missing"),
    "bytes": ({"source": SOURCE.replace("1024", "1023")}, "size and rate are 1023 and 1000"),
    "confidence": ({"errata": ERRATUM.replace("certain", "sure")}, "confidence 'sure' is not"),
    "same id": ({"errata": ERRATUM * 2}, "id 'E-1' is given twice"),
    "mark": ({"errata": ERRATUM + "[[erratum.mark]]\nrows = []\n"}, "key 'table' is missing"),
    "not UTF-8": ({"csv": b"run,cpu\n\xe9,50\n"}, "runs.csv: byte 9 is not UTF-8"),
    "no rows": ({"csv": "run,cpu\n"}, "a header and at least one row are needed"),
    "nothing": ({"csv": ""}, "a header and at least one row are needed"),
}


@pytest.mark.parametrize(("files", "message"), FAULTY.values(), ids=FAULTY)
def test_faulty_files_are_refused(shipped, files, message):
    with pytest.raises(TableError) as caught:
        shipped(**files)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_suspicious_errata_are_listed_and_not_applied(shipped):
    fix = '[[erratum.correction]]\ntable = "runs"\nrow = "a"\ncolumn = "cpu"\nprinted = "50"\n'
    entry = ERRATUM.replace("certain", "suspicious") + fix + 'corrected = "55"\n'
    table = shipped(errata=entry)
    assert table.cell("a", "cpu").text == "50"
    assert [each.id for each in table.cell("a", "cpu").errata] == ["E-1"]
