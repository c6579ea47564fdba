"""Lotus Domino R5 Mail on Netfinity servers with RAID-1E arrays, June 2000.

Fitted
    Study One: users of arrays of 2, 4, 5, 7 and 9 drives (Table 1). Study Two: response times of
    two and five arrays over those of one at 2,000 and 3,000 users (Table 2); growth of the mail
    files at 3,000 users.
Left out
    Each array of Table 1, and each number of Table 2 up to 3,000 users, by fits to the others.
Held out
    Ten drives (text of Study One); 4,000 users; the knees; the limits of processor and memory.
Not identifiable
    Why an array of more drives gains so little: whether operations make more work or wait for
    each other, and whether each array has its limit or all have one. The ends are kept.
"""

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
        compare=partial(recorded, "domino5_raid"),
        **limits("domino5_raid"),
        reference=mail.REFERENCE,
        members=mail.members(),
        processors=mail.processors(),
    )
