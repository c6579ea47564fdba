"""``qmodel agreement``: predictions against measurements, fitted and held out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.output import AsJson, AsSchema, Every, console, print_json, say


def command(
    system: Annotated[str, typer.Argument(help="A measured system; all of them by default.")] = "",
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
    force: Annotated[bool, typer.Option("--force", help="Overwrite the picture.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw, as agreement.svg, .png or .pdf (needs the extra 'plot')."),
    ] = None,
) -> None:
    """Compare predictions with measurements.

    Each number says whether it was fitted or held out, and how far the prediction is off.

    Example: qmodel agreement notes31
    """
    from calibration.agreements.agreement import agreement
    from calibration.systems import SYSTEM_NAMES, load_system

    if plot is not None:  # before the work, not after it
        from advisor.report.agreement_plot import check_drawing
        from qmodel.documents.writing import check_target

        check_drawing(plot)
        check_target(plot, force=force)
    found = [agreement(load_system(name)) for name in ([system] if system else SYSTEM_NAMES)]
    if plot is not None:
        from advisor.report.agreement_plot import draw_agreements

        draw_agreements(found, plot, force=force)
        say(f"drawn: {plot}")
    if as_json:
        from advisor.report.agreement_json import agreements_data

        print_json(agreements_data(found))
    elif system:
        from advisor.report.agreement import show_agreement

        show_agreement(console(), found[0], every=every)
    else:
        from advisor.report.agreement import show_agreements

        show_agreements(console(), found, every=every)
