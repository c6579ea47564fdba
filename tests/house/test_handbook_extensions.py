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
