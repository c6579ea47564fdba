"""What the handbook's own extensions do to its pages."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.tables import rows

EXTENSIONS = Path(__file__).parents[2] / "book" / "extensions"


@pytest.fixture
def extension(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return import_module


@pytest.mark.parametrize(("text", "bound"), rows(__file__, "a_number_keeps_its_unit"))
def test_a_number_keeps_its_unit(extension, text, bound):
    space = extension("units").SPACE
    assert space.sub("\N{NO-BREAK SPACE}", text) == bound.replace("~", "\N{NO-BREAK SPACE}")
