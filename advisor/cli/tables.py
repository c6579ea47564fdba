"""``qmodel tables``: the measured tables, with errata at the cell."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.output import AsJson, AsSchema, Every, console, print_json


def command(
    name: Annotated[str, typer.Argument(help="A table or a source; lists all by default.")] = "",
    printed: Annotated[
        bool, typer.Option("--printed", help="As printed, errata not corrected.")
    ] = False,
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """List the measured tables, or show one.

    Example: qmodel tables notes31/table_4_2
    """
    from advisor.report.tables import list_sources, list_tables, show_table, table_data
    from calibration.printed_tables.table import load_table, sources, table_names

    if "/" in name:
        table = load_table(name, "printed" if printed else "corrected")
        if as_json:
            print_json(table_data(table))
        else:
            show_table(console(), table, every=every)
        return
    tables = [load_table(each) for each in table_names(name or None)]
    if as_json:
        found = [{"name": t.name, "title": t.title, "source": t.cite()} for t in tables]
        print_json({"tables": found})
    else:
        screen = console()
        if name or every:
            for source in sources():
                if mine := [t for t in tables if t.name.startswith(f"{source}/")]:
                    list_tables(screen, mine, every=every)
                    if not name:
                        screen.print()
        else:
            list_sources(screen, tables)
