"""Tasks: what one interaction asks of each resource of the reference server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Task:
    """The demands of one interaction, before any hardware is chosen.

    Parameters
    ----------
    name : str
        As a configuration writes it.
    title : str
        In words.
    interaction : str
        What one interaction is, for example "one run of the editing script".
    cpu : float
        Service demand at the reference processor. [s]
    disk_volume : float
        Bytes through the disk channel. [bytes]
    lan_volume : float
        Bytes through the LAN channel. [bytes]
    client : float
        Time without queueing: the workstation's own work, and whatever else was not seen. [s]
    pattern : {"random", "sequential"}
        How the disk volume lies on the drives.
    operation_time : float
        Measured time of one sequential operation beyond its transfer. [s]
    overlapped_on : int, optional
        Drives of the array on which it was measured, if as many operations were under way at once
        as it has drives; None if one was. [drives]
    transfer_rate : float, optional
        Measured sequential rate, instead of the drive's data sheet. [bytes/s]
    unseen : float
        Service demand at a resource that queues but was not measured. [s]
    write_share : float, optional
        Share of the disk operations that write; None where it was not measured. [1]
    block : float
        Bytes moved by one disk operation when the disk volume was measured. [bytes]
    block_exponent : float
        How the disk volume grows with the block: as its power to this exponent. [1]
    operation_size : float, optional
        Measured bytes of one disk operation, whatever the array's block. [bytes]
    drive_exponent : float
        How the work that an array gets through grows with its drives: as their number to this
        power, up to 1; 1 is every drive as good as the first. [1]
    one_limit : bool
        Whether that is a limit of all drives together, however many arrays they make, instead of
        one in each array.
    think_time : float
        Measured pause between interactions, for a configuration that gives none. [s]
    sources : tuple of str
        References to the rows behind these figures.
    """

    name: str
    title: str
    interaction: str
    cpu: float
    disk_volume: float
    lan_volume: float
    client: float
    pattern: Literal["random", "sequential"] = "random"
    operation_time: float = 0.0
    overlapped_on: int | None = None
    transfer_rate: float | None = None
    unseen: float = 0.0
    write_share: float | None = None
    block: float = 16 * 1024.0
    block_exponent: float = 0.0
    operation_size: float | None = None
    drive_exponent: float = 1.0
    one_limit: bool = False
    think_time: float = 0.0
    sources: tuple[str, ...] = ()

    def disk_volume_at(self, block: float) -> float:
        """Bytes through the disk channel where one operation moves ``block`` bytes. [bytes]

        Examples
        --------
        >>> task = Task("copy", "copying", "a file", 1.0, 8e6, 0.0, 0.0, block_exponent=0.5)
        >>> task.disk_volume_at(4 * 1024.0)
        4000000.0
        """
        return float(self.disk_volume * (block / self.block) ** self.block_exponent)


@dataclass(frozen=True, slots=True)
class Load:
    """A task and who runs it.

    Parameters
    ----------
    name : str
        Name of the customer class.
    task : Task
        What each of them does.
    population : int
        Users, or copies of a batch task, at work. [customers]
    think_time : float
        Pause between interactions, beyond the task's own client time. [s]
    arrival_rate : float, optional
        Interactions per second from outside, instead of a population. [1/s]
    """

    name: str
    task: Task
    population: int
    think_time: float = 0.0
    arrival_rate: float | None = None
