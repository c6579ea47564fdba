"""Open networks in product form: every station as if alone, at the load of all classes.

Jackson (1963); Baskett, Chandy, Muntz and Palacios (1975).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, product_form/open_network.
"""

from qmodel.kernels import effective_rates
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation, Station
from qmodel.solvers.method import Method
from qmodel.solvers.open_load import OpenLoad, open_loads


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    for customer_class in network.classes:
        if not isinstance(customer_class, OpenClass):
            return f"class {customer_class.name!r} is closed"
    return network.product_form_violation()


def solve(network: Network) -> Solution:
    """Throughput and residence times; those of a class of rate 0 are a lone arrival's.

    Raises `Unstable` if a station cannot keep up with the arrivals.
    """
    stretch = [
        residence_per_demand(station, entry)
        for station, entry in zip(network.stations, open_loads(network), strict=True)
    ]
    throughputs = tuple(c.arrival_rate for c in network.classes if isinstance(c, OpenClass))
    residence = tuple(
        tuple(d * s for d, s in zip(row, stretch, strict=True)) for row in network.demand
    )
    return Solution(network, "open", throughputs, residence)


def residence_per_demand(station: Station, entry: OpenLoad) -> float:
    """Residence time of any class over its demand: 1 without waiting. [1]

    ``entry`` is the load of all classes there, and the capacity left.
    """
    if isinstance(station, DelayStation):
        return 1.0
    assert isinstance(station, QueueingStation | LoadDependentStation)
    speeds = station.servers if isinstance(station, QueueingStation) else station.rates
    return effective_rates.residence_per_demand(speeds, entry.load, entry.spare)


METHOD = Method("open", True, solve, why_not)
