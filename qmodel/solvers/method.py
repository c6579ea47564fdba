"""A method of solution: its name, what it does, and when it may not."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from math import inf
from typing import Any, NamedTuple, Self

from qmodel.model.network import Network
from qmodel.model.product_form import only_simulated
from qmodel.model.solution import Solution

#: Numbers of states that are larger are this one, so that they remain in the range of floats.
MANY = 10**280


class Passes(NamedTuple):
    """Most passes of an iteration, and the change of a queue, of all customers, that ends it."""

    most: int | None = None
    tolerance: float | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """One way to solve a network.

    Parameters
    ----------
    name : str
        What a caller writes as ``method=``.
    exact : bool
        True if the answer is that of the model itself, to rounding.
    solve : callable
        Network to Solution; called only where ``why_not`` is None.
    why_not : callable
        Network to the assumption that fails, or None if the method applies.
    work : callable, optional
        Network to the numbers it would compute, for methods that a network can make slow. Where
        several exact methods apply, the one with the least work is chosen.
    seconds : callable, optional
        Network to about how long it takes, of methods that may take minutes; "auto" leaves to
        others what takes long. [s]
    response_times : callable, optional
        Solution to what the method knows of times at stations beyond their means, or None;
        `qmodel.response_times` makes percentiles of it.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> from qmodel.solvers.product_form.mva import METHOD
    >>> METHOD.name, METHOD.exact
    ('mva', True)
    >>> METHOD.why_not(Network([QueueingStation("cpu", 2)], [ClosedClass("users", 1)], [0.5]))
    "station 'cpu' has 2 servers"
    """

    name: str
    exact: bool
    solve: Callable[..., Solution]
    why_not: Callable[[Network], str | None]
    work: Callable[[Network], float] | None = None
    response_times: Callable[[Solution], Any] | None = None
    seconds: Callable[[Network], float] | None = None

    @classmethod
    def loaded_late(
        cls, name: str, module: str, *, exact: bool, work: bool = False, at: str = "METHOD",
        response_times: str = "", pools: bool = False, slow: bool = False,
    ) -> Self:  # fmt: skip
        """The method ``at`` of a module of the solvers, imported when a network is shown to it.

        ``response_times`` is that function's module and name, with a colon between them;
        ``pools`` as of `only_simulated`; ``work`` and ``slow`` are whether it has ``work`` and
        ``seconds``.

        Most calls need one or two of the methods, and to import them all takes longer than most
        solutions.
        """
        module = f"qmodel.solvers.{module}"
        solve, counted, seconds = (
            partial(_of_module, module, at, part) for part in ("solve", "work", "seconds")
        )
        why_not = partial(_why_not, module, at, pools)
        times = partial(_of_solution, response_times) if response_times else None
        return cls(
            name, exact, solve, why_not, counted if work else None, times, seconds if slow else None
        )


def _of_module(module: str, at: str, part: str, network: Network, **options: Any) -> Any:
    return getattr(_method_of(module, at), part)(network, **options)


@cache
def _method_of(module: str, at: str) -> Any:
    return getattr(import_module(module), at)


def not_analysed(network: Network, *, pools: bool = False) -> str | None:
    """What no method takes, in words, or None; ``pools`` as of `only_simulated`."""
    if network.has_product_form_kinds:
        return None
    # Under LCFS-PR who is back on top of others at once stays there: states do not mix.
    sizes = [getattr(c, "population", inf) for c in network.classes]
    for k, station in enumerate(network.stations):
        if getattr(station, "discipline", "") == "lcfs-pr":
            here = [c for c, row in enumerate(network.demand) if row[k] and sizes[c]]
            waits = len(here) > 1 and sum(sizes[c] for c in here) > station.max_rate
            for c in here if waits else ():
                row = network.demand[c]
                if sizes[c] < inf and sum(row, network.think_time[c]) == row[k]:
                    return f"class {network.class_names[c]!r} never leaves station {station.name!r}"
    return only_simulated(network, pools=pools)


def _why_not(module: str, at: str, pools: bool, network: Network) -> str | None:
    beyond = not_analysed(network, pools=pools)
    reason: str | None = beyond or _of_module(module, at, "why_not", network)
    return reason


def _of_solution(function: str, solution: Solution) -> Any:
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)(solution)
