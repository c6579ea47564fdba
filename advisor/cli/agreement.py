"""``qmodel agreement``: predictions against measurements, fitted and held out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import Progress, console, print_json

if TYPE_CHECKING:
    from calibration.agreements.live_corpus import LiveRecording


def command(
    system: Annotated[str, typer.Argument(help="A measured system; all of them by default.")] = "",
    every: Every = False,
    live: Annotated[
        bool, typer.Option("--live", help="Servers of today, from a quarter of saturation.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option(help="With --live: recordings of your own.")
    ] = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Compare predictions with measurements.

    Each number says whether it was fitted or held out, and how far the prediction is off.

    Example: qmodel agreement notes31
    """
    from calibration.agreements.agreement import agreement
    from calibration.systems import SYSTEM_NAMES, load_system

    recorded = _recordings(system, folder) if live or folder is not None else ()
    if recorded:
        from calibration.agreements.live import live_agreements

        judged = live_agreements(recorded, Progress("systems"))
        found = [each for each in judged if system in {"", each.system.name}]
    else:
        found = [agreement(load_system(name)) for name in ([system] if system else SYSTEM_NAMES)]
    if as_json:
        from advisor.report.agreement_json import agreements_data

        print_json(agreements_data(found))
        return
    if recorded:
        from advisor.report.agreement import show_reached
        from calibration.agreements.repetition import repeated

        repeats = repeated([each for each in recorded if system in {"", each.name}])
        show_reached(console(), found, repeats)
    if system:
        from advisor.report.agreement import show_agreement

        show_agreement(console(), found[0], every=every)
    else:
        from advisor.report.agreement import show_agreements

        show_agreements(console(), found, every=every)


def _recordings(system: str, folder: Path | None) -> "tuple[LiveRecording, ...]":
    """All that are recorded: laws of one are weighed by the others."""
    from calibration.agreements.live_corpus import recordings
    from qmodel.documents.wording import did_you_mean, show_text
    from qmodel.errors import InvalidInput

    found = recordings(folder)
    names = [each.name for each in found]
    if system and system not in names:
        near = did_you_mean(system, names)
        raise InvalidInput(f"no recorded system {show_text(system)}; {near}")
    return found
