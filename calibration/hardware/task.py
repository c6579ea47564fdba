"""Tasks: what one interaction asks of each resource of the reference server."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Task:
    """The demands of one interaction, before any hardware is chosen."""

    #: As a configuration writes it.
    name: str
    #: In words.
    title: str
    #: What one interaction is, for example "one run of the editing script".
    interaction: str
    #: Service demand at the reference processor. [s]
    cpu: float
    #: Bytes through the disk channel. [bytes]
    disk_volume: float
    #: Bytes through the LAN channel. [bytes]
    lan_volume: float
    #: Time without queueing: the workstation's own work, and whatever else was not seen. [s]
    client: float
    #: How the disk volume lies on the drives.
    pattern: Literal["random", "sequential"] = "random"
    #: Measured time of one sequential operation beyond its transfer. [s]
    operation_time: float = 0.0
    #: Drives of the array on which it was measured, if as many operations were under way at once as
    #: it has drives; None if one was. [drives]
    overlapped_on: int | None = None
    #: Measured sequential rate, instead of the drive's data sheet. [bytes/s]
    transfer_rate: float | None = None
    #: Service demand at a resource that queues but was not measured. [s]
    unseen: float = 0.0
    #: Share of the disk operations that write; None where it was not measured. [1]
    write_share: float | None = None
    #: Bytes moved by one disk operation when the disk volume was measured. [bytes]
    block: float = 16 * 1024.0
    #: How the disk volume grows with the block: as its power to this exponent. [1]
    block_exponent: float = 0.0
    #: Measured bytes of one disk operation, whatever the array's block. [bytes]
    operation_size: float | None = None
    #: How the work that an array gets through grows with its drives: as their number to this power,
    #: up to 1; 1 is every drive as good as the first. [1]
    drive_exponent: float = 1.0
    #: Whether that is a limit of all drives together, however many arrays they make, instead of one
    #: in each array.
    one_limit: bool = False
    #: Measured pause between interactions, for a configuration that gives none. [s]
    think_time: float = 0.0
    #: References to the rows behind these figures.
    sources: tuple[str, ...] = ()

    def disk_volume_at(self, block: float) -> float:
        """Bytes through the disk channel where one operation moves ``block`` bytes. [bytes]"""
        return float(self.disk_volume * (block / self.block) ** self.block_exponent)


@dataclass(frozen=True, slots=True)
class Load:
    """A task and who runs it."""

    #: Name of the customer class.
    name: str
    #: What each of them does.
    task: Task
    #: Users, or copies of a batch task, at work. [customers]
    population: int
    #: Pause between interactions, beyond the task's own client time. [s]
    think_time: float = 0.0
    #: Interactions per second from outside, instead of a population. [1/s]
    arrival_rate: float | None = None


def shares(users: int, parts: Sequence[float]) -> list[int]:
    """Whole users for each part, by Sainte-Lague's divisors; they add up to ``users``.

    With more users no part gets fewer, which largest remainders do not promise.
    """
    total = sum(parts)
    sure = max(0, users - len(parts))
    whole = [int(sure * part / total + 0.5) for part in parts]
    while sum(whole) < users:
        i = max(range(len(parts)), key=lambda i: (parts[i] / (2 * whole[i] + 1), -i))
        whole[i] += 1
    return whole
