"""Errata of the papers: what is wrong where, and what the corrected view changes; see THEORY.md."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from calibration.printed_tables.card import read_toml

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

    def apply(self, card: dict[str, Any], header: list[str], cells: list[list[str]]) -> None:
        """Replace what was printed, in a card and cells that belong to the caller alone."""
        place: Any = card
        key: Any = self.field
        if self.condition is not None:
            place, key = card["conditions"], self.condition
        elif self.field is None:
            place = next(line for line in cells if line[0] == self.row)
            key = header.index(str(self.column))
        elif self.column is not None:
            place = card["columns"][self.column]
        elif self.row is not None:
            place = card["rows"][self.row]
        assert place[key] == self.printed
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


@cache
def read_errata(folder: Path) -> tuple[Erratum, ...]:
    """All errata of the source in a folder, from its `errata.toml`."""
    found = []
    for data in read_toml(folder / "errata.toml").get("erratum", []):
        marks = tuple(
            Mark(mark["table"], tuple(mark.get("rows", ())), tuple(mark.get("columns", ())))
            for mark in data.pop("mark", ())
        )
        corrections = tuple(Correction(**fix) for fix in data.pop("correction", ()))
        found.append(Erratum(**data, marks=marks, corrections=corrections))
    return tuple(found)
