"""Stations of a JMVA file.

Service times of a load-dependent station are absolute, one for each number of customers there;
here they are the service time of a customer alone, and speeds relative to that one's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.formats.jmt_fields import Fields
from qmodel.formats.jmt_xml import Element
from qmodel.formats.wording import show_text
from qmodel.stations import DelayStation, LoadDependentStation, QueueingStation, Station

#: Elements that are stations of a product-form network.
KINDS = ("delaystation", "listation", "ldstation")
#: Classes are served at the same relative speeds if these differ by less, relatively: in a file
#: they are quotients of printed numbers.
SAME_SPEED = 1e-6


class Place(NamedTuple):
    """A station of a file; visits and service times of each class as they stand there."""

    station: Station
    visits: tuple[float, ...]
    times: tuple[float, ...]


def places(
    fields: Fields, table: Element, class_names: Sequence[str], customers: int
) -> list[Place]:
    """All stations of a file.

    Parameters
    ----------
    fields : Fields
        Reader of the file.
    table : Element
        ``<stations>``.
    class_names : sequence of str
        All classes.
    customers : int
        Population of all closed classes together. [customers]

    Raises
    ------
    FileError
        For a station with priorities or speeds that differ between classes, or a mistake.
    """
    for element in table.children:
        if element.tag not in KINDS and element.tag.endswith("station"):
            raise fields.error(
                element,
                f"<{element.tag}> is not read; expected {', '.join(KINDS)} (priorities have no "
                "place in a product-form network)",
            )
    found: list[Place] = []
    for element in fields.members(table, *KINDS):
        name = fields.name(element, [place.station.name for place in found])
        visits = tuple(
            fields.number(one, one.text, "visits")
            for one in fields.per_class(fields.one(element, "visits"), "visit", class_names)
        )
        several = element.tag == "ldstation"
        tag = "servicetimes" if several else "servicetime"
        cells = fields.per_class(fields.one(element, "servicetimes"), tag, class_names)
        station: Station
        if several:
            station, times = _load_dependent(fields, element, name, cells, customers)
        else:
            times = tuple(fields.number(cell, cell.text, "service time") for cell in cells)
            station = DelayStation(name)
            if element.tag == "listation":
                station = QueueingStation(name, _servers(fields, element))
        found.append(Place(station, visits, times))
    return found


def _load_dependent(
    fields: Fields, element: Element, name: str, cells: Sequence[Element], customers: int
) -> tuple[Station, tuple[float, ...]]:
    if _servers(fields, element) != 1:
        raise fields.error(
            element,
            f"station {show_text(name)} has {element.get('servers')} servers besides service "
            'times for each number of customers; expected servers="1"',
        )
    alone, speeds = [], [1.0]
    lengths = set()
    for cell in cells:
        times = [fields.number(cell, text, "service time") for text in cell.text.split(";")]
        alone.append(times[0])
        lengths.add(len(times))
        if not any(times):
            continue
        if not all(times):
            raise fields.error(
                cell,
                f"service time is 0 with {times.index(0.0) + 1} customers, but not with others; "
                "expected > 0",
            )
        rates = [times[0] / time for time in times]
        if speeds != [1.0]:
            _check_same(fields, cell, name, rates, speeds)
        speeds = max(speeds, rates, key=len)
    if lengths != {customers}:
        fields.warn(
            element,
            f"station {show_text(name)} has {min(lengths)} service times, there are {customers} "
            "customers of closed classes; the last one is taken to go on",
        )
    while len(speeds) > 1 and speeds[-1] == speeds[-2]:
        speeds.pop()
    return LoadDependentStation(name, tuple(speeds)), tuple(alone)


def _check_same(
    fields: Fields, cell: Element, name: str, rates: Sequence[float], speeds: Sequence[float]
) -> None:
    for n, (rate, other) in enumerate(zip(rates, speeds, strict=False), 1):
        if abs(rate - other) > SAME_SPEED * other:
            raise fields.error(
                cell,
                f"station {show_text(name)} works {rate:.6g} times as fast with {n} customers as "
                f"with one, {other:.6g} times for another class; expected one speed for all",
            )


def _servers(fields: Fields, element: Element) -> int:
    return 1 if element.get("servers") is None else fields.whole(element, "servers", least=1)
