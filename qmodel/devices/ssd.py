"""Solid-state drives: several operations at once, one per parallel unit; see THEORY.md."""

from dataclasses import dataclass

from qmodel.devices.ranges import count, not_negative, positive, share
from qmodel.model.stations import QueueingStation
from qmodel.model.validation import assign

#: Bytes of the operations that latencies are measured with, by data sheets and benchmarks. [bytes]
LATENCY_SIZE = 4096.0


@dataclass(frozen=True, slots=True)
class SolidStateDrive:
    """A solid-state drive, on a SATA or an NVMe interface.

    Examples
    --------
    >>> drive = SolidStateDrive(150e-6, 50e-6, 500e6, parallelism=11)
    >>> round(drive.lone_time(4096) * 1e6), drive.station("disk", size=4096)
    (150, QueueingStation(name='disk', servers=11))
    """

    #: Time of one operation of 4 KiB alone, its transfer included. [s]
    read_latency: float
    write_latency: float
    #: Highest rate of the interface or of the flash. [bytes/s]
    transfer_rate: float
    #: Operations served at once: rate at a long queue times latency, at most the queue depth of the
    #: interface (32 for SATA). [servers]
    parallelism: int
    #: Random writes of 4 KiB a second that the whole drive sustains; None where that is not known,
    #: and writes are as fast as their latency. [1/s]
    write_iops: float | None = None

    def __post_init__(self) -> None:
        positive(self.read_latency, "read latency", "s")
        positive(self.write_latency, "write latency", "s")
        positive(self.transfer_rate, "transfer rate", "bytes/s")
        assign(self, parallelism=count(self.parallelism, "parallelism"))
        if self.write_iops is not None:
            positive(self.write_iops, "sustained writes", "1/s")

    def lone_time(self, size: float, write_share: float = 0.0) -> float:
        """Time of one operation alone: latency, and transfer of what is beyond 4 KiB. [s]"""
        beyond = max(0.0, not_negative(size, "size", "bytes") - LATENCY_SIZE)
        return self._mean(write_share, self.write_latency) + beyond / self.transfer_rate

    def capacity(self, size: float, write_share: float = 0.0) -> float:
        """Operations a second with a long queue: all units busy, or the interface. [1/s]"""
        size = not_negative(size, "size", "bytes")
        units = self.parallelism / self._mean(write_share, self._write_work(size))
        return min(units, self.transfer_rate / size) if size else units

    def servers(self, size: float, write_share: float = 0.0) -> int:
        """Operations of one size that it serves at once, by Little's law. [servers]

        Large operations fill the interface by themselves, and so do sustained writes the flash.
        """
        written = 0.0 if self.write_iops is None else write_share
        return max(1, round(self.capacity(size, written) * self.lone_time(size, written)))

    def service_time(self, size: float, write_share: float, servers: int) -> float:
        """Time at one of ``servers`` that gives the drive its capacity, `servers / capacity`. [s]

        Within rounding of the number of servers it is `lone_time`.
        """
        return count(servers, "number of servers") / self.capacity(size, write_share)

    def station(self, name: str, size: float, write_share: float = 0.0) -> QueueingStation:
        """The drive as a station of a network, for operations of about one size."""
        return QueueingStation(name, self.servers(size, write_share))

    def _write_work(self, size: float) -> float:
        """Time of a unit that a write takes. [s]"""
        if self.write_iops is None:
            return self.write_latency
        return self.parallelism * max(1.0, size / LATENCY_SIZE) / self.write_iops

    def _mean(self, write_share: float, of_write: float) -> float:
        written = share(write_share, "share of writes")
        return (1.0 - written) * self.read_latency + written * of_write
