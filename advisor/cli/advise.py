"""``qmodel advise``: a server's configuration in, calibrated advice out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.output import AsJson, FileFormat, console, print_json


class FailOn(StrEnum):
    """The gravest level that is let pass, from above."""

    never = "never"
    error = "error"
    warning = "warning"
    note = "note"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("advise")(advise_command)


def advise_command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    users: Annotated[str, typer.Option(help="Numbers of users to predict, as in 1,5,10.")] = "",
    fail_on: Annotated[
        FailOn, typer.Option(help="Exit with 1 if there is a finding of this level or graver.")
    ] = FailOn.never,
    details: Annotated[
        bool, typer.Option("--details", help="Show each option with its changes and sources.")
    ] = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
) -> None:
    """Predict a server, name its bottleneck, and advise.

    Example: qmodel advise examples/proliant2000_as_tested.toml
    """
    from advisor.config import load_config
    from advisor.engine import review
    from advisor.growth import growth, populations

    configuration = load_config(config, file_format)
    for warning in configuration.warnings:
        typer.echo(warning, err=True)
    counts = populations(configuration, users)
    found = review(configuration)
    outlooks = growth(configuration, counts)
    if as_json:
        from advisor.report.json_report import review_data

        print_json(review_data(found, outlooks))
    else:
        from advisor.report.terminal import show_review

        show_review(console(), found, outlooks, details=details)
    if fail_on is not FailOn.never and found.reaches(fail_on.value):
        raise typer.Exit(1)
