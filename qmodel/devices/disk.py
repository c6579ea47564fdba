"""Rotating disks: the time of one operation from seek, rotation and transfer.

Source: C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling," IEEE Computer 27(3),
1994, pp. 17-28.
"""

from dataclasses import dataclass

from qmodel.devices.ranges import not_negative, positive


@dataclass(frozen=True, slots=True)
class Disk:
    """A rotating disk drive.

    Examples
    --------
    >>> disk = Disk(seek_time=0.010, rotation_time=60 / 5400, transfer_rate=4.0e6)
    >>> round(disk.random_time(16 * 1024) * 1000, 1)
    19.7
    """

    #: Average seek. [s]
    seek_time: float
    #: One revolution: 60 s over the revolutions per minute. [s]
    rotation_time: float
    #: Rate at which a track is read. [bytes/s]
    transfer_rate: float

    def __post_init__(self) -> None:
        not_negative(self.seek_time, "seek time", "s")
        positive(self.rotation_time, "rotation time", "s")
        positive(self.transfer_rate, "transfer rate", "bytes/s")

    def random_time(self, size: float) -> float:
        """Service time of one operation at a random place: seek, half a turn, transfer. [s]"""
        return self.seek_time + self.rotation_time / 2 + self.sequential_time(size)

    def lone_time(self, size: float, _write_share: float = 0.0) -> float:
        """`random_time`, of a read or a write. [s]"""
        return self.random_time(size)

    def capacity(self, size: float, _write_share: float = 0.0) -> float:
        """Operations a second at random places, one at a time. [1/s]"""
        return 1.0 / self.random_time(size)

    def sequential_time(self, size: float) -> float:
        """Time to move the next ``size`` bytes of a file that lies in one piece. [s]"""
        return not_negative(size, "size", "bytes") / self.transfer_rate
