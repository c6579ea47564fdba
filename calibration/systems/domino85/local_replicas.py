"""No users on local replicas, predicted from the run that had a fifth of them.

If users add up, a share ``l`` of users on local replicas who ask for a fraction ``f`` of what the
others do makes the load proportional to ``1 - l (1 - f)``. The source gives ``f`` for the network
only, "approximately 50 percent"; here it stands for every resource, and is taken as nearer to a
half than to nothing or all: 0.25 to 0.75. Even ``f = 0`` cannot raise a load by more than a
quarter, so the measured rise of the processor by 35 % is beyond any such model (erratum
E-D09-03); it is shown, and so is the response time that follows from it.
"""

from calibration.estimation.interval import Range
from calibration.systems.domino85.runs import Runs

#: Half the way from a half to none and to all.
NEARER_TO_A_HALF = 0.25

#: What users ask of the servers, proportional to the load.
LOADS = (
    "transactions", "processor", "disk_ios", "disk_reads", "disk_writes", "disk_volume",
    "disk_volume_read", "disk_volume_written",
)  # fmt: skip


def growth(runs: Runs) -> Range:
    """Load without local replicas over that with the measured share of them. [1]"""
    share = runs.daos.share_local
    middle = runs.local_fraction
    low, mid, high = (
        1.0 / (1.0 - share * (1.0 - fraction))
        for fraction in (middle + NEARER_TO_A_HALF, middle, middle - NEARER_TO_A_HALF)
    )
    return Range(low, mid, high)
