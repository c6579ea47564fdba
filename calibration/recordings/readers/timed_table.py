"""A table with a column of times: what Grafana exports as CSV, and any other like it.

Headings are those of a user's table in all their spellings; Grafana's older form has the columns
Series, Time and Value. Source: Grafana documentation, inspect and download panel data.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

from calibration.recordings.counters import clean, usual_step
from calibration.recordings.header import Heading, read_heading
from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, series_of
from calibration.recordings.source import Source
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

KIND = "table with times"
_TIME = re.compile(r"(date ?)?time( ?stamp)?|date|ts", re.IGNORECASE)
_SEPARATORS = ",;\t"
_CELL = re.compile(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\D*)")


def sniff(head: str) -> bool:
    """Whether one of its first two columns is a time."""
    cells = _cells(head.lstrip("\ufeff").partition("\n")[0])
    return len(cells) > 1 and any(_TIME.fullmatch(cell.strip()) for cell in cells[:2])


def read(source: Source, taken: Mapping[str, Heading] | None = None) -> Recording:
    """All columns that are understood, or that a user says what they are."""
    lines = (line for line in source.lines() if line.strip() and not line.startswith("sep="))
    header = next(lines)
    separator = max(_SEPARATORS, key=header.count)
    names = [cell.strip().strip('"') for cell in _cells(header)]
    place = next(i for i, name in enumerate(names) if _TIME.fullmatch(name))
    long_form = [name.lower() for name in names] == ["series", "time", "value"]
    samples: dict[str, tuple[list[float], list[float]]] = {}
    clock = "UTC"
    for number, cells in enumerate(csv.reader(lines, delimiter=separator), 2):
        if len(cells) != len(names):
            problem = f"{len(cells)} cells, expected {len(names)}; is the file cut off?"
            raise FileError(source.path, problem, line=number)
        try:
            time, clock = moment(cells[place])
        except ValueError:
            problem = f"expected a time, got {show_text(cells[place])}"
            raise FileError(source.path, problem, line=number) from None
        pairs = [(cells[0], cells[2])] if long_form else zip(names, cells, strict=True)
        for name, cell in pairs:
            found = _CELL.fullmatch(cell.strip().replace(",", "."))
            if found and name != names[place]:
                held = samples.setdefault(name + _unit(name, found[2]), ([], []))
                held[0].append(time)
                held[1].append(float(found[1]))
    return _recording(source, samples, clock, dict(taken or {}))


def _recording(
    source: Source,
    samples: dict[str, tuple[list[float], list[float]]],
    clock: str,
    taken: dict[str, Heading],
) -> Recording:
    series, mapping, unknown, notes = [], [], [], dict[str, None]()
    for name, held in samples.items():
        plain = name.rpartition(" [")[0] or name
        try:
            heading = taken.get(plain) or taken.get(name) or read_heading(name)
        except ValueError:
            unknown.append(plain)
            continue
        if heading.is_text:
            continue
        times, values = clean(*held)
        usual, missing = usual_step(times, source.path)
        notes.update(dict.fromkeys(missing))
        values = values * float(heading.factor)
        if len(values) and values.min() < 0.0:
            raise FileError(source.path, f"{name} is negative, {values.min():.4g}")
        if len(times) > 1:
            rows = zip(times, [usual] * len(times), values, strict=True)
            series.append(series_of(heading.quantity, heading.of, "", rows))
            mapping.append((name, series[-1].name))
    if not series:
        shown = ", ".join(show_text(name) for name in unknown[:6]) or "none"
        example = unknown[0] if unknown else "CPU"
        problem = f'no column is understood ({shown}); say --columns "{example}=cpu"'
        raise FileError(source.path, problem, line=1)
    if unknown:
        notes[f"not used: {', '.join(unknown[:8])}"] = None
    return Recording(source.path, KIND, clock, tuple(series), tuple(mapping), tuple(notes))


def _cells(header: str) -> list[str]:
    separator = max(_SEPARATORS, key=header.count)
    return next(csv.reader([header], delimiter=separator), [])


def _unit(name: str, unit: str) -> str:
    return f" [{unit.strip()}]" if unit.strip() and "[" not in name and "(" not in name else ""


READER = Reader(KIND, sniff, read)
