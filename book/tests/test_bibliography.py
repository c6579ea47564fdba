"""Every work of the bibliography can be found: a DOI, an ISBN, an ISSN, or a word on why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "look_up" / "bibliography.md"
WORKS = re.findall(
    r"^\* - (.+)\n  - (.*)\n  - \[\]\((.+)\)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)
DOI = re.compile(r"\[(10\.\d{4,5}/[^\]\s]+)\]\(https://doi\.org/(.+)\)")
ISBN = re.compile(r"\d[\d-]{8,15}[\dX](?!\d)")


def right(isbn: str) -> bool:
    """Its check digit, of ten digits or of thirteen."""
    digits = [10 if c == "X" else int(c) for c in isbn.replace("-", "")]
    if len(digits) == 10:
        return sum((10 - i) * d for i, d in enumerate(digits)) % 11 == 0
    return len(digits) == 13 and sum((1 + i % 2 * 2) * d for i, d in enumerate(digits)) % 10 == 0


def known(where: str) -> bool:
    """Whether a reader is told where to find the work, or why nowhere."""
    if found := DOI.fullmatch(where):
        return found[1] == found[2]
    if where.startswith("ISBN "):
        return all(map(right, ISBN.findall(where))) and bool(ISBN.search(where))
    return bool(re.match(r"ISSN \d{4}-\d{3}[\dX]|RFC \d+|.+, no DOI$", where))


def test_every_row_was_read() -> None:
    assert len(WORKS) == PAGE.read_text(encoding="utf-8").count("\n* - ") - 1 > 40  # the heading


@pytest.mark.parametrize(("work", "where", "chapter"), WORKS, ids=lambda text: text[:20])
def test_a_work_can_be_found(work: str, where: str, chapter: str) -> None:
    assert known(where), work
    assert (PAGE.parent / chapter).is_file()


def test_works_are_in_order() -> None:
    names = [work.removeprefix("de ").split(",")[0] for work, _, _ in WORKS]
    assert names == sorted(names)


@pytest.mark.parametrize(
    "wrong", ["", "ISBN 0-13-746975-7", "DOI", "[10.1145/1.2](https://doi.org/10.1145/1.3)"]
)
def test_a_wrong_one_is_found(wrong: str) -> None:
    assert not known(wrong)
