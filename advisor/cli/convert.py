"""``qmodel convert``: a model file in another format."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import AsJson, AsSchema
from advisor.cli.output import print_document, print_json, say


class Format(StrEnum):
    """The formats of model files."""

    toml = "toml"
    json = "json"
    jmva = "jmva"
    lqnx = "lqnx"
    lqn = "lqn"


def command(
    source: Annotated[
        Path, typer.Argument(help="Model file: .toml, .json, .jmva (JMT), .lqnx or .lqn (LQNS).")
    ],
    target: Annotated[
        Path | None, typer.Argument(help="Where to write it; standard output by default.")
    ] = None,
    to: Annotated[
        Format | None, typer.Option(help="Format to write; by default that of the target's name.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file.")] = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Convert a model file to another format.

    What the other format cannot hold is named, one line each.

    Example: qmodel convert examples/two_tier.toml --to jmva
    """
    from qmodel.documents.writing import write_text
    from qmodel.formats.convert import convert

    text, warnings = convert(source, target, to and to.value)
    if target is not None:
        write_text(target, text, force=force)
    if as_json:
        shown = {"text": text} if target is None else {"target": str(target)}
        print_json({"source": str(source), **shown, "warnings": list(warnings)})
        return
    for warning in warnings:
        say(warning)
    if target is None:
        print_document(text)
    else:
        say(f"wrote {target}")
