"""Lotus Domino R5 Mail on Netfinity servers with RAID-1E arrays, June 2000; see THEORY.md."""

from functools import partial

from calibration.agreements.recorded import recorded
from calibration.agreements.system import System, limits
from calibration.printed_tables.table import load_table
from calibration.systems.domino5_raid import arrays, drives, growth, mail, users

_PARTS = (drives, arrays, growth, users)


def system() -> System:
    """Fit the system."""
    return System(
        name="domino5_raid",
        title="Lotus Domino R5 Mail on Netfinity servers, RAID-1E arrays, 2000",
        source=load_table("domino5_raid/table_1").source.cite(),
        models=tuple(model for part in _PARTS for model in part.models()),
        compare=partial(recorded, "domino5_raid"), **limits("domino5_raid"),
        reference=mail.REFERENCE, members=mail.members(), processors=mail.processors(),
    )  # fmt: skip
