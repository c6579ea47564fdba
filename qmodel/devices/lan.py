"""Local networks: the time a message occupies a segment, shared or switched."""

from __future__ import annotations

from dataclasses import dataclass

from qmodel.devices.csma_cd import SLOT, contention_rates, saturated_efficiency
from qmodel.devices.ranges import not_negative, positive
from qmodel.errors import InvalidInput
from qmodel.model.stations import LoadDependentStation, QueueingStation

#: Rates of Ethernet. [bit/s]
ETHERNET_RATES = (10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9)

#: From this rate on Ethernet is switched and full duplex: nobody sold a gigabit hub. [bit/s]
SWITCHED_FROM = 1e9


def transfer_time(volume: float, rate: float, usable_share: float = 1.0) -> float:
    """Time that ``volume`` occupies a segment. [s]

    Parameters
    ----------
    volume : float
        Bytes moved, headers included; see `qmodel.devices.frames.wire_bytes`. [bytes]
    rate : float
        Nominal rate of the segment. [bit/s]
    usable_share : float
        Share of the nominal rate that carries traffic: 1 for a station alone on the segment, less
        where several contend for it, see `Segment`. [1]

    Raises
    ------
    InvalidInput
        If a rate is not positive, a volume negative, or the share outside (0, 1].

    Examples
    --------
    >>> round(transfer_time(volume=875e3, rate=10e6, usable_share=0.7), 3)
    1.0
    """
    not_negative(volume, "volume", "bytes")
    positive(rate, "LAN rate", "bit/s")
    if not 0 < usable_share <= 1:
        raise InvalidInput(f"usable share is {usable_share}, expected over 0 and up to 1")
    return volume * 8.0 / (rate * usable_share)


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment of an Ethernet.

    On a shared segment one station transmits at a time; one alone has the nominal rate, and each
    further one that waits costs some of it in collisions. A switched segment loses nothing.

    Parameters
    ----------
    rate : float
        Nominal rate. [bit/s]
    shared : bool
        Whether stations contend for it (a hub or a cable), or a switch keeps them apart.
    frame : float
        Mean length of a frame with preamble and gap, which contention depends on; infinite where
        nothing is lost. [bytes]

    Raises
    ------
    InvalidInput
        If the rate or the frame is not positive.

    Examples
    --------
    >>> segment = Segment(10e6, frame=256.6)
    >>> round(segment.usable_share, 3), round(segment.time(875e3), 3)
    (0.7, 0.7)
    >>> Segment(1e9, shared=False).station("lan")
    QueueingStation(name='lan', servers=1)
    """

    rate: float
    shared: bool = True
    frame: float = 1538.0

    def __post_init__(self) -> None:
        positive(self.rate, "LAN rate", "bit/s")
        if not self.frame > 0:
            raise InvalidInput(f"mean frame is {self.frame:g} bytes, expected > 0")

    @property
    def usable_share(self) -> float:
        """Share of the rate that carries traffic when very many stations always wait. [1]"""
        return saturated_efficiency(self.frame, SLOT) if self.shared else 1.0

    def time(self, volume: float) -> float:
        """Time that ``volume`` takes with no other on the segment: the service demand. [s]"""
        return transfer_time(volume, self.rate)

    def station(self, name: str) -> QueueingStation | LoadDependentStation:
        """The segment as a station: slower the more customers wait, if it is shared."""
        if not self.shared or self.usable_share == 1.0:
            return QueueingStation(name)
        return LoadDependentStation(name, contention_rates(self.frame, SLOT))
