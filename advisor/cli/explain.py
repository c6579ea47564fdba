"""``qmodel explain``: a rule's manual, or how a configuration became a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.output import AsJson, FileFormat, console, print_json
from qmodel.errors import InvalidInput


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain_command)


def explain_command(
    rule: Annotated[str, typer.Argument(help="Code or slug of a rule.")] = "",
    network: Annotated[
        Path | None, typer.Option(help="Show how this configuration becomes a network.")
    ] = None,
    file_format: FileFormat = None,
    as_json: AsJson = False,
) -> None:
    """Print a rule's manual, or the derivation of a network.

    Example: qmodel explain CPU001
    """
    if network is not None:
        _explain_network(network, file_format, as_json=as_json)
        return
    from advisor.rules import RULES

    for each in RULES:
        if rule.casefold() in (each.code.casefold(), each.slug):
            if as_json:
                print_json({"code": each.code, "slug": each.slug, "manual": each.manual})
            else:
                typer.echo(each.manual.strip())
            return
    names = ", ".join(each.code for each in RULES)
    raise InvalidInput(f"no rule {rule!r}; one of {names}")


def _explain_network(path: Path, file_format: str | None, *, as_json: bool) -> None:
    from advisor.config import load_config
    from advisor.report.derivation import derivation_data, show_derivation

    configuration = load_config(path, file_format)
    if as_json:
        print_json(derivation_data(configuration))
    else:
        show_derivation(console(), configuration)
