"""Published worked examples: the network, where it stands, and the numbers as printed.

How an example is written stands in `tests/published/FORMAT.md`.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import qmodel as qm
from tests.certified.reader import station_of

FOLDER = Path(__file__).parent / "examples"
KINDS = ("worked example", "regression value")


@dataclass(frozen=True)
class Printed:
    """One printed number: what it measures, the network it is for, its text."""

    network: qm.Network
    visits: tuple[tuple[float, ...], ...]
    what: str
    text: str
    bounds: str = ""
    method: str = ""

    @property
    def value(self) -> Fraction:
        """The number, or the sum of the numbers joined by '+'."""
        return sum((Fraction(part.strip()) for part in self.text.split("+")), Fraction(0))

    @property
    def half_unit(self) -> Fraction:
        """Half a unit in the last printed place; of a fraction, 1e-12."""
        return sum((_half_unit(part.strip()) for part in self.text.split("+")), Fraction(0))

    def agrees(self, computed: float) -> bool:
        """Whether the computed value rounds to the printed one, a tie either way."""
        slack = Fraction(1, 10**12) * abs(self.value)
        return abs(Fraction(computed) - self.value) <= self.half_unit + slack


@dataclass(frozen=True)
class Example:
    """All of one file."""

    name: str
    source: dict[str, str]
    printed: tuple[Printed, ...]
    doubts: dict[str, str]


def names() -> list[str]:
    """Names of all examples."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def load(name: str) -> Example:
    """The example of a name."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        data = tomllib.load(file)
    printed = tuple(value for block in data["printed"] for value in _values(data, block))
    doubts = {doubt["what"]: doubt["why"] for doubt in data.get("doubt", [])}
    return Example(name, data["source"], printed, doubts)


def _values(data: dict[str, Any], block: dict[str, Any]) -> Iterator[Printed]:
    network, visits = _network(data, block.get("population", {}))
    for quantity, by_name in block.items():
        if quantity in {"population", "bounds", "method"}:
            continue
        for first, rest in by_name.items():
            for second, text in rest.items() if isinstance(rest, dict) else [("", rest)]:
                what = " ".join(part for part in (quantity, first, second) if part)
                at = "".join(f", {n} {c}" for c, n in block.get("population", {}).items())
                ways = block.get("bounds", ""), block.get("method", "")
                yield Printed(network, visits, what + at, text, *ways)


def _network(
    data: dict[str, Any], population: dict[str, int]
) -> tuple[qm.Network, tuple[tuple[float, ...], ...]]:
    stations = [station_of(entry) for entry in data["station"]]
    classes: list[qm.CustomerClass] = []
    visits, demand = [], []
    for entry in data["class"]:
        name = entry["name"]
        if "arrival_rate" in entry:
            classes.append(qm.OpenClass(name, float(Fraction(entry["arrival_rate"]))))
        else:
            size = population.get(name, entry.get("population", 0))
            classes.append(qm.ClosedClass(name, size, entry.get("think_time", 0.0)))
        ratios = [Fraction(entry.get("visits", {}).get(s.name, 1)) for s in stations]
        times = [Fraction(entry["service_time"].get(s.name, 0)) for s in stations]
        visits.append(tuple(float(v) for v in ratios))
        demand.append([float(v * t) for v, t in zip(ratios, times, strict=True)])
    return qm.Network(stations, classes, demand), tuple(visits)


def _half_unit(text: str) -> Fraction:
    if "/" in text:
        return Fraction(1, 10**12)
    exponent = Decimal(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return Fraction(10) ** exponent / 2
