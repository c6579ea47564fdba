"""Service times for each number of customers, as JMVA has them, and relative speeds, as here.

With S(n) the service time while n customers are there, the speed relative to one customer's is
S(1) / S(n). The way back prints the shortest service time that gives the same speed again, so
that times of up to 15 digits come back as they were printed.
"""

from __future__ import annotations

from collections.abc import Sequence

from qmodel.documents.wording import show_text
from qmodel.formats.jmt.fields import Fields
from qmodel.formats.jmt.xml import Element

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
            _check_same(fields, cell, name, rates, speeds)
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

    Examples
    --------
    >>> write_speeds([1.0, 1.6], 0.2, customers=4)
    '0.2;0.125;0.125;0.125'
    """
    alone = time / rates[0]
    texts = [shortest_time(alone, rate / rates[0]) for rate in rates[:customers]]
    return ";".join(texts + [texts[-1]] * (customers - len(texts)))


def shortest_time(alone: float, speed: float) -> str:
    """The service time with the fewest digits that reads back as this speed.

    Examples
    --------
    >>> shortest_time(0.3, 0.3 / 0.07), shortest_time(0.2, 1.6), shortest_time(0.0, 2.0)
    ('0.07', '0.125', '0.0')
    """
    time = alone / speed
    for digits in range(1, 17):
        shorter = float(f"{time:.{digits}g}")
        if shorter and alone / shorter == speed:
            return repr(shorter)
    return repr(time)


def _check_same(
    fields: Fields, cell: Element, name: str, rates: Sequence[float], speeds: Sequence[float]
) -> None:
    for n, (rate, other) in enumerate(zip(rates, speeds, strict=False), 1):
        if abs(rate - other) > SAME_SPEED * other:
            raise fields.error(
                cell,
                f"station {name} works {rate:.6g} times as fast with {n} customers as with one, "
                f"{other:.6g} times for another class; expected one speed for all",
            )
