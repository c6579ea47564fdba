"""``qmodel agreement``: predictions against measurements, fitted and held out."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.output import AsJson, console, print_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("agreement")(agreement_command)


def agreement_command(
    system: Annotated[str, typer.Argument(help="A measured system; all of them by default.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show what was fitted, what was held out, and how far predictions are off.

    Example: qmodel agreement notes31
    """
    from calibration.agreement import agreement
    from calibration.systems import SYSTEM_NAMES, load_system

    found = [agreement(load_system(name)) for name in ([system] if system else SYSTEM_NAMES)]
    if as_json:
        from advisor.report.json_report import agreement_data

        print_json([agreement_data(each) for each in found])
    else:
        from advisor.report.agreement import show_agreement

        for each in found:
            show_agreement(console(), each)
