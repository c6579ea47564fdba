"""The header of a user's table: quantity, station and unit of each column.

``utilization:cpu [%]`` is a quantity, the station it was measured at, and a unit. Units are a
closed list, so nothing a file holds is ever evaluated. A kilobyte that moves is 1000 bytes (KiB:
1024), a small b is a bit, a capital B a byte.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

from calibration.recordings.spellings import USUAL_UNITS, respelt, to_paste
from qmodel.documents.wording import did_you_mean, show_text
from qmodel.errors import FileError

_HEADING = re.compile(
    r"(?P<name>[^:\[\]()]*?)\s*(?::\s*(?P<of>[^:\[\]()]*?)\s*)?"
    r"(?:\[\s*(?P<unit>[^\[\]]*?)\s*\]|\(\s*(?P<also>[^()]*?)\s*\))?"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a column may hold: its name, dimension, what stands behind the colon, other names.

    ``of`` is "station", "pool" or "class"; with ``whole`` it may be left out: all are meant.
    """

    name: str
    dimension: str
    of: str = ""
    aliases: tuple[str, ...] = ()
    whole: bool = False


_DATA = tomllib.loads(Path(__file__).with_name("quantities.toml").read_text(encoding="utf-8"))
QUANTITIES = tuple(
    Quantity(name, **{**each, "aliases": tuple(each.get("aliases", ()))})
    for name, each in _DATA["quantity"].items()
)

#: Columns of percentiles of response times, and their shares.
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99.9": 0.999}

#: A monitor's column for the processor is its utilization in percent, if it says no more.
SHORT = {"cpu": ("utilization", "cpu", "%"), "processor": ("utilization", "cpu", "%")}


#: Units of utilization that count busy servers.
OF_ONE = frozenset({"% of one", "% of one core", "cores", "millicores", "m"})
#: Stations that headings name in other words.
_STATIONS = frozenset({"cpu", "processor", "disk", "lan", "network", "memory"})


#: Units of each dimension and their size in base units (s, 1/s, 1, bytes/s).
UNITS: dict[str, dict[str, Fraction]] = {
    dimension: {unit: Fraction(size) for unit, size in units.items()}
    for dimension, units in _DATA["unit"].items()
}

#: A unit of each dimension, for messages.
_EXAMPLE = {"time": "s", "rate": "1/s", "fraction": "%", "utilization": "%", "data rate": "KB/s"}
#: So alike is a name with a slip of the pen [1]; and names that are too much like others.
_ALIKE, _NO_GUESS = 0.84, {*PERCENTILES, "error"}


@dataclass(frozen=True, slots=True)
class Heading:
    """One column of a user's table."""

    #: As it stands in the file, without its unit.
    text: str
    #: One of the names of `QUANTITIES`.
    quantity: str
    #: The station, or the class of a share; empty for the rest.
    of: str
    #: As it stands in the file; "1" or empty for counts and text.
    unit: str
    #: Size of the unit in base units.
    factor: Fraction

    @property
    def is_text(self) -> bool:
        """Whether the cells are words."""
        return self.quantity in {"configuration", "class", "start", "end", "ignore"}

    @property
    def is_count(self) -> bool:
        """Whether the cells are whole numbers from 1 on."""
        return self.quantity in {"population", "servers", "pool"}

    @property
    def is_gauge(self) -> bool:
        """Whether its values are so many at a time, never counted since a start."""
        return self.is_count or self.quantity == "pool_use"


def read_header(
    cells: Iterable[str], path: str, line: int, taken: Mapping[str, Heading] | None = None,
    separator: str = ",",
) -> tuple[Heading, ...]:  # fmt: skip
    """All headings of a table; `taken` are those that a user explains.

    FileError for headings that are not known, lack their unit or station, or stand twice: all of
    them, and a header to paste with the file's ``separator``.
    """
    headings: list[Heading] = []
    wrong: list[FileError] = []
    pasted = []
    for column, text in enumerate(cells, 1):
        try:
            heading = (taken or {}).get(text.strip()) or read_heading(text)
        except ValueError as error:
            wrong.append(FileError(path, str(error), line=line, column=column))
            pasted.append(_misspelt(text) or to_paste(text))
            continue
        for number, other in enumerate(headings, 1):
            if (other.quantity, other.of) == (heading.quantity, heading.of):
                problem = f"{show_text(text)} repeats column {number}, {show_text(other.text)}"
                raise FileError(path, problem, line=line, column=column)
        headings.append(heading)
        pasted.append(text.strip())
    if len(wrong) > 1:
        wrong.append(FileError(path, f"a header to paste: {separator.join(pasted)}", line=line))
    if wrong:
        first, *others = wrong
        raise FileError(path, first.problem, line=line, column=first.column, others=tuple(others))
    return tuple(headings)


def read_heading(text: str) -> Heading:
    """One heading, in the house's spelling or in another that is understood.

    ValueError says what is wrong, and what would be right, without the place.
    """
    try:
        return _read_heading(text)
    except ValueError:
        heading = respelt(text)
        if heading is None or heading == text:
            raise
    return replace(_read_heading(heading), text=" ".join(text.split()))


def _read_heading(text: str) -> Heading:
    stripped = " ".join(text.split())
    if not stripped:
        raise ValueError('empty heading; write a quantity and its unit, as in "throughput [1/s]"')
    found = _HEADING.fullmatch(stripped)
    if not found:
        raise ValueError(
            f"{show_text(text)} is no heading; write quantity:station [unit], "
            'as in "utilization:cpu [%]"'
        )
    name = re.sub(r"[\s-]+", "_", found["name"].lower())
    unit = found["unit"] if found["unit"] is not None else found["also"]
    of = found["of"] or ""
    if name in SHORT and found["of"] is None:
        name, of, usual = SHORT[name]
        unit = usual if unit is None else unit
    quantity = _quantity(name, stripped)
    label = stripped.split("[")[0].split("(")[0].strip()
    if of and (not quantity.of or (quantity.whole and of.lower() in _STATIONS)):
        raise ValueError(f"{quantity.name} is of no station; write {quantity.name}, not {label}")
    if quantity.of and not of and not quantity.whole:
        example = "cpu" if quantity.name in {"utilization", "servers"} else "disk"
        example = {"class": "night", "pool": "workers"}.get(quantity.of, example)
        raise ValueError(
            f"{show_text(label)} names no {quantity.of}; write {quantity.name}:{example}"
            f"{_in_brackets(quantity)}"
        )
    factor = _factor(quantity, of, unit)
    if quantity.dimension == "utilization":  # some of its units are no sizes alone
        unit = " ".join((unit or "").split()).lower()
    return Heading(label, quantity.name, of.lower(), unit or "", factor)


def _misspelt(text: str) -> str:
    """What a heading with a slip of the pen in its quantity stands for, with a usual unit."""
    written = re.split(r"[:\[(]", text.strip())[0].strip()
    name = re.sub(r"[\s-]+", "_", written.lower())
    known = [q.name for q in QUANTITIES if q.dimension != "text" and q.name not in _NO_GUESS]
    near = get_close_matches(name, known, 1, _ALIKE)
    if not near or near[0] == name or abs(len(near[0]) - len(name)) > 2:
        return ""
    meant = near[0] + text.strip()[len(written) :]
    for heading in (meant, to_paste(meant)):
        with suppress(ValueError):
            return "" if read_heading(heading).is_text else heading
    return ""


def _quantity(name: str, text: str) -> Quantity:
    for quantity in QUANTITIES:
        if name == quantity.name or name in quantity.aliases:
            return quantity
    if name in _STATIONS:
        raise ValueError(
            f"{show_text(text)} does not say what was measured; write utilization:{name} [%], "
            f"volume:{name} [KB/s] or operations:{name} [1/s]"
        )
    known = [quantity.name for quantity in QUANTITIES]
    misspelt = _misspelt(text)
    meant = f"did you mean {show_text(misspelt)}?" if misspelt else did_you_mean(name, known)
    raise ValueError(f"unknown column {show_text(text)}; {meant}; ignore:NAME leaves one out")


def _factor(quantity: Quantity, of: str, unit: str | None) -> Fraction:
    units = UNITS[quantity.dimension]
    name = f"{quantity.name}:{of}" if of else quantity.name
    if unit is None and "" not in units:
        raise ValueError(f"{show_text(name)} has no unit; write {name}{_in_brackets(quantity)}")
    spelt = " ".join((unit or "").split())
    if spelt in units:
        return units[spelt]
    if quantity.dimension != "data rate" and spelt.lower() in units:
        return units[spelt.lower()]
    if not units.keys() - {""}:
        raise ValueError(f"{name} has no unit; write {name}")
    for dimension, others in UNITS.items():
        if spelt in others:
            wanted = ", ".join(list(units)[:1]) or "no unit"
            raise ValueError(f"{name} is no {dimension}: unit {show_text(spelt)}; write [{wanted}]")
    raise ValueError(f"unknown unit {show_text(spelt)} of {name}; {_meant(spelt, units)}")


def _meant(spelt: str, units: Iterable[str]) -> str:
    """The unit that differs in capitals alone if there is one; a small b is a bit."""
    same = [unit for unit in units if unit.casefold() == spelt.casefold()]
    if same:
        nearest = min(same, key=lambda u: sum(a != b for a, b in zip(u, spelt, strict=True)))
        return f"did you mean {show_text(nearest)}?"
    return did_you_mean(spelt, [unit for unit in units if unit])


def _in_brackets(quantity: Quantity) -> str:
    example = USUAL_UNITS.get(quantity.name, _EXAMPLE.get(quantity.dimension))
    return f" [{example}]" if example else ""
