"""Every published example of a single station, at printed precision."""

import pytest

from tests.published.single_station import agrees, load, names, value


@pytest.mark.parametrize("name", names())
def test_stations_have_the_printed_numbers(name):
    example = load(name)
    wrong = [
        f"{what}: printed {text}, computed {value(example.station, what):.8g}"
        for what, text in example.printed.items()
        if not agrees(text, value(example.station, what))
    ]
    assert not wrong
