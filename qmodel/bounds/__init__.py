"""Bounds of throughput and response time, without solving the network."""

from dataclasses import dataclass
from typing import Any

from qmodel.bounds import asymptotic, balanced_job, geometric
from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network, expect_network
from qmodel.tabular import Tabular

Row = tuple[float, ...]
#: The kinds of bound, from the widest on.
KINDS = (asymptotic.KIND, balanced_job.KIND, geometric.KIND)


@dataclass(frozen=True, slots=True)
class Bounds(Tabular):
    """Bounds of a network's throughput, class by class; those of the response time follow.
    As a table: a row per class.

    Parameters
    ----------
    network : Network
        The network they hold for.
    kind : str
        Which bound it is; for "tightest" every kind that applies is in it.
    lower_throughputs, upper_throughputs : tuple of float, length C
        Throughput of each class is at least, and at most, this. [1/s]

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, bounds
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 2)], [0.5])
    >>> found = bounds(network, "balanced_job")
    >>> found.lower_throughputs, found.upper_throughputs, found.upper_response_times
    ((2.0,), (2.0,), (1.0,))
    """

    network: Network
    kind: str
    lower_throughputs: Row
    upper_throughputs: Row

    @property
    def lower_response_times(self) -> Row:
        """Response time of each class is at least this, R = N / X - Z; 0 without customers. [s]"""
        return _response_times(self.network, self.upper_throughputs)

    @property
    def upper_response_times(self) -> Row:
        """Response time of each class is at most this, R = N / X - Z; 0 without customers. [s]"""
        return _response_times(self.network, self.lower_throughputs)

    def _caption(self) -> str:
        return f"{self.kind} bounds"

    def _columns(self) -> dict[str, Any]:
        ends = [
            f"{end}_{what}"
            for what in ("throughput", "response_time")
            for end in ("lower", "upper")
        ]
        return {
            "class": self.network.class_names,
            **{name: getattr(self, f"{name}s") for name in ends},
        }


def bounds(network: Network, kind: str = "tightest") -> Bounds:
    """Bounds of throughput and response time of a closed network.

    Parameters
    ----------
    network : Network
        Closed classes only.
    kind : str
        "asymptotic", "balanced_job", "geometric", or "tightest": of all that apply the best.

    Returns
    -------
    Bounds
        Lower and upper throughput [1/s] and response time [s] of each class.

    Raises
    ------
    NotApplicable
        If a class is open, the network has no product form, or the kind does not hold for it;
        the text says why.
    InvalidInput
        If there is no such kind.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, bounds
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", population=20, think_time=3.0)], [0.2, 0.1])
    >>> found = bounds(network, "asymptotic")
    >>> found.upper_throughputs, found.lower_response_times
    ((5.0,), (1.0,))
    """
    expect_network(network)
    for customer_class in network.classes:
        if not isinstance(customer_class, ClosedClass):
            raise NotApplicable(f"bounds: class {customer_class.name!r} is open")
    if (broken := network.product_form_violation()) is not None:
        raise NotApplicable(f"bounds hold in product form: {broken}")
    if kind != "tightest":
        chosen = [k for k in KINDS if k.name == kind]
        if not chosen:
            names = ", ".join(["tightest", *(k.name for k in KINDS)])
            raise InvalidInput(f"no bound {kind!r}; there is {names}")
        reason = chosen[0].why_not(network)
        if reason is not None:
            raise NotApplicable(f"{kind}: {reason}")
    else:
        chosen = [k for k in KINDS if k.why_not(network) is None]
    # Asymptotic bounds hold for every closed network, so there is one at least.
    by_class = zip(*(one.find(network) for one in chosen), strict=True)
    tightest = [(max(low for low, _ in some), min(high for _, high in some)) for some in by_class]
    lower, upper = zip(*tightest, strict=True)
    return Bounds(network, kind, lower, upper)


def _response_times(network: Network, throughputs: Row) -> Row:
    return tuple(
        max(0.0, c.population / x - c.think_time) if isinstance(c, ClosedClass) and x else 0.0
        for c, x in zip(network.classes, throughputs, strict=True)
    )
