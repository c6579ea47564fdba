"""``qmodel catalogue``: the parts that a configuration may name, with their figures."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import console, print_json


def command(
    part: Annotated[
        str, typer.Argument(help="A part, or text in its name; lists all by default.")
    ] = "",
    file: Annotated[
        Path | None, typer.Option("--file", help="Your own parts, added to those shipped.")
    ] = None,
    tables: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Tables of instances, of SPEC, or of a package: as TOML."),
    ] = None,
    price_unit: Annotated[
        str, typer.Option(help='Currency and month of prices without one, such as "USD 2026-11".')
    ] = "",
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """List the parts, or show one with its sources; --from prints others' tables as a catalogue.

    Example: qmodel catalogue epyc
    """
    if tables:
        from qmodel.devices.catalogue.other_tables import parts_of
        from qmodel.documents.toml_text import toml_text

        typer.echo(toml_text(parts_of(tables, price_unit)), nl=False)
        return
    from advisor.report.catalogue import catalogue_data, list_catalogue, show_part
    from qmodel.devices.catalogue import load_catalogue
    from qmodel.documents.wording import did_you_mean
    from qmodel.errors import InvalidInput

    catalogue = load_catalogue(file)
    parts = catalogue.named(part) if part else catalogue.parts
    if not parts:
        words = sorted(
            {word for each in catalogue.parts for word in each.name.split() if word.isalpha()}
        )
        hint = did_you_mean(part, words)
        raise InvalidInput(f"no part {part!r} in the catalogue; {hint}")
    if as_json:
        print_json(catalogue_data(parts))
    elif len(parts) == 1:
        show_part(console(), parts[0])
    else:
        list_catalogue(console(), parts, searched=bool(part), every=every)
