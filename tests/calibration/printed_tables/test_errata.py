"""Errata of the shipped tables: each resolves, each correction applies and changes something."""

import dataclasses

import pytest

from calibration.printed_tables.errata import APPLIED
from calibration.printed_tables.table import errata, load_table, sources, table_names

ALL = [(source, each) for source in sources() for each in errata(source)]
CORRECTIONS = [(source, each, fix) for source, each in ALL for fix in each.corrections]


def ids(values):
    return [each.id for _, each, *_ in values]


def differing_fields(one, other):
    return {
        field.name
        for field in dataclasses.fields(one)
        if getattr(one, field.name) != getattr(other, field.name)
    } - {"view"}


def test_all_errata_are_there():
    assert len(ALL) == len(set(ids(ALL))) == 54
    assert {source: len(errata(source)) for source in sources()} == {
        "domino46": 7,
        "domino5_raid": 7,
        "domino85": 8,
        "groupwise52": 14,
        "notes31": 18,
        "postgresql_live": 0,
    }


CONFIDENCES = {
    "certain", "likely", "suspicious", "wording", "tension", "gap", "derived", "interpretation",
    "cross-document",
}  # fmt: skip


@pytest.mark.parametrize(("source", "erratum"), ALL, ids=ids(ALL))
def test_erratum_is_complete(source, erratum):
    assert erratum.id.startswith("E-")
    assert all((erratum.place, erratum.finding, erratum.evidence))
    assert erratum.confidence in CONFIDENCES
    assert {f"{source}/{table}" for table in erratum.tables} <= set(table_names(source))


@pytest.mark.parametrize(("source", "erratum"), ALL, ids=ids(ALL))
def test_marks_name_cells_that_exist(source, erratum):
    for mark in erratum.marks:
        table = load_table(f"{source}/{mark.table}")
        assert set(mark.rows) <= set(table.rows)
        assert set(mark.columns) <= {column.name for column in table.columns}
        assert erratum in table.errata
        for row in mark.rows or (table.rows if mark.columns else ()):
            for column in mark.columns or [each.name for each in table.columns]:
                assert erratum in table.cell(row, column).errata


@pytest.mark.parametrize(("source", "erratum", "fix"), CORRECTIONS, ids=ids(CORRECTIONS))
def test_correction_applies_and_changes_what_it_says(source, erratum, fix):
    assert erratum.confidence in APPLIED
    assert fix.printed != fix.corrected
    name = f"{source}/{fix.table}"
    printed, corrected = load_table(name, "printed"), load_table(name)
    assert differing_fields(printed, corrected)
    assert erratum in corrected.errata
    assert erratum in printed.errata
    for table, expected in ((printed, fix.printed), (corrected, fix.corrected)):
        if fix.condition is not None:
            found = table.conditions[fix.condition]
        elif fix.field is None:
            found = table.cell(fix.row, fix.column).text
            assert erratum in table.cell(fix.row, fix.column).errata
        elif fix.column is not None:
            found = getattr(table.column(fix.column), fix.field)
            assert erratum in table.errata_at(column=fix.column)
        elif fix.row is not None:
            found = getattr(table.row(fix.row), fix.field)
            assert erratum in table.errata_at(row=fix.row)
        else:
            found = getattr(table, fix.field)
        assert found == expected


@pytest.mark.parametrize("name", table_names())
def test_views_differ_only_where_an_erratum_is_applied(name):
    printed, corrected = load_table(name, "printed"), load_table(name)
    short = name.partition("/")[2]
    applied = any(
        each.is_applied and any(fix.table == short for fix in each.corrections)
        for each in corrected.errata
    )
    assert bool(differing_fields(printed, corrected)) == applied
    assert corrected == load_table(name, "corrected")


def test_exchanged_captions_of_1995():
    disk = load_table("notes31/table_3_4")
    assert disk.caption == "Disk Throughput by Task"
    assert disk.column("throughput").station == disk.column("throughput_sd").station == "disk"
    assert load_table("notes31/table_3_4", "printed").column("throughput").station == "lan"


def test_wrong_unit_of_1995():
    corrected, printed = (
        load_table("notes31/table_4_1", view) for view in ("corrected", "printed")
    )
    assert corrected.cell("one_drive", "disk").value == 739_250
    assert printed.cell("one_drive", "disk").value == pytest.approx(739_250 / 8)
    assert [each.id for each in corrected.cell("one_drive", "disk").errata] == ["E-N95-08"]
    assert corrected.cell("one_drive", "cpu").errata == ()


def test_unit_of_a_row_is_corrected():
    assert load_table("notes31/hardware").cell("level_2_cache", "value").value == 512 * 1024
    peak = load_table("domino46/encryption_claims").cell("peak_cpu", "value")
    assert (peak.unit, peak.value) == ("%", 0.9)


def test_whole_table_errata_are_not_repeated_at_cells():
    table = load_table("notes31/table_4_7")
    assert "E-N95-02" in {each.id for each in table.errata}
    assert "E-N95-02" not in {each.id for each in table.cell("4 KB", "cpu").errata}
