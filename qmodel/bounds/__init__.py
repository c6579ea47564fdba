"""Bounds of throughput and response time, without solving the network.

References
----------
.. [1] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 5.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from qmodel.bounds import asymptotic, balanced_job, geometric, open_network, proportional
from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network, expect_network
from qmodel.tabular import Tabular

Row = tuple[float, ...]
#: The kinds of bound, from the widest on.
KINDS = (asymptotic.KIND, balanced_job.KIND, proportional.KIND, geometric.KIND)


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
        """Response time of each class is at least this; R = N / X - Z of a closed one. [s]"""
        return self._times(self.upper_throughputs, max, 0)

    @property
    def upper_response_times(self) -> Row:
        """Response time of each class is at most this; infinite where nothing is known. [s]"""
        return self._times(self.lower_throughputs, min, 1)

    @property
    def saturation_population(self) -> float | None:
        """N* = (Z + D) / Dmax, where the asymptotes of one closed class meet. [customers]

        With several servers D / m counts for Dmax [1], p. 73. None of other networks, where
        nothing queues, and where the station that limits the throughput is slower under heavy load
        than with fewer customers: the throughput of fewer exceeds that limit.
        """
        if len(self.network.classes) > 1 or not isinstance(self.network.classes[0], ClosedClass):
            return None
        ((_, low), (_, high)) = (
            asymptotic.find(self.network.with_population(n))[0] for n in (1, asymptotic.CROWD)
        )
        demands = zip(self.network.stations, self.network.demand[0], strict=True)
        lasting = [getattr(s, "rates", (s.max_rate,))[-1] / d for s, d in demands if d]
        queues = high < asymptotic.CROWD * low and high <= min(lasting, default=high)
        return high / low if queues else None

    def _times(self, throughputs: Row, tighter: Callable[..., float], end: int) -> Row:
        if any(isinstance(c, OpenClass) for c in self.network.classes):
            kinds = [k.name for k in KINDS] if self.kind == "tightest" else [self.kind]
            some = [open_network.find(self.network, kind) for kind in kinds
                    if open_network.why_not(self.network, kind) is None]  # fmt: skip
            return tuple(tighter(one[end] for one in of) for of in zip(*some, strict=True))
        return tuple(
            max(0.0, c.population / x - c.think_time) if isinstance(c, ClosedClass) and x else 0.0
            for c, x in zip(self.network.classes, throughputs, strict=True)
        )

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
    """Bounds of throughput and response time of a closed network, or of an open one.

    Parameters
    ----------
    network : Network
        Closed classes only, or open ones only, whose throughputs are their arrival rates.
    kind : str
        "asymptotic", "balanced_job", "proportional", "geometric", or "tightest": of all that apply
        the best.

    Returns
    -------
    Bounds
        Lower and upper throughput [1/s] and response time [s] of each class.

    Raises
    ------
    NotApplicable
        If there are closed and open classes, the network has no product form, or the kind does not
        hold for it; the text says why.
    Unstable
        If an open class arrives faster than a station can serve.
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
    opened = [isinstance(c, OpenClass) for c in network.classes]
    if any(opened) and not all(opened):
        name = network.class_names[opened.index(True)]
        raise NotApplicable(f"bounds: class {name!r} is open beside closed ones; use solve()")
    if (broken := network.product_form_violation()) is not None:
        raise NotApplicable(f"bounds hold in product form: {broken}; use solve() or simulate()")
    if kind != "tightest":
        chosen = [k for k in KINDS if k.name == kind]
        if not chosen:
            names = ", ".join(["tightest", *(k.name for k in KINDS)])
            raise InvalidInput(f"no bound {kind!r}; there is {names}")
        refuse = partial(open_network.why_not, kind=kind) if any(opened) else chosen[0].why_not
        if reason := refuse(network):
            raise NotApplicable(f"{kind}: {reason}")
    else:
        chosen = [k for k in KINDS if k.why_not(network) is None]
    if any(opened):
        rates = tuple(getattr(c, "arrival_rate", 0.0) for c in network.classes)
        open_network.find(network, "asymptotic")  # unless it is unstable
        return Bounds(network, kind, rates, rates)
    # Asymptotic bounds hold for every closed network, so there is one at least.
    by_class = zip(*(one.find(network) for one in chosen), strict=True)
    tightest = [(max(low for low, _ in some), min(high for _, high in some)) for some in by_class]
    lower, upper = zip(*tightest, strict=True)
    return Bounds(network, kind, lower, upper)
