"""A load over time from a CSV: a time, and how many times the load of the model from then on."""

from __future__ import annotations

import csv
from math import isfinite
from pathlib import Path

from qmodel import ClosedClass, Network
from qmodel.documents.decoding import decode, read_bytes
from qmodel.documents.units import quantity
from qmodel.errors import FileError, InvalidInput


def load_profile(path: Path, network: Network) -> dict[str, list[tuple[float, float]]]:
    """By class from when on how many times its arrivals or customers are there. [s], [1]

    Columns are ``time`` (60, 10min) and factors: ``load`` of all classes, ``users`` of the closed,
    ``rate`` of the open ones, or a class by its name.

    Raises
    ------
    FileError
        One line with the file, the line and what would be right.
    """
    closed = {c.name: isinstance(c, ClosedClass) for c in network.classes}
    groups = {
        "load": list(closed),
        "users": [name for name, is_closed in closed.items() if is_closed],
        "rate": [name for name, is_closed in closed.items() if not is_closed],
    } | {name: [name] for name in closed}
    rows = list(csv.reader(decode(read_bytes(str(path)), str(path)).splitlines()))
    header = [cell.strip() for cell in rows[0]] if rows else []
    if header[:1] != ["time"] or len(header) < 2:
        raise FileError(str(path), "expected the columns time and load, or a class", line=1)
    for name in header[1:]:
        if not groups.get(name):
            there = ", ".join(key for key, names in groups.items() if names)
            raise FileError(str(path), f"no class {name!r}; there is {there}", line=1)
    found: dict[str, list[tuple[float, float]]] = {}
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            problem = f"has {len(row)} cells, expected {len(header)}"
            raise FileError(str(path), problem, line=line)
        try:
            at, *factors = (_number(cell.strip(), i == 0) for i, cell in enumerate(row))
        except InvalidInput as error:
            raise FileError(str(path), str(error), line=line) from None
        for name, factor in zip(header[1:], factors, strict=True):
            for each in groups[name]:
                found.setdefault(each, []).append((at, factor))
    if not found:
        raise FileError(str(path), "no line after the names of the columns", line=1)
    return found


def _number(text: str, is_time: bool) -> float:
    try:
        value = float(text)
    except ValueError:
        value = quantity(text, "time" if is_time else "fraction")
    if not value >= 0.0 or not isfinite(value):
        what = "a time such as 10min" if is_time else "a factor such as 1.5"
        raise InvalidInput(f"{text} is no load over time, expected {what}, not below 0")
    return value
