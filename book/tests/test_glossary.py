"""Every word of the glossary is set in bold where the chapter that it names explains it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "look_up" / "glossary.md"
WORDS = re.findall(
    r"^\| \*\*(.+?)\*\* \|.*\| \[.+?\]\((.+?)\) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)


def plain(text: str) -> str:
    return re.sub(r"[\s-]+", " ", text).lower()


def test_there_are_sixty() -> None:
    assert len(WORDS) >= 60


@pytest.mark.parametrize(("word", "chapter"), WORDS)
def test_a_word_is_explained_where_the_glossary_says(word: str, chapter: str) -> None:
    text = (PAGE.parent / chapter).read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    bold = re.findall(r"\*\*(.+?)\*\*", prose, re.DOTALL)
    assert any(plain(word).rstrip("s") in plain(each) for each in bold)
