"""The noise of a run that is short: its means are over so many interactions and no more."""

from __future__ import annotations

from math import sqrt

from calibration.audits.noise import Noise
from qmodel.errors import InvalidInput


def of_sampling(interactions: float) -> Noise:
    """Noise of a run with some interactions whose think times and demands vary exponentially.

    The mean of n such times is off by one part in the square root of n, and so is a count of n
    of them; in what a monitor adds up, count and demands both vary. Waiting times of
    interactions that follow one another resemble each other, so that where there is much waiting
    the mean response time is less certain than this says.

    Parameters
    ----------
    interactions : float
        At least 1.

    Raises
    ------
    qmodel.InvalidInput
        If there are none.

    Examples
    --------
    >>> found = of_sampling(2_500)
    >>> found.throughput, round(found.utilization, 4)
    (0.02, 0.0283)
    """
    if not interactions >= 1.0:
        raise InvalidInput(f"number of interactions is {interactions:g}, expected at least 1")
    once = 1.0 / sqrt(interactions)
    both = sqrt(2.0) * once
    return Noise(
        response_time=once, throughput=once, utilization=both, volume=both, operations=both
    )
