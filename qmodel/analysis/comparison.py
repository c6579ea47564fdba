"""Several methods on one network, side by side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from qmodel.errors import InvalidInput, NotApplicable, Unstable
from qmodel.model.network import Network
from qmodel.model.solution import NotConverged, Solution
from qmodel.solvers import METHODS, methods_for, solve
from qmodel.tabular import Tabular, text_table


@dataclass(frozen=True, slots=True)
class MethodComparison(Tabular):
    """Solutions of one network by several methods, and how far they are apart.
    As a table: a row per method and class, with its relative differences from the reference.

    Parameters
    ----------
    solutions : dict of str to Solution
        By method, in the order asked for.
    reference : Solution
        The first of them that is exact, or else the first.
    refused : dict of str to str
        Methods without an answer: the assumption that fails, or that they did not converge or
        find no steady state.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, compare
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 20, think_time=1.0)], [[0.2, 0.1]])
    >>> found = compare(network, ["bard-schweitzer", "mva", "open"])
    >>> found.reference.method, found.refused
    ('mva', {'open': "class 'users' is closed"})
    >>> found.to_frame()["response_time_difference"].round(4).tolist()
    [0.0272, 0.0]
    """

    solutions: dict[str, Solution]
    reference: Solution
    refused: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The solutions as plain lists in base units, the reference by its name."""
        return {
            "reference": self.reference.method,
            "solutions": [solution.to_dict() for solution in self.solutions.values()],
            "refused": dict(self.refused),
        }

    def __str__(self) -> str:
        return f"{self._caption()}\n\n{text_table(self._columns())}"

    def _caption(self) -> str:
        refused = "; ".join(f"{name}: no answer, {why}" for name, why in self.refused.items())
        return f"differences from {self.reference.method}" + (f"; {refused}" if refused else "")

    def _columns(self) -> dict[str, list[Any]]:
        names = self.reference.network.class_names
        both = [(solution, c) for solution in self.solutions.values() for c in range(len(names))]
        columns: dict[str, list[Any]] = {
            "method": [solution.method for solution, _ in both],
            "class": [names[c] for _, c in both],
        }
        for measure in ("throughput", "response_time"):
            columns[measure] = [getattr(solution, f"{measure}s")[c] for solution, c in both]
        for measure in ("throughput", "response_time"):
            true = getattr(self.reference, f"{measure}s")
            columns[f"{measure}_difference"] = [
                value / true[c] - 1.0 if true[c] else 0.0
                for value, (_, c) in zip(columns[measure], both, strict=True)
            ]
        return columns


def compare(network: Network, methods: Iterable[str]) -> MethodComparison:
    """Solve a network by several methods.

    Parameters
    ----------
    network : Network
        What to solve.
    methods : iterable of str
        As ``method`` of `solve`; `methods_for` names those that apply.

    Raises
    ------
    InvalidInput
        If this is no network, a method is not known, or none is given.
    NotApplicable
        If none of them has an answer.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> network = Network([QueueingStation("cpu", 2)], [ClosedClass("users", 9)], [0.2])
    >>> print(compare(network, ["convolution", "aql"]))
    differences from convolution
    <BLANKLINE>
    method       class  throughput  response_time  throughput_difference  response_time_difference
    convolution  users  10          0.9            0                      0
    aql          users  9.99938     0.900056       -6.2371e-05            6.23749e-05
    """
    names = list(dict.fromkeys([methods] if isinstance(methods, str) else methods))
    if not names:
        raise InvalidInput("compare: no method is given, as in ['exact', 'linearizer']")
    solutions: dict[str, Solution] = {}
    refused: dict[str, str] = {}
    for name in names:
        try:
            solution = solve(network, name)
        except (NotApplicable, NotConverged, Unstable) as error:
            refused[name] = methods_for(network, name).get(name) or str(error)
        else:
            solutions.setdefault(solution.method, solution)
    if not solutions:
        why = "; ".join(f"{name}: {reason}" for name, reason in refused.items())
        raise NotApplicable(f"compare: no method has an answer: {why}")
    exact = {method.name for method in METHODS if method.exact}
    first = next((name for name in solutions if name in exact), next(iter(solutions)))
    return MethodComparison(solutions, solutions[first], refused)
