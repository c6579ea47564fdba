"""A load over time from a CSV: a time, and how many times the load of the model from then on."""

import csv
from math import isfinite
from pathlib import Path

from qmodel import ClosedClass, Network
from qmodel.documents.syntax import decode, read_bytes
from qmodel.documents.units import quantity
from qmodel.errors import FileError, InvalidInput


def load_profile(path: Path, network: Network) -> dict[str, list[tuple[float, float]]]:
    """By class from when on how many times its arrivals or customers are there. [s], [1]

    Columns are ``time`` (60, 10min) and factors: ``load`` of all classes, ``users`` of the closed,
    ``rate`` of the open ones, or a class by its name.
    """
    groups: dict[str, list[str]] = {"load": [], "users": [], "rate": []}
    for c in network.classes:
        for name in ("load", "users" if isinstance(c, ClosedClass) else "rate", c.name):
            groups.setdefault(name, []).append(c.name)
    rows = list(csv.reader(decode(read_bytes(str(path)), str(path)).splitlines()))
    header = [cell.strip() for cell in rows[0]] if rows else []
    if header[:1] != ["time"] or len(rows) < 2 or not all(map(groups.get, header[1:])):
        names = ", ".join(name for name, classes in groups.items() if classes)
        raise FileError(str(path), f"expected lines of time and of {names}", line=1)
    found: dict[str, list[tuple[float, float]]] = {}
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise FileError(str(path), f"has {len(row)} cells, expected {len(header)}", line=line)
        try:
            at, *factors = (_number(cell.strip(), "fraction" if i else "time")
                            for i, cell in enumerate(row))  # fmt: skip
        except InvalidInput as error:
            raise FileError(str(path), str(error), line=line) from None
        for column, factor in zip(header[1:], factors, strict=True):
            for name in groups[column]:
                found.setdefault(name, []).append((at, factor))
    return found


def _number(text: str, dimension: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = quantity(text, dimension)
    if not value >= 0.0 or not isfinite(value):
        raise InvalidInput(f"{text}: expected >= 0, such as 10min and 1.5")
    return value
