"""A controller's cache: reads it answers, writes it takes over, blocks it reads ahead.

Reads found in the cache need no drive. With write-back a write is answered at once and the block
goes to the drives later; blocks written again meanwhile go once, and neighbours go together. The
drives' work is what is left. Source for what write-back saves: K. Treiber and J. Menon,
"Simulation study of cached RAID5 designs," HPCA 1995, pp. 186-197.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from qmodel.devices.buffer_pool import PowerLawMisses
from qmodel.devices.ranges import not_negative, positive, share
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class ControllerCache:
    """What a cache does to the operations that reach it.

    Parameters
    ----------
    read_hits : float
        Share of the reads found in it. [1]
    write_back : bool
        Whether a write is answered before it is on the drives; needs a battery.
    rewritten : float
        With write-back, share of the writes that replace a block not yet on the drives. [1]
    full_stripes : float
        With write-back, share of the blocks that go to the drives as whole stripes. [1]
    read_ahead : float
        Blocks fetched with one positioning in a sequential read, at least 1. [blocks]

    Raises
    ------
    InvalidInput
        If a share is not from 0 to 1, or less than one block is fetched.

    Examples
    --------
    >>> cache = ControllerCache(read_hits=0.4, write_back=True, rewritten=0.25)
    >>> cache.reads(100.0), cache.writes(40.0), cache.answered_writes
    (60.0, 30.0, 1.0)
    """

    read_hits: float = 0.0
    write_back: bool = False
    rewritten: float = 0.0
    full_stripes: float = 0.0
    read_ahead: float = 1.0

    def __post_init__(self) -> None:
        share(self.read_hits, "share of reads found in the cache")
        share(self.rewritten, "share of writes replaced in the cache")
        share(self.full_stripes, "share of whole stripes")
        if not positive(self.read_ahead, "blocks read at once") >= 1.0:
            raise InvalidInput(f"blocks read at once is {self.read_ahead:g}, expected >= 1")

    def reads(self, reads: float) -> float:
        """Reads that reach the drives. [operations]"""
        return not_negative(reads, "reads", "operations") * (1.0 - self.read_hits)

    def writes(self, writes: float) -> float:
        """Writes that reach the drives, sooner or later. [operations]"""
        kept = 1.0 - self.rewritten if self.write_back else 1.0
        return not_negative(writes, "writes", "operations") * kept

    @property
    def answered_writes(self) -> float:
        """Share of the writes that a user does not wait for. [1]"""
        return 1.0 if self.write_back else 0.0

    @property
    def stripe_writes(self) -> float:
        """Share of the writes to the drives that cover whole stripes. [1]"""
        return self.full_stripes if self.write_back else 0.0

    def positionings(self, blocks: float) -> float:
        """Positionings that a sequential read of ``blocks`` takes. [operations]

        Examples
        --------
        >>> ControllerCache(read_ahead=8.0).positionings(64.0)
        8.0
        """
        return not_negative(blocks, "blocks", "blocks") / self.read_ahead


def split_cache(
    size: float, read_share: float, misses: PowerLawMisses, cache: ControllerCache | None = None
) -> ControllerCache:
    """The cache with a part of its memory for reads; the hits follow from that part's size.

    Parameters
    ----------
    size : float
        Memory of the controller. [bytes]
    read_share : float
        Part of it for reads, the rest is for writes: 0.75 was best on the 1997 mail server with
        RAID 0. [1]
    misses : PowerLawMisses
        Misses of reads by size.
    cache : ControllerCache, optional
        With the other figures.

    Examples
    --------
    >>> misses = PowerLawMisses(size=4e6, miss_ratio=0.8)
    >>> [round(split_cache(16e6, part, misses).read_hits, 2) for part in (0.0, 0.25, 1.0)]
    [0.0, 0.2, 0.6]
    """
    part = positive(size, "cache size", "bytes") * share(read_share, "part of the cache for reads")
    hits = 1.0 - misses.miss(part)
    return replace(cache or ControllerCache(), read_hits=hits)
