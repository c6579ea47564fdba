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
    calibration: Annotated[
        Path | None,
        typer.Option("--from", help="The server that qmodel calibrate -o wrote, ready to advise."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The same as the argument.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file.")] = False,
) -> None:
    """Write a commented configuration to start from.

    Example: qmodel init

    Example: qmodel init --from examples/calibrated/load_test.json
    """
    from qmodel.errors import InvalidInput

    if path is not None and output is not None:
        raise InvalidInput("give the file once, as the argument or with -o")
    target = path or output
    if target is not None and str(target) == "-":
        target = None
    text = TEMPLATE.read_text(encoding="utf-8")
    if calibration is not None:
        text = _calibrated(calibration, target)
    if target is None:
        print_document(text)
        return
    from qmodel.documents.writing import write_text

    write_text(target, text, force=force)
    say(f"wrote {target}; now: qmodel advise {target}")


def _calibrated(calibration: Path, target: Path | None) -> str:
    """The configuration of a calibration, which it names from the folder of the target."""
    from advisor.configuration.of_calibration import configuration_text
    from calibration.fitting.saved import load_calibration
    from qmodel.errors import InvalidInput

    found = load_calibration(calibration)
    folder = Path.cwd() if target is None else target.absolute().parent
    place = calibration.absolute()
    if target is not None and not place.is_relative_to(folder):
        raise InvalidInput(
            f"-o {target}: a configuration names a calibration beside or below it; write "
            f"{place.with_name(target.name)} instead"
        )
    file = place.relative_to(folder) if place.is_relative_to(folder) else Path(place.name)
    return configuration_text(found, file.as_posix())
