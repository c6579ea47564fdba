"""How large a lattice of populations the exact methods take, and what they say beyond."""

from __future__ import annotations

from qmodel.model.closed_network import populations
from qmodel.model.network import Network
from qmodel.solvers.product_form.population_lattice import memory, size

#: Populations at most: 10^8 of four classes at five stations took 15 s on two busy cores.
STATES = 100_000_000
#: Numbers computed at most, populations x classes x rows x passes: about a minute.
WORK = 10_000_000_000
#: Numbers that could be computed while one of the stations that are gone through one by one is
#: begun on a hyperplane: 30 us, at 4 ns a number.
STAGE = 8_000
#: Memory at most. [bytes]
BYTES = 2_000_000_000


def lattice_work(network: Network, rows: int, passes: int = 1, stages: int = 0) -> float:
    """Numbers a method computes that goes over the lattice of populations.

    Parameters
    ----------
    network : Network
        Closed classes only.
    rows : int
        Numbers the method keeps for every population of a hyperplane.
    passes : int
        Times it goes over the lattice.
    stages : int
        Stations that are gone through one by one on every hyperplane.
    """
    population = populations(network)
    begun = (sum(population) + 1) * STAGE * stages
    return float((size(population) * len(population) * rows + begun) * passes)


def too_large(network: Network, rows: int, passes: int = 1, stages: int = 0) -> str | None:
    """Why a lattice is too large, or None if it is not; arguments as of `lattice_work`."""
    population = populations(network)
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
