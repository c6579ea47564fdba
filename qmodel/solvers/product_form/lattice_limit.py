"""Which lattices of populations the exact methods take, by size and by range of the rates.

Original: work, memory and the range of rates are measured limits, not theory.
"""

from collections.abc import Sequence
from math import prod

from qmodel.model.closed_network import SeveralClasses
from qmodel.model.network import Network
from qmodel.solvers.method import MANY

#: Populations at most: 10^8 of four classes at five stations took 15 s on two busy cores.
STATES = 100_000_000
#: Numbers computed at most, populations x classes x rows x passes: about a minute.
WORK = 10_000_000_000
#: Numbers that could be computed while one of the stations that are gone through one by one is
#: begun on a hyperplane: 30 us, at 4 ns a number.
STAGE = 8_000
#: Memory at most. [bytes]
BYTES = 2_000_000_000
#: Range of the rates of a station that convolution in floats bears: of 1,160 random networks with
#: rates over up to 60 orders of magnitude 122 failed, the mildest at 2e8. [1]
SPREAD = 1e6


def size(population: Sequence[int]) -> int:
    """Number of populations from 0 to ``population``, `MANY` at most."""
    return min(MANY, prod(n + 1 for n in population))


def memory(population: Sequence[int], rows: int) -> int:
    """Bytes a recursion takes that keeps ``rows`` numbers per population; the first is implied."""
    width = size(population[1:])
    return width * (16 * rows + 8 * len(population) + 24)


def _lattice(network: Network) -> list[int]:
    """Populations of the classes with customers, the largest first."""
    return sorted(filter(None, network.populations), reverse=True)


def lattice_work(network: Network, rows: int, passes: int = 1, stages: int = 0) -> float:
    """Numbers a method computes that goes over the lattice of populations.

    ``rows`` numbers are kept for every population of a hyperplane; the lattice is gone over
    ``passes`` times, ``stages`` stations one by one on every hyperplane.
    """
    population = _lattice(network)
    begun = (sum(population) + 1) * STAGE * stages
    return float((size(population) * len(population) * rows + begun) * passes)


def too_large(network: Network, rows: int, passes: int = 1, stages: int = 0) -> str | None:
    """Why a lattice is too large, or None if it is not; arguments as of `lattice_work`."""
    population = _lattice(network)
    if not population:
        return None
    states = size(population)
    if states > STATES:
        return (
            f"{states:.3g} population vectors, it takes {STATES:.0e}; recal or linearizer may serve"
        )
    work = lattice_work(network, rows, passes, stages)
    if work > WORK:
        return (
            f"{states:.3g} population vectors with {rows} numbers each, {passes} times over, are "
            f"{work:.3g} numbers, it takes {WORK:.0e}; linearizer may serve"
        )
    needed = memory(population, rows)
    if needed > BYTES:
        return (
            f"{states:.3g} population vectors need {needed / 1e9:.3g} GB, it takes "
            f"{BYTES / 1e9:g} GB; recal or linearizer may serve"
        )
    return None


def too_steep(network: Network, model: SeveralClasses) -> str | None:
    """The station whose rates lie too far apart for floats, or None if they do not."""
    for k, rates in zip(model.stations, model.rates, strict=True):
        if rates and max(rates) > SPREAD * min(rates):
            return (
                f"rates of station {network.station_names[k]!r} go from {min(rates):.3g} to "
                f"{max(rates):.3g}, too far apart for floats"
            )
    return None
