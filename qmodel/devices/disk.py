"""Rotating disks: the time of one operation from seek, rotation and transfer.

Source: C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling," IEEE Computer 27(3),
1994, pp. 17-28.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qmodel.devices.ranges import not_negative, positive, share
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Disk:
    """A rotating disk drive.

    Parameters
    ----------
    seek_time : float
        Average seek; of a curve, `SeekCurve.mean`. [s]
    rotation_time : float
        One revolution: 60 s over the revolutions per minute. [s]
    transfer_rate : float
        Rate at which a track is read; of several zones, `zoned_rate`. [bytes/s]

    Raises
    ------
    InvalidInput
        If the seek is negative, or rotation or transfer are not positive.

    Examples
    --------
    >>> disk = Disk(seek_time=0.010, rotation_time=60 / 5400, transfer_rate=4.0e6)
    >>> round(disk.random_time(16 * 1024) * 1000, 1)
    19.7
    """

    seek_time: float
    rotation_time: float
    transfer_rate: float

    def __post_init__(self) -> None:
        not_negative(self.seek_time, "seek time", "s")
        positive(self.rotation_time, "rotation time", "s")
        positive(self.transfer_rate, "transfer rate", "bytes/s")

    def random_time(self, size: float) -> float:
        """Service time of one operation at a random place: seek, half a turn, transfer. [s]

        Parameters
        ----------
        size : float
            Bytes moved. [bytes]
        """
        return self.seek_time + self.rotation_time / 2 + self.sequential_time(size)

    def sequential_time(self, size: float) -> float:
        """Time to move the next ``size`` bytes of a file that lies in one piece. [s]"""
        return not_negative(size, "size", "bytes") / self.transfer_rate


def rewrite_time(disk: Disk, size: float) -> float:
    """Service time of reading a block and writing it in place one turn later. [s]

    Seek, half a turn, transfer, then what is left of the turn until the block comes round, and
    the transfer again: a parity drive's part in a small write (Chen et al. 1994, section 3.2).
    A block longer than a track takes as many turns as it has tracks.

    Examples
    --------
    >>> disk = Disk(seek_time=0.010, rotation_time=0.012, transfer_rate=4.0e6)
    >>> round(rewrite_time(disk, 8000) * 1000, 1)
    30.0
    """
    transfer = disk.sequential_time(size)
    turns = max(1.0, -(-transfer // disk.rotation_time))
    return disk.random_time(size) + turns * disk.rotation_time


def zoned_rate(zones: Sequence[tuple[float, float]]) -> float:
    """Mean transfer rate of a drive whose outer tracks hold more, ``1 / sum(share / rate)``.

    Parameters
    ----------
    zones : sequence of (share, rate)
        Share of the data in each zone [1] and its transfer rate [bytes/s].

    Raises
    ------
    InvalidInput
        If the shares do not add up to 1.

    Examples
    --------
    >>> round(zoned_rate([(0.5, 150e6), (0.5, 100e6)]) / 1e6)
    120
    """
    total = sum(share(part, "share of a zone") for part, _ in zones)
    if abs(total - 1.0) > 1e-9:
        raise InvalidInput(f"shares of the zones add up to {total:g}, expected 1")
    return 1.0 / sum(part / positive(rate, "transfer rate", "bytes/s") for part, rate in zones)
