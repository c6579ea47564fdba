"""Processors: how much sooner the same work is done by another one.

The time of a piece of work is taken as two shares: one that shrinks with the clock, and one spent
waiting for memory over the bus, which shrinks with the bus clock. This is the law of diminishing
returns of G. M. Amdahl, "Validity of the single processor approach," AFIPS 30, 1967, pp. 483-485,
with the bus in the place of the sequential part.
"""

from __future__ import annotations

from qmodel.devices.ranges import not_negative, positive, share
from qmodel.errors import InvalidInput


def speed_ratio(clock: float, bus: float, memory_share: float) -> float:
    """How many times as fast work is done as on the reference processor. [1]

    ``1 / ((1 - f) / clock + f / bus)`` with ``f`` the share of the time that goes with the bus.

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
    A clock 1.5 times as fast on the same bus, where half of the time is the bus's:

    >>> round(speed_ratio(clock=1.5, bus=1.0, memory_share=0.5), 2)
    1.2
    """
    _check(clock, bus)
    share(memory_share, "memory share")
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


def processor_demand(demand: float, speed: float, encryption: float = 0.0) -> float:
    """Service demand of the same work on another processor, ``D (1 + e) / s``. [s]

    Parameters
    ----------
    demand : float
        Demand on the reference processor, nothing encrypted. [s]
    speed : float
        Speed relative to the reference processor, see `speed_ratio`. [1]
    encryption : float
        Processor time for encrypting what crosses the network, as a share of ``demand``. The
        Domino 4.6 article measured 0.05 to 0.10 more processor utilization with port encryption,
        below 60 % utilization. [1]

    Raises
    ------
    InvalidInput
        If the demand or the surcharge is negative or the speed is not positive.

    Examples
    --------
    >>> round(processor_demand(68.0, speed=1.2, encryption=0.10), 2)
    62.33
    """
    not_negative(demand, "processor demand", "s")
    not_negative(encryption, "encryption surcharge")
    return demand * (1.0 + encryption) / positive(speed, "processor speed")


def _check(clock: float, bus: float) -> None:
    positive(clock, "clock ratio")
    positive(bus, "bus ratio")
