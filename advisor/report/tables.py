"""Measured tables in the terminal and as data, errata at the cell."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from advisor.report.plain import fields
from advisor.report.screen import LINES, show_list, table
from calibration.printed_tables.table import Column, MeasuredTable, load_table

#: Lines of a table's rows on one screen.
ROOM = 18


def list_sources(console: Console, tables: Sequence[MeasuredTable]) -> None:
    """Print one row a source: how many tables it has, and how many errata."""
    by_source: dict[str, list[MeasuredTable]] = {}
    for each in tables:
        by_source.setdefault(each.name.partition("/")[0], []).append(each)
    console.print(Text(f"{len(tables)} measured tables of {len(by_source)} sources", "bold"))
    console.print()
    shown = table("source", "tables", "errata", "title", right=("tables", "errata"))
    for name, mine in by_source.items():
        errata = len({e.id for each in mine for e in each.errata})
        shown.add_row(name, str(len(mine)), str(errata), mine[0].source.title)
    console.print(shown)
    console.print(Text("one source: qmodel tables notes31   every table: --all", style="dim"))


def list_tables(console: Console, tables: Sequence[MeasuredTable], *, every: bool = True) -> None:
    """Print one row a table."""
    source = tables[0].source
    console.print(Text(f"{len(tables)} tables of {source.title}", style="bold"))
    console.print(Text(source.cite(), style="dim"))
    console.print()

    def build(count: int) -> RenderableType:
        shown = table("table", "title", "errata")
        for each in tables[:count]:
            shown.add_row(each.name, each.title, ", ".join(e.id for e in each.errata))
        return shown

    show_list(console, build, len(tables), room=None if every else LINES - 6)


def show_table(console: Console, shown: MeasuredTable, *, every: bool = True) -> None:
    """Print one table with its card; a star marks a cell with an erratum."""
    console.print(Text(f"{shown.name}: {shown.title}", style="bold"))
    console.print(Text(f"{shown.cite()}; {shown.view} view, {shown.kind}", style="dim"))

    narrow = {c.name: _narrowest(shown, c) for c in shown.columns}
    kept = list(shown.columns)
    while not every and len(kept) > 2 and sum(narrow[c.name] + 2 for c in kept) > console.width:
        del kept[-1]

    def build(count: int) -> RenderableType:
        grid = table()
        for column in kept:
            grid.add_column(
                _head(column),
                justify="right" if column.unit else "left",
                overflow="fold",
                min_width=narrow[column.name],
                no_wrap=column is shown.columns[0],
            )
        for row in shown.rows[:count]:
            grid.add_row(*(_cell(shown, row, column.name) for column in kept))
        return grid

    show_list(console, build, len(shown.rows), room=None if every else ROOM)
    if len(kept) < len(shown.columns):
        console.print(Text(f"{len(shown.columns) - len(kept)} more columns: --all", style="dim"))
    lines = [Text(f'caption: "{shown.caption}"')]
    lines += [Text(f"  {key}: {value}", "dim") for key, value in shown.conditions.items()]
    printed = load_table(shown.name, "printed")
    if shown.view == "corrected" and printed.caption != shown.caption:
        lines.append(Text(f'printed caption: "{printed.caption}"', style="yellow"))
    lines += [Text(f"* {e.id} ({e.confidence}): {e.finding}", "yellow") for e in shown.errata]
    lines += [Text(f"note: {note}", style="dim") for note in shown.notes]

    def remarks(count: int) -> RenderableType:
        return Group(*lines[:count])

    show_list(console, remarks, len(lines), room=None if every else LINES - ROOM - 6)


def _head(column: Column) -> str:
    return f"{column.name}\n[{column.unit}]" if column.unit else column.name


def _narrowest(shown: MeasuredTable, column: Column) -> int:
    """Cells that a column needs so that no word is cut; the first is never wrapped."""
    texts = [_cell(shown, row, column.name).plain for row in shown.rows]
    if column is not shown.columns[0]:
        texts = [word for text in texts for word in text.split()]
    return max(map(len, (column.name, *texts)))


def table_data(table: MeasuredTable) -> dict[str, Any]:
    """One table for programs: text as in the view, value in base units."""
    return {
        **fields(table, "name", "title", "caption", "view"),
        "source": table.cite(),
        "conditions": dict(table.conditions.items()),
        "columns": [
            fields(column, "name", "unit", "quantity", "station") for column in table.columns
        ],
        "rows": [
            {column.name: _cell_data(table, row, column.name) for column in table.columns}
            for row in table.rows
        ],
        "errata": [fields(each, "id", "confidence", "finding") for each in table.errata],
    }


def _cell(table: MeasuredTable, row: str, column: str) -> Text:
    cell = table.cell(row, column)
    if cell.errata:
        return Text(f"{cell.text}*", style="yellow")
    return Text(cell.text)


def _cell_data(table: MeasuredTable, row: str, column: str) -> dict[str, Any]:
    cell = table.cell(row, column)
    return {
        **fields(cell, "text", "value", "half_unit"),
        "errata": [e.id for e in cell.errata],
    }
