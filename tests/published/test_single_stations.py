"""Every published example of a single station, at printed precision."""

from __future__ import annotations

import pytest

from tests.published import reader
from tests.published.single_station import agrees, as_single_station, load, names, value

#: Measures of a network of one station, and what the station itself calls them.
MEASURES = {
    "throughput": "throughput", "response_time": "residence_time", "customers": "queue_length",
    "queue_length": "queue_length", "utilization": "utilization",
    "residence_time": "residence_time", "waiting_time": "waiting_time",
}  # fmt: skip
NETWORKS = [
    name
    for name in reader.names()
    if any(as_single_station(p) is not None for p in reader.load(name).printed)
]


@pytest.mark.parametrize("name", names())
def test_stations_have_the_printed_numbers(name):
    example = load(name)
    wrong = [
        f"{what}: printed {text}, computed {value(example.station, what):.8g}"
        for what, text in example.printed.items()
        if not agrees(text, value(example.station, what))
    ]
    assert not wrong


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_of_one_station_have_the_printed_numbers(name):
    example = reader.load(name)
    wrong = []
    for p in example.printed:
        station, measure = as_single_station(p), MEASURES[p.what.split(" ")[0]]
        if p.agrees(value(station, measure)) == (p.what in example.doubts):
            wrong.append(f"{p.what}: printed {p.text}, computed {value(station, measure):.8g}")
    assert not wrong


def test_many_published_networks_are_single_stations():
    assert len(NETWORKS) >= 10
