"""Every command fits on one screen, its answer first; the screens are kept as text."""

import re

import pytest

from advisor.report.screen import LINES
from tests.remembered import remember, shared
from tests.screens.screens import HERE, SCREENS, VERDICTS, WIDTHS, path_of, shown


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_kept(name, monkeypatch, tmp_path_factory):
    """`python -m scripts.write_screens` writes them anew."""
    remember(monkeypatch, folder=shared(tmp_path_factory))
    for width in WIDTHS:
        assert shown(SCREENS[name], width) == path_of(name, width).read_text(encoding="utf-8")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SCREENS)
def test_it_is_one_screen_that_begins_with_the_answer(name, width):
    lines = path_of(name, width).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= width
    assert re.search(" ".join(VERDICTS[name].split()), " ".join(" ".join(lines[:5]).split()))
    assert "…" not in "\n".join(lines)


def words(text):
    """The words of a text that a line must not break: longer ones than a line are none."""
    return {word for word in re.findall(r"[A-Za-z][\w/]*", text) if len(word) > 3}


@pytest.mark.parametrize("name", SCREENS)
def test_no_word_is_cut_where_lines_are_shorter(name):
    """What stands at 80 columns stands at 120 columns as well, word by word."""
    narrow, wide = (words(path_of(name, w).read_text(encoding="utf-8")) for w in WIDTHS)
    longer = "".join(path_of(name, 120).read_text(encoding="utf-8").split())
    pieces = {word for word in narrow - wide if word in longer}
    assert not pieces


def test_a_bar_has_twenty_cells_however_narrow():
    for width in WIDTHS:
        bars = re.findall(r"[█░|]+", path_of("predict", width).read_text(encoding="utf-8"))
        assert min(map(len, bars)) == 20


def test_there_is_no_other_screen():
    kept = {path.name for path in HERE.glob("*.txt")}
    assert kept == {path_of(name, width).name for name in SCREENS for width in WIDTHS}
    assert VERDICTS.keys() == SCREENS.keys()
