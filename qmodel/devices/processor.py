"""Processors: how much sooner the same work is done by another one.

The time of a piece of work is taken as two shares: one that shrinks with the clock, and one spent
waiting for memory over the bus, which shrinks with the bus clock. This is the law of diminishing
returns of G. M. Amdahl, "Validity of the single processor approach," AFIPS 30, 1967, pp. 483-485,
with the bus in the place of the sequential part.
"""

from __future__ import annotations

from qmodel.errors import InvalidInput


def speed_ratio(clock: float, bus: float, memory_share: float) -> float:
    """How many times as fast work is done as on the reference processor. [1]

    Parameters
    ----------
    clock : float
        Clock rate as a multiple of the reference processor's. [1]
    bus : float
        Bus rate as a multiple of the reference processor's. [1]
    memory_share : float
        Share of the time on the reference processor that goes with the bus, 0 to 1. [1]

    Raises
    ------
    InvalidInput
        If a ratio is not positive or the share is not between 0 and 1.

    Examples
    --------
    A clock half as fast again on the same bus, where half of the time is the bus's:

    >>> round(speed_ratio(clock=1.5, bus=1.0, memory_share=0.5), 2)
    1.2
    """
    _check(clock, bus)
    if not 0 <= memory_share <= 1:
        raise InvalidInput(f"memory share is {memory_share}, expected 0 to 1")
    return 1.0 / ((1.0 - memory_share) / clock + memory_share / bus)


def memory_share(clock: float, bus: float, ratio: float) -> float:
    """The share of time that goes with the bus, from one measured speed ratio. [1]

    Parameters
    ----------
    clock, bus : float
        As for `speed_ratio`; they must differ, or the ratio says nothing of the share.
    ratio : float
        Measured speed relative to the reference processor, between ``clock`` and ``bus``. [1]

    Raises
    ------
    InvalidInput
        If clock and bus are equal or the ratio is not between them.

    Examples
    --------
    >>> round(memory_share(clock=1.5, bus=1.0, ratio=1.2), 3)
    0.5
    """
    _check(clock, bus)
    low, high = min(clock, bus), max(clock, bus)
    if clock == bus or not low <= ratio <= high:
        raise InvalidInput(f"speed ratio is {ratio:g}, expected {low:g} to {high:g}, ends apart")
    return (1.0 / ratio - 1.0 / clock) / (1.0 / bus - 1.0 / clock)


def _check(clock: float, bus: float) -> None:
    for what, value in (("clock", clock), ("bus", bus)):
        if not value > 0:
            raise InvalidInput(f"{what} ratio is {value}, expected > 0")
