"""``qmodel init``: a commented configuration to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.output import print_document, say

TEMPLATE = Path(__file__).parent.parent / "template.toml"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init_command)


def init_command(
    path: Annotated[
        Path | None, typer.Argument(help="Where to write it; standard output by default.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file.")] = False,
) -> None:
    """Write a commented configuration to start from.

    Example: qmodel init
    """
    text = TEMPLATE.read_text(encoding="utf-8")
    if path is None:
        print_document(text)
        return
    from qmodel.documents.writing import write_text

    write_text(path, text, force=force)
    say(f"wrote {path}; now: qmodel advise {path}")
