"""What the handbook's own extensions do to its pages."""

from importlib import import_module
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).parents[2] / "book" / "extensions"


@pytest.fixture
def extension(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return import_module


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("takes 1.4 s, or 20 %.", "takes 1.4~s, or 20~%."),
        ("66.1 ± 0.6 s a run", "66.1~± 0.6~s a run"),
        ("(18 µs) at 10 Mb/s", "(18~µs) at 10~Mb/s"),
        ("5 small drives of 2 s-grade", "5 small drives of 2 s-grade"),
        ("four s", "four s"),
    ],
)
def test_a_number_keeps_its_unit(extension, text, bound):
    space = extension("units").SPACE
    assert space.sub("\N{NO-BREAK SPACE}", text) == bound.replace("~", "\N{NO-BREAK SPACE}")


def test_icons_in_use_stay(extension):
    sheet = (
        '@font-face{src:url(../a/fa-solid-900.woff2) format("woff2"),url(b.ttf) format("x")}'
        '.fa-magnifying-glass:before,.fa-search:before{content:"\\f002"}'
        '.fa-moon:before{content:"\\f186"}.fa-plus:before{content:"\\2b"}'
        '.onthispage:after{content:"\\f107"}'
    )
    text, letters = extension("icons").without_unused(sheet, {"fa-search", "fa-plus"})
    assert letters == {"f002", "2b", "f107"}
    assert "fa-moon" not in text
    assert "fa-magnifying-glass" in text
    assert 'src:url(../vendor/fontawesome/webfonts/fa-solid-900.woff) format("woff")}' in text


def test_a_wide_table_can_be_scrolled_with_the_keyboard(extension):
    reachable = extension("scrolled_tables").reachable
    once = reachable('<p>a</p><table class="x"><tr></tr></table><table tabindex="0"></table>')
    assert once.count('tabindex="0"') == 2
    assert once.startswith('<p>a</p><table tabindex="0" class="x">')
    assert reachable(once) == once
