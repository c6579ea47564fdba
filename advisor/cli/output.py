"""Shared by the commands: the JSON option and the two ways out."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console

FileFormat = Annotated[
    str | None,
    typer.Option("--format", help="toml or json; told from the file's name if not given."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

Every = Annotated[bool, typer.Option("--all", help="Show all of it, longer than a screen.")]


def _print_schema(wanted: bool) -> None:
    if wanted:
        from advisor.report.answers import schema_text

        print_document(schema_text())
        raise typer.Exit


AsSchema = Annotated[
    bool,
    typer.Option(
        "--schema",
        help="Print the JSON Schema of what --json prints.",
        callback=_print_schema,
        is_eager=True,
    ),
]

#: What a shell expects of a program that Ctrl-C stopped.
STOPPED = 130

Today = Annotated[
    str | None,
    typer.Option(
        metavar="YYYY-MM-DD", help="The day by which suppressions expire; the clock's if not given."
    ),
]


def say(text: str) -> None:
    """A remark on standard error, on one line whatever a file has made it hold."""
    from qmodel.errors import on_one_line

    typer.echo(on_one_line(text), err=True)


def print_document(text: str) -> None:
    """Print what another program reads: in UTF-8, whatever the terminal writes."""
    import sys

    if isinstance(sys.stdout.encoding, str) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    typer.echo(text, nl=False)


def print_json(data: Any) -> None:
    """Print data as JSON with its provenance; NaN and infinity have no place in it."""
    from qmodel.provenance import recording

    found = recording()
    if found is not None and found.inputs and isinstance(data, dict):
        data = {**data, "provenance": found.to_dict()}
    print_document(as_text(data))


def as_text(data: Any) -> str:
    """Data as the text of a JSON file; what has no bound is null."""
    return json.dumps(_bounded(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _bounded(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _bounded(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_bounded(value) for value in data]
    return None if isinstance(data, float) and abs(data) == inf else data


def day(text: str | None) -> date | None:
    """The date that ``--today`` gives."""
    if text is None:
        return None
    from datetime import date

    from qmodel.errors import InvalidInput

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"--today: expected a date such as 2026-12-31, got {text!r}") from None


def columns() -> int:
    """The width of what is printed: as COLUMNS says, or that of the terminal, or 80."""
    import shutil

    width = shutil.get_terminal_size().columns
    return width if 20 <= width <= 1000 else 80


def console() -> Console:
    """A console that is plain in a pipe, as wide as COLUMNS says or 80, and never wraps a word."""
    import sys

    from rich.console import Console

    # What came from a file is text, never markup of the console: a class may be called "[/]".
    return Console(
        highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else columns()
    )
