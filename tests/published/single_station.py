"""Published examples of single stations: the station, where it stands, the numbers as printed.

The files are in ``single_stations/``; ``[source]`` is that of `tests.published.reader`. The
``[station]`` names a class of `qmodel.single_station` and its parameters, ``[printed]`` its
measures as text: a name, or a call with a whole number. Dots after a number say that it was cut,
not rounded.
"""

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import qmodel as qm

FOLDER = Path(__file__).parent / "single_stations"


@dataclass(frozen=True)
class StationExample:
    """All of one file."""

    source: dict[str, str]
    station: Any
    printed: dict[str, str]


def names() -> list[str]:
    """Names of all examples of single stations."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def load(name: str) -> StationExample:
    """The example of a name."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        data = tomllib.load(file)
    kind, given = getattr(qm.single_station, data["station"].pop("kind")), data["station"].items()
    figures = {key: float(Fraction(v)) if isinstance(v, str) else v for key, v in given}
    return StationExample(data["source"], kind(**figures), data["printed"])


def value(station: Any, what: str) -> float:
    """A measure of a station by its name, ``queue_length`` or ``probability(2)``."""
    name, _, argument = what.rstrip(")").partition("(")
    found = getattr(station, name)
    return float(found(int(argument)) if argument else found)


def agrees(text: str, computed: float) -> bool:
    """Whether the computed value is the printed one: rounded, with dots cut, a fraction exact."""
    if "/" in text:
        return abs(Fraction(computed) - Fraction(text)) <= Fraction(1, 10**12)
    digits = text.rstrip(".")
    unit = Fraction(1, 10 ** len(digits.partition(".")[2]))
    difference = Fraction(computed) - Fraction(digits)
    return 0 <= difference < unit if text.endswith("...") else abs(difference) <= unit / 2
