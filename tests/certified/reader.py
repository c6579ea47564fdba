"""Certified networks: a network, its level, and its answers to 50 digits.

A file's ``[certificate]`` has the level (easy, hard, nasty), what makes the network so, and how
the answers were obtained. Stations and classes are in base units, every number exactly the
float that it reads as. ``[answer]`` has throughputs [1/s] by class and queue lengths [customers]
by class and station, as text; all other measures follow from these.
"""

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import qmodel as qm

FOLDER = Path(__file__).parent / "networks"
LEVELS = ("easy", "hard", "nasty")


@dataclass(frozen=True)
class Certified:
    """One network and its answers, the answers as exact fractions of their decimal text."""

    name: str
    level: str
    title: str
    obtained: str
    network: qm.Network
    throughput: tuple[Fraction, ...]
    queue_length: tuple[tuple[Fraction, ...], ...]

    def errors(self, solution: qm.Solution) -> tuple[float, float]:
        """Largest relative error of a throughput and of a queue length."""
        return (
            max(map(_error, solution.throughputs, self.throughput)),
            max(
                _error(here, there)
                for mine, theirs in zip(solution.queue_lengths, self.queue_length, strict=True)
                for here, there in zip(mine, theirs, strict=True)
            ),
        )


def names() -> list[str]:
    """Names of all certified networks, the easy ones first."""
    found = [load(path.stem) for path in FOLDER.glob("*.toml")]
    return [c.name for c in sorted(found, key=lambda c: (LEVELS.index(c.level), c.name))]


@cache
def load(name: str) -> Certified:
    """The certified network of a name."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        data = tomllib.load(file)
    network = read_network(data)
    answer = data.get("answer", {"throughput": {}, "queue_length": {}})
    told = (data["certificate"][key] for key in ("level", "title", "obtained"))
    return Certified(
        name,
        *told,
        network,
        tuple(Fraction(answer["throughput"].get(c, "0")) for c in network.class_names),
        tuple(
            tuple(
                Fraction(answer["queue_length"].get(c, {}).get(s, "0"))
                for s in network.station_names
            )
            for c in network.class_names
        ),
    )


def read_network(data: dict[str, Any]) -> qm.Network:
    """The network of a file that has been parsed."""
    stations = [station_of(entry) for entry in data["station"]]
    classes: list[qm.CustomerClass] = [
        qm.OpenClass(entry["name"], entry["arrival_rate"])
        if "arrival_rate" in entry
        else qm.ClosedClass(entry["name"], entry["population"], entry.get("think_time", 0.0))
        for entry in data["class"]
    ]
    demand = [[entry["demand"].get(s.name, 0.0) for s in stations] for entry in data["class"]]
    return qm.Network(stations, classes, demand)


def station_of(entry: dict[str, Any]) -> qm.Station:
    """A station of any file of these tests."""
    match entry.get("kind", "queueing"):
        case "queueing":
            return qm.QueueingStation(entry["name"], entry.get("servers", 1))
        case "delay":
            return qm.DelayStation(entry["name"])
        case "load_dependent":
            return qm.LoadDependentStation(entry["name"], entry["rates"])
        case kind:
            raise ValueError(f"station {entry['name']!r} is of kind {kind!r}")


def _error(here: float, there: Fraction) -> float:
    if here != here:
        return float("inf")
    if not there:
        return 0.0 if here == 0 else float("inf")
    return float(abs(Fraction(here) - there) / abs(there))
