"""Errata of the papers: what is wrong where, and what the corrected view of a table changes.

An erratum marks the cells it concerns. Where it also knows what should have been printed it
carries corrections, and the corrected view of a table applies them; the files keep what was
printed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from calibration.printed_tables.card import TableError, check_keys, read_toml

#: How sure an erratum is, or what kind of finding it is if nothing is to be corrected.
CONFIDENCES = (
    "certain",
    "likely",
    "suspicious",
    "wording",
    "tension",
    "gap",
    "derived",
    "interpretation",
    "cross-document",
)

#: Only these are applied in the corrected view.
APPLIED = ("certain", "likely")


@dataclass(frozen=True, slots=True)
class Mark:
    """What an erratum concerns in one table: named rows, named columns, or where both are named
    the cells in both. With neither it is the table as a whole and no cell in particular.
    """

    table: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def covers(self, row: str | None, column: str | None) -> bool:
        """Whether a cell, a whole row (column None) or a whole column (row None) is marked."""
        if not self.rows and not self.columns:
            return False
        return (not self.rows or row in self.rows) and (not self.columns or column in self.columns)


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing to read differently.

    With row and column it is a cell; with `field` it is a field of the card (of the column or row
    named, or of the table); with `condition` it is a condition of the measurement.
    """

    table: str
    printed: Any
    corrected: Any
    row: str | None = None
    column: str | None = None
    field: str | None = None
    condition: str | None = None

    @property
    def target(self) -> str:
        """What is corrected, in words."""
        if self.condition is not None:
            return f"condition {self.condition}"
        parts = [f"row {self.row}"] if self.row is not None else []
        parts += [f"column {self.column}"] if self.column is not None else []
        parts += [self.field] if self.field is not None else []
        return " ".join(parts)

    def apply(self, card: dict[str, Any], header: list[str], cells: list[list[str]]) -> None:
        """Replace what was printed, in a card and cells that belong to the caller alone.

        Raises
        ------
        TableError
            If the place does not exist or does not hold what the correction says was printed.
        """
        place: Any
        key: Any
        try:
            if self.condition is not None:
                place, key = card["conditions"], self.condition
            elif self.field is None:
                place = next(line for line in cells if line[0] == self.row)
                key = header.index(str(self.column))
            elif self.column is not None:
                place, key = card["columns"][self.column], self.field
            elif self.row is not None:
                place, key = card["rows"][self.row], self.field
            else:
                place, key = card, self.field
            found = place[key]
        except (KeyError, ValueError, StopIteration):
            raise TableError(f"errata.toml: {self.table} has no {self.target}") from None
        if found != self.printed:
            raise TableError(
                f"errata.toml: {self.target} of {self.table} is {found!r}, "
                f"the erratum says {self.printed!r} was printed"
            )
        place[key] = self.corrected


@dataclass(frozen=True, slots=True)
class Erratum:
    """One place where a paper contradicts itself, another paper or a law."""

    id: str
    place: str
    confidence: str
    finding: str
    evidence: str = field(repr=False)
    marks: tuple[Mark, ...] = field(default=(), repr=False)
    corrections: tuple[Correction, ...] = field(default=(), repr=False)

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that the erratum marks or corrects, in order of first mention."""
        named = [mark.table for mark in self.marks] + [fix.table for fix in self.corrections]
        return tuple(dict.fromkeys(named))

    @property
    def is_applied(self) -> bool:
        """Whether the corrected view differs because of it."""
        return bool(self.corrections) and self.confidence in APPLIED

    def concerns(self, table: str, row: str | None = None, column: str | None = None) -> bool:
        """Whether it marks or corrects a table, or the named row, column or cell of it."""
        if row is None and column is None:
            return table in self.tables
        marks = [mark for mark in self.marks if mark.table == table]
        if any(mark.covers(row, column) for mark in marks):
            return True
        return any(
            fix.table == table and fix.row in (None, row) and fix.column in (None, column)
            for fix in self.corrections
            if fix.row is not None or fix.column is not None
        )


def _read_erratum(data: dict[str, Any], where: str) -> Erratum:
    check_keys(data, "id place confidence finding evidence", "mark correction", where)
    for mark in data.get("mark", ()):
        check_keys(mark, "table", "rows columns", f"{where}: mark")
    for fix in data.get("correction", ()):
        check_keys(
            fix, "table printed corrected", "row column field condition", f"{where}: correction"
        )
    if data["confidence"] not in CONFIDENCES:
        known = ", ".join(CONFIDENCES)
        raise TableError(f"{where}: confidence {data['confidence']!r} is not one of {known}")
    return Erratum(
        id=data["id"],
        place=data["place"],
        confidence=data["confidence"],
        finding=data["finding"],
        evidence=data["evidence"],
        marks=tuple(
            Mark(mark["table"], tuple(mark.get("rows", ())), tuple(mark.get("columns", ())))
            for mark in data.get("mark", ())
        ),
        corrections=tuple(Correction(**fix) for fix in data.get("correction", ())),
    )


@cache
def read_errata(folder: Path) -> tuple[Erratum, ...]:
    """All errata of the source in a folder, from its `errata.toml`.

    Raises
    ------
    TableError
        If an entry has a wrong key or an id is given twice.
    """
    where = f"{folder.name}/errata.toml"
    entries = read_toml(folder / "errata.toml").get("erratum", [])
    found = tuple(
        _read_erratum(data, f"{where}: {data.get('id', f'entry {number}')}")
        for number, data in enumerate(entries, 1)
    )
    ids = [erratum.id for erratum in found]
    for repeated in {name for name in ids if ids.count(name) > 1}:
        raise TableError(f"{where}: id {repeated!r} is given twice")
    return found
