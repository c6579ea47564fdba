"""Which lattices of populations the exact methods take, by size and by range of the rates.

Original: work, memory and steepness are measured limits, not theory.
"""

from collections.abc import Sequence
from math import log2

from qmodel.model.closed_network import SeveralClasses
from qmodel.model.network import Network

#: Populations at most: 10^8 of four classes at five stations took 15 s on two busy cores.
STATES = 100_000_000
#: Numbers computed at most, populations x classes x rows x passes: about a minute.
WORK = 10_000_000_000
#: Numbers that could be computed while one of the stations that are gone through one by one is
#: begun on a hyperplane: 30 us, at 4 ns a number.
STAGE = 8_000
#: Memory at most. [bytes]
BYTES = 2_000_000_000
#: Range of the rates of a station that convolution bears whatever else holds; of the networks
#: below the mildest that failed had 28. [bits]
SPREAD = 20.0
#: Bits of `steepness`, summed over the stations, that convolution in floats bears: of 1,160 random
#: networks with rates over up to 60 orders of magnitude 122 failed, the mildest at 228.
BEARABLE = 150.0


def size(population: Sequence[int]) -> int:
    """Number of populations from 0 to ``population``."""
    states = 1
    for n in population:
        states *= n + 1
    return states


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


def steepness(rates: Sequence[float], customers: int) -> float:
    """How far rates that vary widely lead from geometric weights. [bits]

    The range of the logarithms of the rates r(n), and that of the logarithms of the weights
    1 / (r(1) ... r(n)) about the straight line from 0 to all ``customers``. Rates that vary by
    less than 2^`SPREAD` count nothing.
    """
    logs = [log2(rate) for rate in rates]
    spread = max(logs) - min(logs)
    if spread < SPREAD:
        return 0.0
    more = max(0, customers - len(logs))  # customers beyond the last rate
    mean = (sum(logs) + more * logs[-1]) / (len(logs) + more)
    deviation, low, high = 0.0, 0.0, 0.0
    for logarithm in logs:
        deviation += mean - logarithm
        low, high = min(low, deviation), max(high, deviation)
    # From the last rate on it is a straight line, back to 0 at all customers.
    return spread + high - low


def too_steep(network: Network, model: SeveralClasses) -> str | None:
    """The station whose rates lie too far apart for floats, or None if they do not."""
    customers = sum(model.population)
    bits = [steepness(rates, customers) if rates else 0.0 for rates in model.rates]
    if sum(bits) <= BEARABLE:
        return None
    steepest = max(range(len(bits)), key=bits.__getitem__)
    rates = model.rates[steepest] or ()
    return (
        f"rates of station {network.station_names[model.stations[steepest]]!r} go from "
        f"{min(rates):.3g} to {max(rates):.3g}, too far apart for floats"
    )
