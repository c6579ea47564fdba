"""What the percentiles of a class assume, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qmodel.model.customer_classes import ClosedClass
from qmodel.response_times.ctmc_station import Isolated
from qmodel.response_times.stage import InOrder
from qmodel.solvers.recorded_accuracy import open_family, percentile_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qmodel.model.network import Network
    from qmodel.model.solution import Solution
    from qmodel.response_times.path import Path
    from qmodel.response_times.tagged_class import Followed

#: Waits that were stretched by less than this are those of the solution.
NEAR = 1e-6
#: Methods that take the stations of an open network apart.
APART = ("marked_flows", "qna")
#: How they know the flows.
FLOWS = {
    "marked_flows": "phases by class",
    "qna": "two moments",
}
#: The family and method that measured rounds about a central server, those whose customers are
#: not followed, and all others.
ROUNDS = ("percentiles-central-fresh", "percentiles")
ALIKE = ("percentiles-central-fresh", "alike")
OTHERS = ("percentiles-simulated-fresh", "percentiles")


def is_exact(solution: Solution, c: int, path: Path, orders: Sequence[str]) -> bool:
    """Whether the response time is exactly that of the model, on one path for all.

    Single servers one after the other, first come, first served; only the first and the last may
    have several servers, and one alone may share its speed.
    """
    visited = [k for k, demand in enumerate(solution.network.demand[c]) if demand]
    if path.rounds > 1.0 or any(p < 1.0 for _, p in path.last) or _stretch(path) > NEAR:
        return False
    if solution.network.beyond_product_form() is not None or path.groups_of_several:
        return False
    if solution.method in APART:
        return False
    usual = {"fcfs": (1.0,), "ps": (1.0,), "delay": (0.0, 1.0)}
    if any(solution.network.scv_at(c, k) not in usual[orders[k]] for k in visited):
        return False
    if len(visited) == 1:
        k = visited[0]
        others = any(row[k] for i, row in enumerate(solution.network.demand) if i != c)
        return orders[k] != "ps" or not (others or len(solution.network.stations) > 1)
    stages = [path.states.stages[k] for k in visited]
    return all(isinstance(stage, InOrder) and stage.own == stage.ahead for stage in stages) and all(
        stage.plain for stage in stages[1:-1]
    )


def assumption(
    solution: Solution, c: int, path: Path, orders: Sequence[str], known: Followed | bool
) -> str:
    """What the percentiles of class ``c`` assume.

    Parameters
    ----------
    solution, c, path, orders
        As in `is_exact`.
    known : Followed or bool
        The customer that was followed; or, if none was, whether they are exact.
    """
    network = solution.network
    visited = [k for k, demand in enumerate(network.demand[c]) if demand]
    if not visited:
        return "nothing: the class goes to no station"
    parts = []
    for order, said in (
        ("fcfs", "first come, first served"),
        ("ps", "customers share the speed equally, exponential service"),
        ("delay", "{} delay"),
    ):
        here = [k for k in visited if orders[k] == order]
        if here:
            names = ", ".join(network.station_names[k] for k in here)
            parts.append(f"{names}: {said.format(_distribution(network, c, here))}")
    if solution.method in APART:
        measured = percentile_error(open_family(network, solution.method), solution.method)
        flows = FLOWS[solution.method]
        parts.append(f"waits by probability and moments, flows by {flows} ({measured})")
    varied = [
        f"SCV {network.scv_at(c, k):g} at {network.station_names[k]}"
        for k in visited
        if orders[k] == "fcfs" and network.scv_at(c, k) != 1.0
    ]
    if varied:
        parts.append(f"gamma or hyperexponential service times ({', '.join(varied)})")
    closed = isinstance(network.classes[c], ClosedClass)
    found = "the network with one customer less" if closed else "the network in steady state"
    if path.groups_of_several:
        found += f", with {' and '.join(path.groups_of_several)} taken together (rough)"
    chains = [
        network.station_names[k] for k in visited if isinstance(path.states.stages[k], Isolated)
    ]
    if chains:
        found += f", with phases of service as isolation has them at {', '.join(chains)}"
    if solution.method not in APART:
        parts.append(f"found on arrival: {found}")
    stretch = _stretch(path)
    if stretch > NEAR:
        parts.append(
            f"waits stretched by up to {100.0 * stretch:.2g} % to the means of {solution.method}"
        )
    if path.rounds > 1.0:
        parts.append(f"visits at random, {path.rounds:.4g} rounds in the mean")
    if isinstance(known, bool):
        parts += _apart(solution, path, visited, varied=bool(varied), exact=known)
    else:
        parts += _of_one(path, known)
    return "; ".join(parts)


def _apart(
    solution: Solution, path: Path, visited: Sequence[int], *, varied: bool, exact: bool
) -> list[str]:
    """What times at stations that are put together assume."""
    parts = []
    if path.alike > 1:
        parts.append(f"{path.alike} rounds in turn find the same")
    near = percentile_error(*(ALIKE if path.rounds > 1.0 else OTHERS))
    if varied and path.rounds > 1.0:
        near = "errors not recorded for rounds with such service"
    if exact:
        parts.append("exact where all pass the stations in the same order")
    elif solution.method in APART:
        if len(visited) > 1:
            in_turn = solution.method == "marked_flows" and path.rounds == 1.0
            how = "correlated as bursts of arrivals make them" if in_turn else "independent"
            parts.append(f"times at different stations {how}")
    elif path.tandem is not None:
        parts.append(f"those ahead are followed through all stations ({near})")
    elif len(visited) > 1:
        parts.append(f"times at different stations independent, given what is found ({near})")
    else:
        parts.append(f"not exact ({near})")
    return parts


def _of_one(path: Path, known: Followed) -> list[str]:
    """What a customer who is followed assumes."""
    at_random = path.rounds > 1.0 or any(p < 1.0 for _, p in path.last)
    followed = "a tagged customer is followed through the whole network"
    if known.exact:
        order = "visits are at random" if at_random else "all pass the stations in the same order"
        return [f"{followed}: exact where {order}"]
    parts = []
    if not known.forgets:
        parts.append("others go on from each station at random, as often as in such rounds")
    near = percentile_error(*(ROUNDS if path.rounds > 1.0 else OTHERS))
    less = f", but not to what is found less often than {known.left_out:g}" * (known.left_out > 0)
    return [*parts, f"{followed}{less} ({near})"]


def _distribution(network: Network, c: int, delays: Sequence[int]) -> str:
    scvs = {network.scv_at(c, k) for k in delays}
    if scvs == {0.0}:
        return "constant"
    return "exponential" if scvs <= {1.0} else "gamma or hyperexponential"


def _stretch(path: Path) -> float:
    return max(abs(factor - 1.0) for factor in path.stretch)
