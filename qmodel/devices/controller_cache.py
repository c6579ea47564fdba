"""A controller's cache: reads it answers, writes it takes over, and read-ahead; see THEORY.md."""

from dataclasses import dataclass

from qmodel.devices.ranges import not_negative, positive, share
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class ControllerCache:
    """What a cache does to the operations that reach it.

    Examples
    --------
    >>> cache = ControllerCache(read_hits=0.4, write_back=True, rewritten=0.25)
    >>> cache.reads(100.0), cache.writes(40.0)
    (60.0, 30.0)
    """

    #: Share of the reads found in it. [1]
    read_hits: float = 0.0
    #: Whether a write is answered before it is on the drives; needs a battery.
    write_back: bool = False
    #: With write-back, share of the writes that replace a block not yet on the drives. [1]
    rewritten: float = 0.0
    #: With write-back, share of the blocks that go to the drives as whole stripes. [1]
    full_stripes: float = 0.0
    #: Blocks fetched with one positioning in a sequential read, at least 1. [blocks]
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
    def stripe_writes(self) -> float:
        """Share of the writes to the drives that cover whole stripes. [1]"""
        return self.full_stripes if self.write_back else 0.0
