"""Shared by the commands: the JSON option and the two ways out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

FileFormat = Annotated[
    str | None,
    typer.Option("--format", help="toml or json; told from the file's name if not given."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def print_json(data: Any) -> None:
    """Print data as JSON; NaN and infinity have no place in it."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def console() -> Console:
    """A console that is plain where nobody looks, and never cuts what a pipe carries."""
    import sys

    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)
