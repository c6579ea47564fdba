"""Paging: the disk operations that too little memory causes; see THEORY.md."""

from dataclasses import dataclass

from qmodel.devices.ranges import count, not_negative, positive


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Processor time between page faults, ``t (m / memory)**exponent``.

    Examples
    --------
    >>> lifetime = Lifetime(memory=1e6, lifetime=0.020, working_set=4e6)
    >>> lifetime.faults(cpu=1.0, memory=2e6), lifetime.faults(cpu=1.0, memory=4e6)
    (25.0, 0.0)
    """

    #: Memory for each program at which the lifetime was measured. [bytes]
    memory: float
    #: Processor time between faults there. [s]
    lifetime: float
    #: Memory with which a program does not fault. [bytes]
    working_set: float
    #: 1 by Saltzer, 1.5 to 3 by Belady and Kuehner. [1]
    exponent: float = 1.0

    def __post_init__(self) -> None:
        positive(self.memory, "memory", "bytes")
        positive(self.lifetime, "lifetime", "s")
        positive(self.working_set, "working set", "bytes")
        positive(self.exponent, "exponent of the lifetime")

    def faults(self, cpu: float, memory: float) -> float:
        """Page faults in ``cpu`` seconds of processor time with ``memory`` bytes. [faults]"""
        not_negative(cpu, "processor time", "s")
        if positive(memory, "memory", "bytes") >= self.working_set:
            return 0.0
        return float(cpu / (self.lifetime * (memory / self.memory) ** self.exponent))


def paging_volume(
    lifetime: Lifetime, cpu: float, memory: float, active: int, page: float, changed: float = 0.5
) -> float:
    """Bytes that paging moves during one interaction. [bytes]

    ``cpu`` is the processor time of one interaction [s]; ``active`` programs share the ``memory``
    evenly; ``page`` are the bytes of a page, and ``changed`` is the share of the pages thrown out
    that must be written first.
    """
    each = positive(memory, "memory", "bytes") / count(active, "active programs")
    pages = lifetime.faults(cpu, each) * (1.0 + not_negative(changed, "share of changed pages"))
    return pages * positive(page, "page", "bytes")
