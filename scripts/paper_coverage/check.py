"""What every row of the coverage files must name rightly, and that each recommendation has one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from advisor.rules import RULES
from calibration.printed_tables.table import errata, sources, table_names
from qmodel.documents.document import read_document
from qmodel.documents.wording import KeyPath, did_you_mean, show_text
from qmodel.errors import FileError
from scripts.paper_coverage.recommendation import (
    HERE,
    PAPERS,
    Recommendation,
    certain_errata,
    load_recommendations,
    rows_of,
)


def checked(folder: Path = HERE, *, complete: bool = True) -> tuple[Recommendation, ...]:
    """Every recommendation; raises `FileError` where rows are wrong, twice there or missing."""
    seen: set[str] = set()
    for path in sorted(folder.glob("*.toml")):
        document = read_document(path)
        problems = []
        for i, row in enumerate(rows_of(document)):
            problems += _problems(i, row)
            if row.id in seen:
                problems.append((("recommendation", i, "id"), f"{row.id} stands here twice"))
            seen.add(row.id)
        if problems:
            raise document.errors(problems)
    missing = [each for each in _wanted() if each not in seen]
    if complete and missing:
        raise FileError(str(folder), f"no row for {', '.join(missing)}")
    return load_recommendations(folder)


def _wanted() -> Iterator[str]:
    for paper, count in PAPERS.items():
        for number in range(1, count + 1):
            yield f"{paper}-{number:02}"


def _problems(i: int, row: Recommendation) -> Iterator[tuple[KeyPath, str]]:
    place: KeyPath = ("recommendation", i)
    if row.id not in set(_wanted()):
        most = PAPERS.get(row.paper)
        right = f"1 to {most}" if most else f"one of {', '.join(PAPERS)}"
        yield (*place, "id"), f"no recommendation {row.id}; {right}"
    codes = [rule.code for rule in RULES]
    known = {erratum.id for source in sources() for erratum in errata(source)}
    named: tuple[tuple[str, tuple[str, ...], list[str]], ...] = (
        ("rules", row.rules, codes),
        ("tables", row.tables, list(table_names())),
        ("errata", row.errata, sorted(known)),
    )
    for key, values, possible in named:
        for value in values:
            if value not in possible:
                yield (*place, key), f"no {show_text(value)}; {did_you_mean(value, possible)}"
    if not row.rules and not row.reason:
        yield (*place, "reason"), "needed where no rule covers it"
    if row.verdict != "agrees" and not row.because:
        yield (*place, "because"), f"needed for the verdict {show_text(row.verdict)}"
    if row.settings and not row.example:
        yield (*place, "settings"), "needs an example to change"
    if row.quantity and row.kind == "qualitative":
        yield (*place, "quantity"), "a qualitative recommendation has none"
    yield from _quantity_problems(place, row)


def _quantity_problems(place: KeyPath, row: Recommendation) -> Iterator[tuple[KeyPath, str]]:
    for each in row.quantity:
        if each.of != "comparison" and not row.example:
            yield (*place, "quantity"), f"of {show_text(each.of)} needs an example"
        if (each.of == "change") != bool(each.settings):
            yield (*place, "quantity"), 'settings go with of = "change", and only with it'
        if each.of in {"evidence", "threshold", "option"} and not row.rules:
            yield (*place, "quantity"), f"of {show_text(each.of)} needs a rule"
        if each.erratum and each.erratum not in certain_errata():
            yield (*place, "quantity"), f"{each.erratum} is no certain erratum"
        if each.printed_to is not None and each.printed_to < each.printed:
            yield (*place, "quantity"), "printed_to is below printed"
