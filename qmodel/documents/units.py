"""Quantities as people write them, "68 s" or "64 MB", in base units, and back.

A number and a unit are told apart by a regular expression; units are a closed list, so nothing a
file holds is ever evaluated. Text already in the base unit is converted by `float`; the rest in
fractions, so that "68 ms" is exactly the float 0.068.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite

from qmodel.documents.dimensions import DIMENSIONS, NAMES, Dimension, size_of
from qmodel.documents.wording import did_you_mean, show_text, show_value
from qmodel.errors import InvalidInput

# At most 40 characters of number, so that no fraction grows without bound; then a word, "/ word"
# or "word / word", where "per" may stand for the stroke.
_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]{1,25}(?:\.[0-9]{0,25})?|\.[0-9]{1,25})(?:[eE][+-]?[0-9]{1,3})?)"
    r"\s*(?:(?P<percent>%)|(?:1\s*(?=/|per))?(?P<over>[A-Za-zµμ]{1,20})?"
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
    stripped = str(text).strip() if isinstance(text, str | int | float) else ""
    if _NOT_FINITE.match(stripped):
        raise InvalidInput(f"must be finite, got {show_text(stripped)}")
    parsed = _QUANTITY.fullmatch(stripped)
    if not parsed:
        raise InvalidInput(f"expected {expected(dimension)}, got {show_value(text)}")
    number, per = parsed["number"], parsed["under"]
    unit = parsed["percent"] or (parsed["over"] or "") + (f"/{per}" if per else "")
    if not isfinite(float(number)):
        raise InvalidInput(f"must be finite, got {show_text(stripped)}")
    if unit == "%" and dimension == "fraction":
        # Through a fraction, so that "57 %" is the float 0.57.
        return float(Fraction(number) / 100)
    if unit in wanted.spellings:
        return float(number)
    if not unit:
        right = [f'"{number} {example.split(maxsplit=1)[1]}"' for example in wanted.examples]
        raise InvalidInput(f"unit missing; write e.g. {' or '.join(right)}")
    return _converted(number, unit, stripped, wanted)


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
    """The number in the base unit."""
    if any(word not in NAMES for word in unit.split("/") if word not in {"", "%"}):
        raise InvalidInput(f"unknown unit {show_text(unit)}; {did_you_mean(unit, wanted.units)}")
    if unit == "%":
        raise InvalidInput(f"expected {expected(wanted.name)}, got {show_text(text)}")
    kind, size = size_of(unit, wanted.kilobyte)
    base, whole = size_of(wanted.base, wanted.kilobyte)
    if kind != base:
        raise InvalidInput(f"expected {expected(wanted.name)}, got {show_text(text)}")
    if wanted.base == "B" and unit not in wanted.units:
        # Nobody buys memory by the bit: "64 Mb" of it is a slip that would cost a factor of 8.
        raise InvalidInput(f"{show_text(text)} is in bits; {did_you_mean(unit, wanted.units)}")
    try:
        return float(Fraction(number) * size / whole)
    except OverflowError:
        raise InvalidInput(f"must be finite, got {show_text(text)}") from None
