"""Local networks: the time a message occupies a segment, shared or switched; see THEORY.md."""

from dataclasses import dataclass
from functools import lru_cache
from math import e, inf, isinf

from qmodel.devices.ranges import count, not_negative, positive
from qmodel.errors import InvalidInput
from qmodel.model.stations import LoadDependentStation, QueueingStation

#: Rates of Ethernet. [bit/s]
ETHERNET_RATES = (10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 50e9, 100e9)

#: From this rate on Ethernet is switched and full duplex: gigabit hubs were not sold. [bit/s]
SWITCHED_FROM = 1e9


def transfer_time(volume: float, rate: float, usable_share: float = 1.0) -> float:
    """Time that ``volume`` occupies a segment. [s]

    ``volume`` is in bytes, headers included, see `qmodel.devices.frames.wire_bytes`; ``rate`` is
    the nominal rate of the segment [bit/s], ``usable_share`` the part of it that carries traffic: 1
    for a station alone on the segment, less where several contend for it, see `Segment`.
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

    Examples
    --------
    >>> segment = Segment(10e6, frame=256.6)
    >>> round(segment.usable_share, 3), round(segment.time(875e3), 3)
    (0.7, 0.7)
    >>> Segment(1e9, shared=False).station("lan")
    QueueingStation(name='lan', servers=1)
    """

    #: Nominal rate. [bit/s]
    rate: float
    #: Whether stations contend for it (a hub or a cable), or a switch keeps them apart.
    shared: bool = True
    #: Mean length of a frame with preamble and gap, which contention depends on; infinite where
    #: nothing is lost. [bytes]
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


#: Slot of IEEE 802.3 at 10 and 100 Mb/s. [bytes]
SLOT = 64.0
#: Stations from which one more makes no difference worth counting: 0.4 % of a slot. [stations]
MANY = 32


def acquisition(stations: int) -> float:
    """Probability that a slot is taken by one station alone, ``(1 - 1/Q)**(Q - 1)``. [1]"""
    stations = count(stations, "number of stations")
    return (1.0 - 1.0 / stations) ** (stations - 1) if stations > 1 else 1.0


def efficiency(frame: float, stations: int, slot: float = SLOT) -> float:
    """Share of the rate that carries frames while ``stations`` always have one to send. [1]

    ``frame`` is the mean length of a frame, preamble and gap included [bytes], ``slot`` twice the
    longest way through the network, in bytes at its rate.
    """
    return _efficiency(frame, 1.0 / acquisition(stations) - 1.0, slot)


def saturated_efficiency(frame: float, slot: float = SLOT) -> float:
    """Share of the rate that carries frames with very many stations, ``P / (P + (e - 1) S)``."""
    return _efficiency(frame, e - 1.0, slot)


def frame_of_share(usable_share: float, slot: float = SLOT) -> float:
    """Mean frame of which very many stations use just that share of the rate. [bytes]

    The planner's 70 % of shared Ethernet is what frames of 257 bytes leave.
    """
    if not 0 < usable_share <= 1:
        raise InvalidInput(f"usable share is {usable_share}, expected over 0 and up to 1")
    if usable_share == 1.0:
        return inf
    return (e - 1.0) * positive(slot, "slot", "bytes") * usable_share / (1.0 - usable_share)


@lru_cache(maxsize=64)
def contention_rates(frame: float, slot: float = SLOT) -> tuple[float, ...]:
    """Speed of a segment with 1, 2, 3 ... customers there, relative to one alone. [1]

    For a load-dependent station; it falls from 1 to `saturated_efficiency`.
    """
    early = [efficiency(frame, stations, slot) for stations in range(1, MANY)]
    return (*early, saturated_efficiency(frame, slot))


def _efficiency(frame: float, lost_slots: float, slot: float) -> float:
    if isinf(frame) and frame > 0:
        return 1.0
    positive(frame, "mean frame", "bytes")
    return frame / (frame + lost_slots * positive(slot, "slot", "bytes"))
