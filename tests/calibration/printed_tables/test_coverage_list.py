"""The coverage list is what the cards say."""

import pytest

from calibration.printed_tables.table import load_table, sources, table_names
from scripts import write_coverage


def test_coverage_is_up_to_date():
    assert write_coverage.TARGET.read_text(encoding="utf-8") == write_coverage.coverage()


def test_coverage_names_every_table_and_section():
    text = write_coverage.coverage()
    for source in sources():
        assert load_table(table_names(source)[0]).source.title in text
        for name in table_names(source):
            table = load_table(name)
            short = name.partition("/")[2]
            assert f"| {table.section} | {short} |" in text
            assert all(note in text for note in table.notes)


@pytest.mark.parametrize(
    ("name", "count"),
    [("notes31/table_4_2", 8), ("domino5_raid/table_1", 19), ("notes31/table_4_6", 0)],
)
def test_numbers_are_counted(name, count):
    assert write_coverage.numbers(load_table(name, "printed")) == count


def test_a_stale_file_is_told(tmp_path, monkeypatch, capsys):
    target = tmp_path / "COVERAGE.md"
    monkeypatch.setattr(write_coverage, "TARGET", target)
    assert write_coverage.main(["--check"]) == 1
    assert write_coverage.main([]) == 0
    assert write_coverage.main(["--check"]) == 0
    assert "stale" in capsys.readouterr().out
