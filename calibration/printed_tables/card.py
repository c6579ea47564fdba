"""Cards of measured tables: the columns, rows and sources of printed numbers; see THEORY.md."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from qmodel.documents.units import size_of

#: The unit of a column whose rows have units of their own, given in the card's rows.
BY_ROW = "by row"

#: Printed marks for "no value".
MISSING = frozenset({"", "-", "NA", "N/A"})

#: The units that tables may use, and the base unit of each of their kinds.
UNITS = (
    "1", "%", "ms", "s", "min", "h", "1/s", "1/min", "1/h", "rpm", "MHz", "GHz", "bytes",
    "kbps", "Kbps", "Mbps", "Mb/s", "KB", "MB", "GB", "KB/s", "MB/s", "GB/s",
)  # fmt: skip
_BASES = {"time": "s", "data": "bytes", "data/time": "bytes/s"}

# What may stand behind a number in a cell, besides the unit itself.
_SHORT = {"KB": "K"}

# Counts that papers print as words.
_WORDS = {
    word: Decimal(number)
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
} | {"twenty": Decimal(20), "twenty-one": Decimal(21)}

_NUMBER = re.compile(r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*(.*)", re.DOTALL)


class TableError(ValueError):
    """A table, card or name that cannot be used; one line that says what would be right."""


@dataclass(frozen=True, slots=True)
class Kilo:
    """Bytes in a kilobyte, for sizes and for rates, as one source means them."""

    size: int = 1024
    rate: int = 1000
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Conditions(Mapping[str, Any]):
    """Conditions of a measurement, a frozen mapping of names to printed values."""

    pairs: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> Any:
        for key, value in self.pairs:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True, slots=True)
class Source:
    """The paper a table comes from."""

    name: str
    title: str
    publisher: str
    short: str
    date: str
    year: int | None
    part_number: str
    authors: tuple[str, ...]
    identified_by: tuple[str, ...]
    conditions: Conditions
    kilo: Kilo
    notes: tuple[str, ...]

    def cite(self) -> str:
        """Short reference with its date, as in "Compaq TechNote 184430-001, January 1995"."""
        return f"{self.short}, {self.date}"


@dataclass(frozen=True, slots=True)
class Measure:
    """What the numbers of one column, or of one row, are.

    `unit` "" marks text, `heading` is as printed, `near` are words printed beside the numbers,
    `printed` is false for names of our own, `kilobyte` is given where it differs from the source's.
    """

    name: str
    unit: str
    quantity: str
    meaning: str
    station: str = ""
    heading: str = ""
    near: str = ""
    printed: bool = True
    kilobyte: int = 0

    @property
    def is_text(self) -> bool:
        """Whether the cells are words rather than numbers."""
        return self.unit == ""


def base_unit(unit: str, kilo: Kilo = Kilo()) -> tuple[str, Decimal, Decimal]:
    """Base unit of a printed unit, and the factor to it as numerator and denominator."""
    if unit not in UNITS:
        raise TableError(f"unit {unit!r} is not known; use one of {', '.join(UNITS)}")
    if unit in {"1", "%"}:
        return "1", Decimal(1), Decimal(100 if unit == "%" else 1)
    kind, size = size_of(unit, kilo.rate if "/" in unit else kilo.size)
    size = size / 8 if kind.startswith("data") else size
    return _BASES.get(kind, "1/s"), Decimal(size.numerator), Decimal(size.denominator)


def printed_number(text: str, unit: str = "") -> Decimal | None:
    """Number of a printed cell in its printed unit; None for a missing one, TableError for others.

    Thousands separators and the unit itself may stand in the cell, and a count may be a word.
    """
    stripped = text.strip()
    if stripped in MISSING:
        return None
    if stripped.lower() in _WORDS:
        return _WORDS[stripped.lower()]
    match = _NUMBER.fullmatch(stripped)
    if match is None or match[2] not in ("", unit, _SHORT.get(unit)):
        raise TableError(f"{text!r} is not a number{f' in {unit}' if unit else ''}")
    return Decimal(match[1].replace(",", ""))


def half_unit(text: str, unit: str = "") -> float | None:
    """Print rounding of a cell: half a unit in its last printed place, in the printed unit."""
    number = printed_number(text, unit)
    return None if number is None else float(_half(number))


def base_value(text: str, measure: Measure, kilo: Kilo) -> tuple[float | None, float | None]:
    """Value of a printed cell and its print rounding, both in base units."""
    if (number := printed_number(text, measure.unit)) is None:
        return None, None
    own = measure.kilobyte
    _, numerator, denominator = base_unit(measure.unit, Kilo(own, own) if own else kilo)
    return (float(number * numerator / denominator), float(_half(number) * numerator / denominator))


def _half(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(1).scaleb(exponent) / 2


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dictionary; TableError if it is absent or is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TableError(f"{path.name}: cannot be read as TOML: {error}") from None


@cache
def read_source(folder: Path) -> Source:
    """The source of all tables in a folder, from its `source.toml`."""
    data = read_toml(folder / "source.toml")
    kilo, conditions = Kilo(**data.pop("kilobyte")), data.pop("conditions")
    several: dict[str, Any] = {
        name: tuple(data.pop(name, ())) for name in ("authors", "identified_by", "notes")
    }
    several["identified_by"] = several["identified_by"] or (data["title"],)
    return Source(
        name=folder.name, kilo=kilo, conditions=Conditions(tuple(conditions.items())),
        **{"year": None, "part_number": "", **data}, **several,
    )  # fmt: skip
