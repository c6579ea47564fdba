"""Buffer pools: how many reads reach the disks, by how much memory there is; see THEORY.md."""

from dataclasses import dataclass

from qmodel.devices.ranges import not_negative, positive, share


@dataclass(frozen=True, slots=True)
class PowerLawMisses:
    """Share of reads that miss: ``m (c / size)**exponent``, at most 1.

    Examples
    --------
    >>> misses = PowerLawMisses(size=64e6, miss_ratio=0.4)
    >>> misses.miss(256e6), misses.miss(1e6)
    (0.2, 1.0)
    """

    #: Memory at which the misses were measured. [bytes]
    size: float
    #: Share of the reads that missed there, over 0 and up to 1. [1]
    miss_ratio: float
    #: How fast misses fall with memory; 0 where memory does not matter. [1]
    exponent: float = 0.5
    #: Share that misses however large the memory: blocks read for the first time. [1]
    least: float = 0.0

    def __post_init__(self) -> None:
        positive(self.size, "memory", "bytes")
        share(positive(self.miss_ratio, "miss ratio"), "miss ratio")
        not_negative(self.exponent, "exponent of the misses")
        share(self.least, "least miss ratio")

    def miss(self, size: float) -> float:
        """Share of the reads that miss with ``size`` bytes; all of them with none. [1]"""
        if not_negative(size, "memory", "bytes") == 0.0:
            return 1.0
        ratio = self.miss_ratio * (self.size / size) ** self.exponent
        return float(min(1.0, max(self.least, ratio)))


def disk_volume(volume: float, write_share: float, hit_ratio: float) -> tuple[float, float]:
    """Volume that reaches the disks behind a cache of reads, and its share of writes.

    ``volume`` are the bytes asked for [bytes], ``write_share`` is the share of it that is written
    and ``hit_ratio`` that of the reads which the cache answers. A cache raises the share of writes:
    behind a good one the disks mostly write. [bytes, 1]
    """
    not_negative(volume, "volume", "bytes")
    written = volume * share(write_share, "share of writes")
    read = (volume - written) * (1.0 - share(hit_ratio, "hit ratio"))
    left = read + written
    return left, written / left if left else write_share
