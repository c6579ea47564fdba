"""Quantities as people write them, "68 s" or "64 MB", in base units, and back.

A number and a unit are told apart by a regular expression; units are a closed list, so nothing a
file holds is ever evaluated. Numbers are converted in fractions, so that "68 ms" is exactly the
float 0.068.

A kilobyte is what the trade means by it: 1024 bytes where memory is counted ("memory": chips,
caches, blocks, files as operating systems list them), 1000 bytes for drives as they are sold
("storage") and for all rates. KiB, MiB, GiB and TiB are powers of 1024 everywhere; Kb, Mb and Gb
are 10**3, 10**6 and 10**9 bits. See decisions/0004.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from qmodel.documents.wording import did_you_mean, show_text, show_value
from qmodel.errors import InvalidInput

# At most 40 characters of number, so that no fraction grows without bound; then a word, "/ word"
# or "word / word", where "per" may stand for the stroke.
_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]{1,25}(?:\.[0-9]{0,25})?|\.[0-9]{1,25})(?:[eE][+-]?[0-9]{1,3})?)"
    r"\s*(?:(?P<percent>%)|(?:1\s*(?=/|per))?(?P<over>[A-Za-zµμ]{1,20})?"
    r"(?:\s*(?:/|\bper\b)\s*(?P<under>[A-Za-z]{1,20}))?)"
)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)\b", re.IGNORECASE)


def quantity(text: object, dimension: str) -> float:
    """A quantity in its base unit, the nearest float to what the text says.

    The text is a number and a unit, ``"917 s"``; all else is refused, a bare number too. Dimensions
    are the keys of `DIMENSIONS`: "time" [s], "rate" [1/s], "memory" and "storage" [bytes], "data
    rate" [bytes/s], "bit rate" [bit/s], "frequency" [Hz], "rotation" [1/s], "fraction" [1].
    """
    wanted = DIMENSIONS[dimension]
    stripped = str(text).strip() if isinstance(text, str | int | float) else ""
    if _NOT_FINITE.match(stripped):
        raise InvalidInput(f"must be finite, got {show_text(stripped)}")
    parsed = _QUANTITY.fullmatch(stripped)
    if not parsed:
        point = " (a decimal point, no comma)" if re.match(r"[+-]?\d+,\d", stripped) else ""
        raise InvalidInput(f"expected {expected(dimension)}{point}, got {show_value(text)}")
    number, per = parsed["number"], parsed["under"]
    unit = parsed["percent"] or (parsed["over"] or "") + (f"/{per}" if per else "")
    if not isfinite(float(number)):
        raise InvalidInput(f"must be finite, got {show_text(stripped)}")
    if unit in {"", "%"} and dimension == "fraction":
        # Through a fraction, so that "57 %" is the float 0.57.
        return float(Fraction(number) / 100 if unit else number)
    if not unit:
        right = [f'"{number} {example.split(maxsplit=1)[1]}"' for example in wanted.examples]
        raise InvalidInput(f"unit missing; write e.g. {' or '.join(right)}")
    return _converted(number, unit, stripped, wanted)


def expected(dimension: str) -> str:
    """What a message asks for."""
    wanted = DIMENSIONS[dimension]
    article = {"memory": "a memory size", "storage": "a storage size"}
    named = article.get(dimension, f"a {dimension}")
    return f"{named} such as {show_text(wanted.examples[0])}"


def show_quantity(value: float, dimension: str) -> str:
    """A quantity for people, six digits at most."""
    shown = DIMENSIONS[dimension].shown
    unit, size = next(((u, s) for u, s in reversed(shown) if abs(value) >= s), shown[0])
    return f"{value / size:.6g} {unit}"


@lru_cache(maxsize=4096)
def _converted(number: str, unit: str, text: str, wanted: "Dimension") -> float:
    """The number in the base unit."""
    if any(word not in NAMES for word in unit.split("/") if word not in {"", "%"}):
        either = 'did you mean "min" or "ms"?' if (unit, wanted.base) == ("m", "s") else ""
        hint = either or did_you_mean(unit, wanted.units)
        raise InvalidInput(f"unknown unit {show_text(unit)}; {hint}")
    if unit == "%":
        raise InvalidInput(f"expected {expected(wanted.name)}, got {show_text(text)}")
    kind, size = size_of(unit, wanted.kilobyte)
    base, whole = size_of(wanted.base, wanted.kilobyte)
    if kind != base:
        raise InvalidInput(f"expected {expected(wanted.name)}, got {show_text(text)}")
    if wanted.base == "B" and unit not in {"B", "byte", *wanted.units}:
        # Memory is not sold by the bit: "64 Mb" of it is a slip that would cost a factor of 8.
        raise InvalidInput(f"{show_text(text)} is in bits; {did_you_mean(unit, wanted.units)}")
    try:
        return float(Fraction(number) * size / whole)
    except OverflowError:
        raise InvalidInput(f"must be finite, got {show_text(text)}") from None


@dataclass(frozen=True, slots=True)
class Dimension:
    """What is measured, and how people write it."""

    #: As messages call it.
    name: str
    #: The unit inside.
    base: str
    #: Units to suggest where one is misspelt.
    units: tuple[str, ...]
    #: Right ways to write it.
    examples: tuple[str, ...]
    #: Units for printing and their size in the base unit, ascending.
    shown: tuple[tuple[str, float], ...]
    #: Bytes in a KB.
    kilobyte: int = 1000


def _steps(step: float, *units: str) -> tuple[tuple[str, float], ...]:
    return tuple((unit, step**i) for i, unit in enumerate(units))


_BYTES = ("bytes", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "kB")
_BITS = ("Mb/s", "Kb/s", "Gb/s", "bit/s", "Mbps", "Kbps", "Gbps", "bps")

DIMENSIONS: dict[str, Dimension] = {
    each.name: each
    for each in (
        Dimension("time", "s", ("s", "ms", "us", "ns", "min", "h", "d", "week", "month"),
                  ("60 ms", "5 s"), (("s", 1.0),)),
        Dimension("rate", "1/s", ("/s", "/min", "/h", "/d", "/second", "/minute", "/hour", "/day"),
                  ("0.5 /s", "30 /min"), (("/s", 1.0),)),
        Dimension("memory", "B", _BYTES, ("64 MB", "64 MiB"), _steps(1024.0, *_BYTES[:5]), 1024),
        Dimension("storage", "B", _BYTES, ("2.1 GB",), _steps(1000.0, *_BYTES[:5])),
        Dimension("data rate", "B/s", _BITS + tuple(f"{unit}/s" for unit in _BYTES),
                  ("10 MB/s", "10 Mb/s"), _steps(1000.0, "bytes/s", "KB/s", "MB/s", "GB/s")),
        Dimension("bit rate", "bit/s", _BITS, ("10 Mb/s",),
                  _steps(1000.0, "bit/s", "Kb/s", "Mb/s", "Gb/s")),
        Dimension("frequency", "Hz", ("MHz", "GHz", "kHz", "Hz"), ("100 MHz",),
                  _steps(1000.0, "Hz", "kHz", "MHz", "GHz")),
        Dimension("rotation", "turn/s", ("RPM", "rpm"), ("7200 RPM",), (("RPM", 1 / 60),)),
        Dimension("fraction", "1", ("%",), ("36 %", "0.36"), (("%", 0.01),)),
    )
}  # fmt: skip

#: What each unit measures and how many seconds, bits, turns or cycles (a second) it is; with
#: decimal kilobytes, which `size_of` makes binary where they are. "/" parts what is over a time.
_TIMES = {
    "s sec second seconds": Fraction(1), "ms millisecond milliseconds": Fraction(1, 10**3),
    "us µs μs": Fraction(1, 10**6), "ns": Fraction(1, 10**9), "min minute minutes": Fraction(60),
    "h hour hours": Fraction(3600), "d day days": Fraction(86400), "week weeks": Fraction(604800),
    "month months": Fraction(2629800),
}  # fmt: skip
_DATA = {
    "bit b bits": Fraction(1), "Kb kb Kbit kbit": Fraction(10**3), "Mb Mbit": Fraction(10**6),
    "Gb Gbit": Fraction(10**9), "B byte bytes": Fraction(8), "KiB": Fraction(8 * 2**10),
    "MiB": Fraction(8 * 2**20), "GiB": Fraction(8 * 2**30), "TiB": Fraction(8 * 2**40),
}  # fmt: skip
_RATES = {
    "bps": ("data/time", Fraction(1)), "Kbps kbps": ("data/time", Fraction(10**3)),
    "Mbps": ("data/time", Fraction(10**6)), "Gbps": ("data/time", Fraction(10**9)),
    "RPM rpm": ("turn/time", Fraction(1, 60)), "Hz": ("cycle/time", Fraction(1)),
    "kHz": ("cycle/time", Fraction(10**3)), "MHz": ("cycle/time", Fraction(10**6)),
    "GHz": ("cycle/time", Fraction(10**9)), "turn": ("turn", Fraction(1)),
    "cycle": ("cycle", Fraction(1)), "rps": ("1/time", Fraction(1)), "tps": ("1/time", Fraction(1)),
}  # fmt: skip
#: What is counted over a time, "320 requests/s", is a rate whatever it is.
_COUNTED = "req request requests transaction transactions call calls message messages job jobs"
#: Powers of the kilobyte of the dimension.
_KILOBYTES = {"KB": 1, "kB": 1, "MB": 2, "GB": 3, "TB": 4}
_UNITS = {
    **{name: ("time", size) for names, size in _TIMES.items() for name in names.split()},
    **{name: ("data", size) for names, size in _DATA.items() for name in names.split()},
    **{name: found for names, found in _RATES.items() for name in names.split()},
    **{name: ("count", Fraction(1)) for name in _COUNTED.split()},
}
NAMES = (*_UNITS, *_KILOBYTES)


def size_of(unit: str, kilobyte: int = 1000) -> tuple[str, Fraction]:
    """What a unit such as "MB/s" measures, and its size in bits, turns or cycles and seconds.

    Examples
    --------
    >>> size_of("MB/s"), size_of("/min")
    (('data/time', Fraction(8000000, 1)), ('1/time', Fraction(1, 60)))
    """
    over, _, under = unit.partition("/")
    kind, size = _one(over, kilobyte) if over not in {"", "1"} else ("1", Fraction(1))
    kind = "1" if kind == "count" and under else kind
    if not under:
        return kind, size
    below, length = _one(under, kilobyte)
    return f"{kind}/{below}", size / length


def _one(name: str, kilobyte: int) -> tuple[str, Fraction]:
    if name in _KILOBYTES:
        return "data", Fraction(8 * kilobyte ** _KILOBYTES[name])
    return _UNITS[name]
