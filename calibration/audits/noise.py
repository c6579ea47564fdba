"""How far a number can be off when nothing is wrong: print rounding and noise between runs."""

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Self

from calibration.printed_tables.run import REPLICATE_DIFFERENCE


@dataclass(frozen=True, slots=True)
class Noise:
    """Relative standard deviation of one run, by quantity."""

    #: Of a measured number. [1]
    response_time: float
    throughput: float
    utilization: float
    volume: float
    operations: float
    #: Standard deviation of what a channel carries without any user. [bytes/s]
    chatter: float = 0.0
    #: Of a quantity at one station, as ("utilization:disk", 0.2), where that is known. [1]
    at: tuple[tuple[str, float], ...] = field(default=(), kw_only=True)

    def of(self, quantity: str, station: str = "") -> float:
        """The noise of a quantity, of a pool as of a server; 0 for what is set, not measured."""
        name = "utilization" if quantity == "pool_use" else quantity
        return dict(self.at).get(f"{name}:{station}", float(getattr(self, name, 0.0)))

    def scaled(self, factor: float) -> Self:
        """The same with all relative noise multiplied."""
        return replace(
            self, response_time=self.response_time * factor, throughput=self.throughput * factor,
            utilization=self.utilization * factor, volume=self.volume * factor,
            operations=self.operations * factor,
            at=tuple((name, value * factor) for name, value in self.at),
        )  # fmt: skip


#: For a table of a stranger's system: the differences between the two replicate runs of 1995
#: themselves, which is more than the noise of one run and errs on the side of silence. Throughput
#: is as noisy as the time it follows from, operations as the volume they carry.
USUAL = Noise(
    response_time=REPLICATE_DIFFERENCE["response_time"],
    throughput=REPLICATE_DIFFERENCE["response_time"],
    utilization=REPLICATE_DIFFERENCE["utilization"], volume=REPLICATE_DIFFERENCE["volume_rate"],
    operations=REPLICATE_DIFFERENCE["volume_rate"],
)  # fmt: skip

#: For the shipped tables: two runs that differ by d have a standard deviation of d / sqrt(2)
#: each. Tasks that use no LAN show 0.02 to 0.05 KB/s of it with a standard deviation of up to
#: 0.1 KB/s (Compaq TechNote 184430-001, Chapter 3).
SHIPPED = replace(USUAL.scaled(1.0 / sqrt(2.0)), chatter=100.0)
