"""Quantities as people write them, "68 s" or "64 MB", in base units, and back.

A number and a unit are told apart by a regular expression; units are a closed list, so nothing a
file holds is ever evaluated. Text already in the base unit is converted by `float`; the rest by
pint, in fractions, so that "68 ms" is exactly the float 0.068.

A kilobyte is what the trade means by it: 1024 bytes where memory is counted ("memory": chips,
caches, blocks, files as operating systems list them), 1000 bytes for drives as they are sold
("storage") and for all rates. KiB, MiB, GiB and TiB are powers of 1024 everywhere, Kb, Mb and Gb
are 10**3, 10**6 and 10**9 bits. See decisions/0004.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from qmodel.errors import InvalidInput
from qmodel.formats.wording import did_you_mean, show_text, show_value

if TYPE_CHECKING:
    import pint


@dataclass(frozen=True, slots=True)
class Dimension:
    """What is measured, and how people write it.

    Attributes
    ----------
    name : str
        As messages call it.
    base : str
        The unit inside, in pint's notation.
    spellings : tuple of str
        How the base unit is written; text in it is converted without pint.
    units : tuple of str
        Units to suggest where one is misspelt.
    examples : tuple of str
        Right ways to write it.
    shown : tuple of (str, float)
        Units for printing and their size in the base unit, ascending.
    kilobyte : int
        Bytes in a KB.
    """

    name: str
    base: str
    spellings: tuple[str, ...]
    units: tuple[str, ...]
    examples: tuple[str, ...]
    shown: tuple[tuple[str, float], ...]
    kilobyte: int = 1000


def _steps(step: float, *units: str) -> tuple[tuple[str, float], ...]:
    return tuple((unit, step**i) for i, unit in enumerate(units))


_BYTES = ("bytes", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "B")
_BITS = ("Mb/s", "Kb/s", "Gb/s", "bit/s", "Mbps", "Kbps", "Gbps", "bps")

DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension(
            name="time",
            base="s",
            spellings=("s", "sec", "second", "seconds"),
            units=("s", "ms", "us", "ns", "min", "h", "d", "week", "month", "seconds", "minutes",
                   "hours", "days", "weeks", "months"),
            examples=("917 s",),
            shown=(("s", 1.0),),
        ),
        Dimension(
            name="rate",
            base="1/s",
            spellings=("/s", "/second"),
            units=("/s", "/min", "/h", "/d", "/second", "/minute", "/hour", "/day"),
            examples=("0.5 /s", "30 /min"),
            shown=(("/s", 1.0),),
        ),
        Dimension(
            name="memory",
            base="B",
            spellings=("B", "byte", "bytes"),
            units=_BYTES,
            examples=("64 MB", "64 MiB"),
            shown=_steps(1024.0, *_BYTES[:5]),
            kilobyte=1024,
        ),
        Dimension(
            name="storage",
            base="B",
            spellings=("B", "byte", "bytes"),
            units=_BYTES,
            examples=("2.1 GB",),
            shown=_steps(1000.0, *_BYTES[:5]),
        ),
        Dimension(
            name="data rate",
            base="B/s",
            spellings=("B/s", "byte/s", "bytes/s"),
            units=_BITS + tuple(f"{unit}/s" for unit in _BYTES),
            examples=("10 MB/s", "10 Mb/s"),
            shown=_steps(1000.0, "bytes/s", "KB/s", "MB/s", "GB/s"),
        ),
        Dimension(
            name="bit rate",
            base="bit/s",
            spellings=("bit/s", "b/s", "bps"),
            units=_BITS,
            examples=("10 Mb/s",),
            shown=_steps(1000.0, "bit/s", "Kb/s", "Mb/s", "Gb/s"),
        ),
        Dimension(
            name="frequency",
            base="Hz",
            spellings=("Hz",),
            units=("MHz", "GHz", "kHz", "Hz"),
            examples=("100 MHz",),
            shown=_steps(1000.0, "Hz", "kHz", "MHz", "GHz"),
        ),
        Dimension(
            name="rotation",
            base="turn/s",
            spellings=(),
            units=("RPM", "rpm"),
            examples=("7200 RPM",),
            shown=(("RPM", 1 / 60),),
        ),
        Dimension(
            name="fraction",
            base="1",
            spellings=("",),
            units=("%",),
            examples=("36 %", "0.36"),
            shown=(("%", 0.01),),
        ),
    )
}

# Every unit there is, in pint's notation; the kilobyte comes from the dimension.
_DEFINITIONS = """
s = [time] = _ = sec = second = seconds
ms = s / 1000 = _ = millisecond = milliseconds
us = s / 1000000 = _ = µs = μs
ns = s / 1000000000
min = 60 s = _ = minute = minutes
h = 3600 s = _ = hour = hours
d = 86400 s = _ = day = days
week = 604800 s = _ = weeks
month = 2629800 s = _ = months
bit = [data] = _ = b = bits
Kb = 1000 bit = _ = kb = Kbit = kbit
Mb = 1000000 bit = _ = Mbit
Gb = 1000000000 bit = _ = Gbit
bps = bit / s
Kbps = 1000 bit / s = _ = kbps
Mbps = 1000000 bit / s
Gbps = 1000000000 bit / s
B = 8 bit = _ = byte = bytes
KB = {kilobyte} B = _ = kB
MB = {kilobyte} KB
GB = {kilobyte} MB
TB = {kilobyte} GB
KiB = 1024 B
MiB = 1024 KiB
GiB = 1024 MiB
TiB = 1024 GiB
turn = [turn]
RPM = turn / min = _ = rpm
cycle = [cycle]
Hz = cycle / s
kHz = 1000 Hz
MHz = 1000000 Hz
GHz = 1000000000 Hz
"""
_NAMES = tuple(re.findall(r"(?:^|= )([A-Za-zµμ]+)(?= =|$)", _DEFINITIONS, re.MULTILINE))

# At most 40 characters of number, so that no fraction grows without bound; then a word, "/ word"
# or "word / word", where "per" may stand for the stroke.
_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]{1,25}(?:\.[0-9]{0,25})?|\.[0-9]{1,25})(?:[eE][+-]?[0-9]{1,3})?)"
    r"\s*(?P<unit>%|(?:1\s*(?=/|per))?(?P<over>[A-Za-zµμ]{1,20})?"
    r"(?:\s*(?:/|\bper\b)\s*(?P<under>[A-Za-z]{1,20}))?)",
)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)\b", re.IGNORECASE)


def quantity(text: object, dimension: str) -> float:
    """A quantity in its base unit.

    Parameters
    ----------
    text : str
        A number and a unit, ``"917 s"``; anything else is refused, a bare number too.
    dimension : str
        A key of `DIMENSIONS`: "time" [s], "rate" [1/s], "memory" and "storage" [bytes],
        "data rate" [bytes/s], "bit rate" [bit/s], "frequency" [Hz], "rotation" [1/s],
        "fraction" [1].

    Returns
    -------
    float
        The nearest float to what the text says; negative numbers are left to the caller.

    Raises
    ------
    InvalidInput
        What is wrong and what would be right, without the place.

    Examples
    --------
    >>> quantity("917 s", "time"), quantity("68 ms", "time"), quantity("12 %", "fraction")
    (917.0, 0.068, 0.12)
    >>> quantity("64 MB", "memory"), quantity("10 Mb/s", "data rate")
    (67108864.0, 1250000.0)
    """
    wanted = DIMENSIONS[dimension]
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise InvalidInput(f"expected {expected(dimension)}, got {show_value(text)}")
    stripped = str(text).strip()
    if _NOT_FINITE.match(stripped):
        raise InvalidInput(f"must be finite, got {show_text(stripped)}")
    found = _QUANTITY.fullmatch(stripped)
    if not found:
        raise InvalidInput(f"expected {expected(dimension)}, got {show_value(text)}")
    number, over, under = found["number"], found["over"] or "", found["under"] or ""
    unit = over + (f"/{under}" if under else "")
    if not isfinite(float(number)):
        raise InvalidInput(f"must be finite, got {show_text(stripped)}")
    if found["unit"] == "%" and dimension == "fraction":
        # Through a fraction, so that "57 %" is the float 0.57.
        return float(Fraction(number) / 100)
    if unit in wanted.spellings and found["unit"] != "%":
        return float(number)
    if not found["unit"]:
        right = [f'"{number} {example.split(maxsplit=1)[1]}"' for example in wanted.examples]
        raise InvalidInput(f"unit missing; write e.g. {' or '.join(right)}")
    return _converted(number, found["unit"] if not unit else unit, stripped, wanted)


def expected(dimension: str) -> str:
    """What a message asks for.

    Examples
    --------
    >>> print(expected("time"))
    a time such as "917 s"
    """
    wanted = DIMENSIONS[dimension]
    article = {"memory": "a memory size", "storage": "a storage size"}
    named = article.get(dimension, f"a {dimension}")
    return f"{named} such as {show_text(wanted.examples[0])}"


def show_quantity(value: float, dimension: str) -> str:
    """A quantity for people, six digits at most.

    Examples
    --------
    >>> show_quantity(67108864.0, "memory"), show_quantity(1569.0, "time")
    ('64 MB', '1569 s')
    >>> show_quantity(1e7, "bit rate"), show_quantity(0.36, "fraction")
    ('10 Mb/s', '36 %')
    """
    shown = DIMENSIONS[dimension].shown
    unit, size = next(((u, s) for u, s in reversed(shown) if abs(value) >= s), shown[0])
    return f"{value / size:.6g} {unit}"


def _converted(number: str, unit: str, text: str, wanted: Dimension) -> float:
    """The number in the base unit, by pint."""
    if any(word not in _NAMES for word in unit.split("/") if word not in {"", "%"}):
        raise InvalidInput(f"unknown unit {show_text(unit)}; {did_you_mean(unit, wanted.units)}")
    if unit == "%":
        raise InvalidInput(f"expected {expected(wanted.name)}, got {show_text(text)}")
    registry = _registry(wanted.kilobyte)
    given = registry.parse_units(f"1{unit}" if unit.startswith("/") else unit)
    base = registry.parse_units(wanted.base)
    if given.dimensionality != base.dimensionality:
        raise InvalidInput(f"expected {expected(wanted.name)}, got {show_text(text)}")
    converted = registry.convert(Fraction(number), given, base)
    try:
        return float(converted)
    except OverflowError:
        raise InvalidInput(f"must be finite, got {show_text(text)}") from None


@cache
def _registry(kilobyte: int) -> pint.UnitRegistry[Any]:
    """Our own units and no others; importing pint takes longer than everything else here."""
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(None, non_int_type=Fraction)
    registry.load_definitions(_DEFINITIONS.format(kilobyte=kilobyte).strip().splitlines())
    return registry
