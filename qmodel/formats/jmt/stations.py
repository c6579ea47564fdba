"""Stations of a JMVA file; its service times by the number of customers are relative speeds here.

With S(n) the service time while n customers are there, the speed relative to one customer's is
S(1) / S(n). The way back prints the shortest service time that gives the same speed again, so
that times of up to 15 digits come back as they were printed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.documents.wording import show_text
from qmodel.formats.jmt.fields import Fields
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


#: Classes are served at the same relative speeds if these differ by less, relatively: in a file
#: they are quotients of printed numbers.
SAME_SPEED = 1e-6


def read_speeds(
    fields: Fields, element: Element, cells: Sequence[Element], customers: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Relative speeds of a load-dependent station, and each class's service time when alone.

    ``cells`` are the service times of each class, separated by semicolons [s]; ``customers`` is the
    population of all closed classes together. Raises `FileError` if a time is no number, or classes
    are served at different speeds.
    """
    name = show_text(fields.text(element, "name"))
    alone, speeds, lengths = [], [1.0], set()
    for cell in cells:
        times = [fields.number(cell, text, "service time") for text in cell.text.split(";")]
        alone.append(times[0])
        lengths.add(len(times))
        if not any(times):
            continue
        if not all(times):
            at = times.index(0.0) + 1
            raise fields.error(
                cell, f"service time is 0 with {at} customers, but not with others; expected > 0"
            )
        rates = [times[0] / time for time in times]
        if speeds != [1.0]:
            for n, (rate, other) in enumerate(zip(rates, speeds, strict=False), 1):
                if abs(rate - other) > SAME_SPEED * other:
                    raise fields.error(
                        cell,
                        f"station {name} works {rate:.6g} times as fast with {n} customers as with "
                        f"one, {other:.6g} times for another class; expected one speed for all",
                    )
        speeds = max(speeds, rates, key=len)
    if lengths != {customers}:
        fields.warn(
            element,
            f"station {name} has {min(lengths)} service times, there are {customers} customers of "
            "closed classes; the last one is taken to go on",
        )
    while len(speeds) > 1 and speeds[-1] == speeds[-2]:
        speeds.pop()
    return tuple(speeds), tuple(alone)


def write_speeds(rates: Sequence[float], time: float, customers: int) -> str:
    """Service times with 1, 2 ... all customers there, as a JMVA file has them.

    ``rates`` are the speeds with 1, 2 ... customers, the last going on, ``time`` is the service
    time at speed 1 [s]; ``customers`` service times are wanted, at least 1.
    """
    alone = time / rates[0]
    texts = [shortest_time(alone, rate / rates[0]) for rate in rates[:customers]]
    return ";".join(texts + [texts[-1]] * (customers - len(texts)))


def shortest_time(alone: float, speed: float) -> str:
    """The service time with the fewest digits that reads back as this speed."""
    time = alone / speed
    for digits in range(1, 17):
        shorter = float(f"{time:.{digits}g}")
        if shorter and alone / shorter == speed:
            return repr(shorter)
    return repr(time)
