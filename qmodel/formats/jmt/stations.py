"""Stations of a JMVA file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.documents.wording import show_text
from qmodel.formats.jmt.fields import Fields
from qmodel.formats.jmt.speeds import read_speeds
from qmodel.formats.jmt.xml import Element
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation, Station

#: Elements that are stations of a product-form network.
KINDS = ("delaystation", "listation", "ldstation")


class Place(NamedTuple):
    """A station of a file; visits and service times of each class as they stand there."""

    station: Station
    visits: tuple[float, ...]
    times: tuple[float, ...]


def places(
    fields: Fields, table: Element, class_names: Sequence[str], customers: int
) -> list[Place]:
    """All stations of a file.

    ``table`` is ``<stations>``, ``customers`` the population of all closed classes together. Raises
    `FileError` for a station with priorities or speeds that differ between classes, or a mistake.
    """
    for element in table.children:
        if element.tag not in KINDS and element.tag.endswith("station"):
            raise fields.error(
                element,
                f"<{element.tag}> is not read; expected {', '.join(KINDS)} (priorities have no "
                "place in a product-form network)",
            )
    stations: list[Place] = []
    for element in fields.members(table, *KINDS):
        name = fields.name(element, [place.station.name for place in stations])
        visits = fields.per_class(fields.one(element, "visits"), "visit", class_names)
        several = "servicetimes" if element.tag == "ldstation" else "servicetime"
        cells = fields.per_class(fields.one(element, "servicetimes"), several, class_names)
        station, times = _station(fields, element, name, cells, customers)
        stations.append(
            Place(station, tuple(fields.number(v, v.text, "visits") for v in visits), times)
        )
    return stations


def _station(
    fields: Fields, element: Element, name: str, cells: Sequence[Element], customers: int
) -> tuple[Station, tuple[float, ...]]:
    """The station, and the service time of each class when alone there."""
    servers = 1 if element.get("servers") is None else fields.whole(element, "servers", least=1)
    if element.tag == "ldstation":
        if servers != 1:
            raise fields.error(
                element,
                f"station {show_text(name)} has {servers} servers besides service times for each "
                'number of customers; expected servers="1"',
            )
        speeds, alone = read_speeds(fields, element, cells, customers)
        return LoadDependentStation(name, speeds), alone
    times = tuple(fields.number(cell, cell.text, "service time") for cell in cells)
    if element.tag == "listation":
        return QueueingStation(name, servers), times
    return DelayStation(name), times
