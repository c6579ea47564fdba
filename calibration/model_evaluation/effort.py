"""How long a network of several classes takes: exact solutions, or approximate ones beyond."""

from math import prod

from qmodel import ClosedClass, LoadDependentStation, Network, QueueingStation, methods_for

#: Population vectors beyond this many are left to an approximate method: a fit solves thousands
#: of networks, a review hundreds, and should take seconds.
LATTICE = 20_000
#: Numbers of customers in all beyond this, gone through once for each station of several servers,
#: are too many as well: each takes 0.2 ms.
PLANES = 300


def left_to(network: Network) -> str:
    """The approximate method that a network is left to; empty where an exact one is soon done."""
    closed = [c for c in network.classes if isinstance(c, ClosedClass)]
    work = vectors(network)
    planes = 0
    if len(closed) > 1:  # every server of a station is a term at each population vector
        customers = sum(c.population for c in closed)
        servers = [
            min(len(each.rates), customers)
            if isinstance(each, LoadDependentStation)
            else (each.servers if isinstance(each, QueueingStation) and each.servers > 1 else 0)
            for each in network.stations
        ]
        work *= max(1, sum(servers))
        planes = customers * max(1, len(servers) - servers.count(0))
    if work <= LATTICE and planes <= PLANES:
        return ""
    return next((each for each in ("linearizer", "mixed-linearizer") if applies(each, network)), "")


def applies(method: str, network: Network) -> bool:
    """Whether a method solves a network."""
    return methods_for(network, method)[method] is None


def vectors(network: Network) -> int:
    """How many population vectors the closed classes have."""
    return prod(c.population + 1 for c in network.classes if isinstance(c, ClosedClass))
