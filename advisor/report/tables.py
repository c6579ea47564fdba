"""Measured tables in the terminal and as data, errata at the cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from calibration.printed_tables.table import MeasuredTable, load_table


def list_tables(console: Console, tables: Sequence[MeasuredTable], sources: Sequence[str]) -> None:
    """Print one line a table, source by source."""
    for source in sources:
        mine = [t for t in tables if t.name.startswith(f"{source}/")]
        if not mine:
            continue
        console.print(Text(f"{mine[0].source.title} ({mine[0].source.cite()})", style="bold"))
        grid = Table.grid(padding=(0, 2))
        for table in mine:
            marks = ", ".join(e.id for e in table.errata)
            grid.add_row(f"  {table.name}", table.title, Text(marks, style="yellow"))
        console.print(grid)
        console.print()


def show_table(console: Console, table: MeasuredTable) -> None:
    """Print one table with its card; a star marks a cell with an erratum."""
    console.print(Text(f"{table.name}: {table.title}", style="bold"))
    console.print(Text(f"{table.cite()}; {table.view} view, {table.kind}", style="dim"))
    console.print(Text(f'caption: "{table.caption}"'))
    for key, value in table.conditions.items():
        console.print(Text(f"  {key}: {value}", style="dim"))
    grid = Table(box=None, pad_edge=False)
    for column in table.columns:
        unit = f" [{column.unit}]" if column.unit else ""
        grid.add_column(Text(f"{column.name}{unit}"), justify="right" if column.unit else "left")
    for row in table.rows:
        grid.add_row(*(_cell(table, row, column.name) for column in table.columns))
    console.print(grid)
    printed = load_table(table.name, "printed")
    if table.view == "corrected" and printed.caption != table.caption:
        console.print(Text(f'printed caption: "{printed.caption}"', style="yellow"))
    for erratum in table.errata:
        console.print(
            Text(f"* {erratum.id} ({erratum.confidence}): {erratum.finding}", style="yellow")
        )
    for note in table.notes:
        console.print(Text(f"note: {note}", style="dim"))


def table_data(table: MeasuredTable) -> dict[str, Any]:
    """One table for programs: text as in the view, value in base units."""
    return {
        "name": table.name,
        "title": table.title,
        "caption": table.caption,
        "view": table.view,
        "source": table.cite(),
        "conditions": dict(table.conditions.items()),
        "columns": [
            {"name": c.name, "unit": c.unit, "quantity": c.quantity, "station": c.station}
            for c in table.columns
        ],
        "rows": [
            {column.name: _cell_data(table, row, column.name) for column in table.columns}
            for row in table.rows
        ],
        "errata": [
            {"id": e.id, "confidence": e.confidence, "finding": e.finding} for e in table.errata
        ],
    }


def _cell(table: MeasuredTable, row: str, column: str) -> Text:
    cell = table.cell(row, column)
    if cell.errata:
        return Text(f"{cell.text}*", style="yellow")
    return Text(cell.text)


def _cell_data(table: MeasuredTable, row: str, column: str) -> dict[str, Any]:
    cell = table.cell(row, column)
    return {
        "text": cell.text,
        "value": cell.value,
        "half_unit": cell.half_unit,
        "errata": [e.id for e in cell.errata],
    }
