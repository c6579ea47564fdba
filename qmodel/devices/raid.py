"""RAID levels: drives, usable space, physical operations for each logical one; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from qmodel.devices.ranges import MOST_PARTS, count, not_negative, share
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Level:
    """A RAID level."""

    #: As a configuration writes it.
    name: str
    #: Fewest drives. [drives]
    least_drives: int
    #: Physical operations for one small logical write. [1]
    write_operations: float
    #: Copies of each block: 2 for mirrors.
    copies: int = 1
    #: Drives' worth of parity.
    parity: int = 0
    #: Whether the number of drives must be even.
    even: bool = False

    @property
    def tolerates_failure(self) -> bool:
        """Whether one drive may fail without loss of data."""
        return self.copies > 1 or self.parity > 0

    def why_not(self, drives: int) -> str | None:
        """What is wrong with this number of drives, or None."""
        if not (isfinite(drives) and drives == int(drives) and drives <= MOST_PARTS):
            return f"number of drives is {drives:g}, expected a whole number up to {MOST_PARTS}"
        if drives < self.least_drives:
            return f"{self.name} needs at least {self.least_drives} drives, got {drives}"
        if self.even and drives % 2:
            return f"{self.name} needs an even number, got {drives} (raid1e allows odd)"
        return None

    def usable_share(self, drives: int) -> float:
        """Share of the raw space left for data. [1]"""
        self.check(drives)
        return (drives - self.parity) / drives / self.copies

    def operations(self, drives: int, reads: float, writes: float) -> tuple[float, ...]:
        """Physical operations at each drive for small logical reads and writes.

        ``reads`` and ``writes`` are logical operations, evenly spread over the data. The last drive
        of RAID 4 holds the parity. Raises `InvalidInput` if the level cannot be made of so many
        drives.
        """
        self.check(drives, reads, writes)
        if self.name == "raid4":
            data = (reads + 2.0 * writes) / (drives - 1)
            return (*(data for _ in range(int(drives) - 1)), 2.0 * writes)
        each = (reads + self.write_operations * writes) / drives
        return tuple(each for _ in range(int(drives)))

    def data_drives(self, drives: int) -> float:
        """Drives' worth of space for data. [drives]"""
        return self.usable_share(drives) * drives

    def phases(self, *, write: bool) -> int:
        """Steps of a small operation one after the other; those of a step are at once.

        A read is one, and so is a write to all copies. Parity makes two of it: old data and old
        parity are read, then the new ones are written. A user alone waits at least that many
        operations, and at most for all of them in turn.

        Examples
        --------
        >>> [LEVELS[name].phases(write=True) for name in ("raid0", "raid1", "raid5")]
        [1, 1, 2]
        """
        return 2 if write and self.parity else 1

    def check(self, drives: int, reads: float = 0.0, writes: float = 0.0) -> None:
        """Raise `InvalidInput` unless there can be so many drives and operations."""
        if reason := self.why_not(drives):
            raise InvalidInput(reason)
        not_negative(reads, "reads", "operations")
        not_negative(writes, "writes", "operations")


#: A small write reads old data and old parity and writes both anew: 4 operations, 6 with two
#: parities.
LEVELS = {
    level.name: level
    for level in (
        Level("raid0", 1, 1.0), Level("raid1", 2, 2.0, copies=2, even=True),
        Level("raid1e", 3, 2.0, copies=2), Level("raid4", 3, 4.0, parity=1),
        Level("raid5", 3, 4.0, parity=1), Level("raid6", 4, 6.0, parity=2),
        Level("raid10", 4, 2.0, copies=2, even=True),
    )
}  # fmt: skip


def array_shares(arrays: int, spread: float = 0.0) -> tuple[float, ...]:
    """Share of the operations that goes to each array, from even to uneven. [1]

    Shares fall in equal steps; ``spread`` is how much the highest exceeds the lowest, as a share
    of the lowest.
    """
    arrays = count(arrays, "number of arrays", most=MOST_PARTS)
    not_negative(spread, "spread of the load")
    if arrays == 1:
        return (1.0,)
    steps = [1.0 + spread * (arrays - 1 - i) / (arrays - 1) for i in range(arrays)]
    total = sum(steps)
    return tuple(step / total for step in steps)


def drive_operations(
    each_array: Sequence[Sequence[float]], shares: Sequence[float]
) -> tuple[float, ...]:
    """Operations at every drive of several arrays.

    ``each_array`` are, for each array, the operations at its drives if it had all of the load;
    ``shares`` of the load at each array add up to 1.
    """
    if len(each_array) != len(shares):
        raise InvalidInput(f"{len(shares)} shares given, expected one per array: {len(each_array)}")
    if abs(sum(shares) - 1.0) > 1e-9:
        raise InvalidInput(f"shares of the arrays add up to {sum(shares):g}, expected 1")
    return tuple(
        not_negative(n, "operations at a drive") * share(part, "share of an array")
        for drives, part in zip(each_array, shares, strict=True)
        for n in drives
    )
