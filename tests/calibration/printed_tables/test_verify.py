"""The shipped numbers looked up in papers made for the purpose; what the cards say is listed."""

import pytest

from calibration.printed_tables.table import load_table, sources, table_names
from scripts import verify_tables as script
from scripts import write_coverage
from tests.tables import rows


def paper(source):
    """A text that says what the tables of a source say, and its title."""
    lines = list(load_table(table_names(source)[0]).source.identified_by)
    for name in table_names(source):
        table = load_table(name, view="printed")
        lines += ["x " * 5000, table.caption, *table.near]
        for key, cells in zip(table.rows, table.texts, strict=True):
            row = table.row(key)
            printed = [
                cell for cell, column in zip(cells, table.columns, strict=True) if column.printed
            ]
            lines.append("\t".join([row.near if row else "", *printed]))
    return "\n".join(lines)


@pytest.fixture
def papers(tmp_path):
    for number, source in enumerate(sources()):
        (tmp_path / f"{number}.txt").write_text(paper(source), encoding="utf-8")
    return tmp_path


def test_all_cells_are_found(papers, capsys):
    assert script.main([str(papers)]) == 0
    out = capsys.readouterr().out
    assert "not all found" not in out
    assert "notes31/table_3_2: 45 of 45 cells found" in out


CHANGED = (
    ("146.25", "146.26", "notes31/table_4_2"), ("75.4", "75.5", "notes31/table_3_2"),
    ("70,000", "71,000", "domino46/encryption_settings"),
    ("2,300", "2,301", "domino5_raid/table_1"),
)  # fmt: skip


def test_a_changed_number_is_missed(papers, capsys):
    for path in papers.iterdir():
        text = path.read_text(encoding="utf-8")
        for printed, changed, _ in CHANGED:
            text = text.replace(printed, changed)
        path.write_text(text, "utf-8")
    assert script.main([str(papers)]) == 1
    out = capsys.readouterr().out.splitlines()
    for printed, _, table in CHANGED:
        at = next(index for index, line in enumerate(out) if line.startswith(f"{table}:"))
        assert printed in out[at + 1]


def test_a_missing_paper_is_named(papers, capsys):
    (papers / "0.txt").unlink()
    with pytest.raises(SystemExit) as caught:
        script.main([str(papers)])
    assert caught.value.code == 2
    assert "NSF_BUFFER_POOL_SIZE" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["no/such/folder"], ["a", "b"]])
def test_usage(arguments, capsys):
    assert script.main(arguments) == 2
    assert capsys.readouterr().err.startswith("usage: ")


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


@pytest.mark.parametrize(("name", "count"), rows(__file__, "numbers_are_counted"))
def test_numbers_are_counted(name, count):
    assert write_coverage.numbers(load_table(name, "printed")) == count


def test_a_stale_file_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(write_coverage, "TARGET", tmp_path / "COVERAGE.md")
    assert write_coverage.main(["--check"]) == 1
    assert write_coverage.main([]) == 0
    assert write_coverage.main(["--check"]) == 0
    assert "stale" in capsys.readouterr().out
