"""Measured tables: printed numbers with unit, rounding, source and errata; see THEORY.md."""

import csv
import difflib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from calibration.printed_tables import card as cards
from calibration.printed_tables.errata import Erratum, read_errata
from qmodel.tabular import Tabular, frame_maker

if TYPE_CHECKING:
    import pandas as pd

View = Literal["corrected", "printed"]

#: A column and a row are described by the same record.
Column = cards.Measure
Row = cards.Measure

TABLES = Path(__file__).parents[1] / "tables"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, and its value and print rounding in base units."""

    text: str
    value: float | None
    half_unit: float | None
    unit: str
    errata: tuple[Erratum, ...]


@dataclass(frozen=True, slots=True)
class MeasuredTable(Tabular):
    """A table of one paper, in its corrected or its printed view.

    Values are in base units (s, 1/s, bytes, bytes/s, fractions for %); texts are as printed, or
    as an erratum corrects them.
    """

    name: str
    title: str
    caption: str
    number: str
    kind: str
    section: str
    statistic: str
    conditions: cards.Conditions
    source: cards.Source
    columns: tuple[Column, ...]
    rows: tuple[str, ...]
    row_measures: tuple[Row, ...]
    texts: tuple[tuple[str, ...], ...]
    errata: tuple[Erratum, ...]
    near: tuple[str, ...]
    notes: tuple[str, ...]
    view: View

    def column(self, name: str) -> Column:
        """The description of a column; TableError if there is none of the name."""
        return self.columns[self._column_index(name)]

    def row(self, key: str) -> Row | None:
        """The description of a row, in tables whose rows have units of their own."""
        index = self._row_index(key)
        return self.row_measures[index] if self.row_measures else None

    def text(self, column: str) -> tuple[str, ...]:
        """Cells of a column as text, one a row."""
        index = self._column_index(column)
        return tuple(line[index] for line in self.texts)

    def values(self, column: str) -> tuple[float | None, ...]:
        """Numbers of a column in base units; None where nothing, or a word, is printed.

        TableError if the column holds words only.
        """
        if self.column(column).is_text:
            raise cards.TableError(
                f"{self.name}: column {column!r} holds text; use .text({column!r})"
            )
        return tuple(self.cell(row, column).value for row in self.rows)

    def cell(self, row: str, column: str) -> Cell:
        """One cell with its value, its print rounding and the errata that concern it."""
        row_index, column_index = self._row_index(row), self._column_index(column)
        text = self.texts[row_index][column_index]
        measure = self.columns[column_index]
        if measure.unit == cards.BY_ROW:
            measure = self.row_measures[row_index]
        value = half = None
        if not measure.is_text:
            try:
                value, half = cards.base_value(text, measure, self.source.kilo)
            except cards.TableError as error:
                raise cards.TableError(
                    f"{self.name}: row {row!r}, column {column!r}: {error}"
                ) from None
        return Cell(text, value, half, measure.unit, self.errata_at(row, column))

    def value(self, row: str, column: str = "value") -> float:
        """The number of a cell in base units; TableError if none is printed there."""
        if (value := self.cell(row, column).value) is None:
            raise cards.TableError(f"{self.name}: row {row!r}, column {column!r} holds no number")
        return value

    def errata_at(self, row: str | None = None, column: str | None = None) -> tuple[Erratum, ...]:
        """Errata that mark or correct a cell, a whole row or a whole column."""
        short = self.name.partition("/")[2]
        return tuple(each for each in self.errata if each.concerns(short, row, column))

    def cite(self, row: str | None = None, column: str | None = None) -> str:
        """Reference to the table, or to a row, column or cell of it."""
        year = f" ({self.source.year})" if self.source.year else ""
        parts = [
            f"{self.source.short}{year}",
            f"Table {self.number}" if self.number else self.section,
        ]
        if row is not None:
            parts.append(f"row {self.rows[self._row_index(row)]}")
        if column is not None:
            parts.append(f"column {self.column(column).name}")
        return ", ".join(parts)

    def to_frame(self) -> "pd.DataFrame":
        """The table as a pandas DataFrame: numbers in base units, words as they are.

        Columns that mix numbers and words (rows with units of their own) keep both.
        """
        key, *_ = columns = self._columns()
        frame = frame_maker()(columns).set_index(key)
        frame.attrs = {"name": self.name, "view": self.view, "source": self.cite()}
        return frame

    def _caption(self) -> str:
        return f"{self.name}: {self.title}; {self.cite()}"

    def _columns(self) -> dict[str, list[Any]]:
        columns: dict[str, list[Any]] = {self.columns[0].name: list(self.rows)}
        for column in self.columns[1:]:
            cells = [self.cell(row, column.name) for row in self.rows]
            columns[column.name] = [cell.value if cell.unit else cell.text for cell in cells]
        return columns

    def _column_index(self, name: str) -> int:
        names = [column.name for column in self.columns]
        if name in names:
            return names.index(name)
        raise cards.TableError(f"{self.name}: no column {name!r}; columns are {', '.join(names)}")

    def _row_index(self, key: str) -> int:
        if key in self.rows:
            return self.rows.index(key)
        raise cards.TableError(f"{self.name}: no row {key!r}; rows are {', '.join(self.rows)}")


def sources() -> tuple[str, ...]:
    """Names of the sources that have tables."""
    return tuple(sorted(path.parent.name for path in TABLES.glob("*/source.toml")))


def table_names(source: str | None = None) -> tuple[str, ...]:
    """Names of all tables, or of those of one source.

    Raises
    ------
    TableError
        If there is no such source.
    """
    folders = sources() if source is None else (_known_source(source),)
    return tuple(
        f"{folder}/{path.stem}"
        for folder in folders
        for path in sorted((TABLES / folder).glob("*.csv"))
    )


def errata(source: str) -> tuple[Erratum, ...]:
    """All errata of one source, whether or not they touch a table."""
    return read_errata(TABLES / _known_source(source))


def load_table(name: str, view: View = "corrected") -> MeasuredTable:
    """Load a table by name.

    Parameters
    ----------
    name : str
        Source and table, as in "notes31/table_4_2".
    view : {"corrected", "printed"}
        With the corrections of certain and likely errata, or exactly as printed.

    Raises
    ------
    TableError
        If there is no such table, or its files contradict one another.

    Examples
    --------
    >>> load_table("notes31/table_3_3").caption
    'LAN Throughput by Task'
    >>> load_table("notes31/table_3_3", view="printed").caption
    'Disk Throughput by Task'
    """
    if view not in ("corrected", "printed"):
        raise cards.TableError(f"view {view!r} is not known; use 'corrected' or 'printed'")
    return _loaded(TABLES, name, view)


@lru_cache(maxsize=256)
def _loaded(root: Path, name: str, view: View) -> MeasuredTable:
    """A table as its files were when it was first asked for."""
    folder, _, short = name.partition("/")
    path = root / folder / f"{short}.csv"
    if not (folder in sources() and short.isidentifier() and path.is_file()):
        close = difflib.get_close_matches(name, table_names(), 1, 0.5)
        hint = f"did you mean {close[0]!r}?" if close else "table_names() lists them"
        raise cards.TableError(f"no table {name!r}; {hint}")
    source = cards.read_source(path.parent)
    card = {"conditions": {}, **cards.read_toml(path.with_suffix(".toml"))}
    header, *cells = csv.reader(path.read_text(encoding="utf-8").splitlines())
    concerned = tuple(each for each in read_errata(path.parent) if each.concerns(short))
    if view == "corrected":
        for correction in (
            fix for each in concerned if each.is_applied for fix in each.corrections
        ):
            if correction.table == short:
                correction.apply(card, header, cells)
    return MeasuredTable(
        name=name,
        title=card["title"],
        caption=card.get("caption", ""),
        number=card.get("number", ""),
        kind=card["kind"],
        section=card["section"],
        statistic=card.get("statistic", ""),
        conditions=cards.Conditions(tuple({**source.conditions, **card["conditions"]}.items())),
        source=source,
        columns=tuple(cards.Measure(key, **card["columns"][key]) for key in header),
        rows=tuple(line[0] for line in cells),
        row_measures=tuple(
            cards.Measure(key, **data) for key, data in card.get("rows", {}).items()
        ),
        texts=tuple(tuple(line) for line in cells),
        errata=concerned,
        near=tuple(card.get("near", ())),
        notes=tuple(card.get("notes", ())),
        view=view,
    )


def _known_source(source: str) -> str:
    if source in sources():
        return source
    raise cards.TableError(f"no source {source!r}; sources are {', '.join(sources())}")
