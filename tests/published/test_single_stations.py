"""Every published example of a single station, at printed precision."""

from __future__ import annotations

import pytest

from tests.published.reader import KINDS
from tests.published.single_station import agrees, load, names, value


@pytest.mark.parametrize("name", names())
def test_source_is_complete(name):
    source = load(name).source
    assert set(source) >= {"work", "locator", "page", "via", "kind"}
    assert source["kind"] in KINDS
    assert all(text.strip() for text in source.values())
    assert load(name).printed


@pytest.mark.parametrize("name", names())
def test_stations_have_the_printed_numbers(name):
    example = load(name)
    wrong = [
        f"{what}: printed {text}, computed {value(example.station, what):.8g}"
        for what, text in example.printed.items()
        if not agrees(text, value(example.station, what))
    ]
    assert not wrong
