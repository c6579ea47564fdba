"""``qmodel solve``: a model file in, its solution out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.output import AsJson, FileFormat, print_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("solve")(solve_command)


def solve_command(
    model: Annotated[Path, typer.Argument(help="Model file, TOML or JSON.")],
    method: Annotated[str, typer.Option(help="auto, exact, or the name of a method.")] = "auto",
    file_format: FileFormat = None,
    as_json: AsJson = False,
) -> None:
    """Solve a queueing network.

    Example: qmodel solve examples/two_tier.toml --json
    """
    from qmodel import solve
    from qmodel.formats.model_file import load_network

    solution = solve(load_network(model, file_format), method=method)
    if as_json:
        print_json(solution.to_dict())
    else:
        typer.echo(str(solution))
