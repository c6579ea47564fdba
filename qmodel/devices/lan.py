"""Local networks: the time a message occupies a segment."""

from __future__ import annotations

from qmodel.errors import InvalidInput

#: Rates of Ethernet. [bit/s]
ETHERNET_RATES = (10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9)


def transfer_time(volume: float, rate: float, usable_share: float) -> float:
    """Time that ``volume`` occupies a segment. [s]

    Parameters
    ----------
    volume : float
        Bytes moved. [bytes]
    rate : float
        Nominal rate of the segment. [bit/s]
    usable_share : float
        Share of the nominal rate that carries traffic when the segment is saturated: about 0.7
        is a planner's figure for shared Ethernet, near 1 for a switched one. [1]

    Raises
    ------
    InvalidInput
        If a rate is not positive, a volume negative, or the share outside (0, 1].

    Examples
    --------
    >>> round(transfer_time(volume=875e3, rate=10e6, usable_share=0.7), 3)
    1.0
    """
    if not volume >= 0:
        raise InvalidInput(f"volume is {volume} bytes, expected >= 0")
    if not rate > 0:
        raise InvalidInput(f"LAN rate is {rate} bit/s, expected > 0")
    if not 0 < usable_share <= 1:
        raise InvalidInput(f"usable share is {usable_share}, expected over 0 and up to 1")
    return volume * 8.0 / (rate * usable_share)
