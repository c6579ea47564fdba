"""Analysis and simulation of one network beside each other, with a verdict; see THEORY.md."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from scipy.stats import t as student

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.product_form import two_moments
from qmodel.model.solution import Solution
from qmodel.simulation import simulate
from qmodel.simulation.control_variates import CONTROLS
from qmodel.simulation.estimates import Estimate, quantile
from qmodel.simulation.simulated import Simulated
from qmodel.solvers import solve
from qmodel.solvers.recorded_accuracy import recorded
from qmodel.solvers.solve import METHODS
from qmodel.tabular import Tabular, text_table

#: Probability that a sound network is said to differ.
FALSE_ALARM = 0.01
#: Differences that do not matter: rounding, and a simulation of constants. [1]
ROUNDING = 1e-6


class Comparison(NamedTuple):
    """One measure of a class, at a station or ("") of the whole network."""

    measure: str
    class_name: str
    station: str
    analysed: float
    simulated: Estimate

    @property
    def relative(self) -> float:
        """The analysis over the simulation, less 1. [1]"""
        value = self.simulated.value
        return self.analysed / value - 1.0 if value else float(self.analysed != 0.0)

    @property
    def half_widths(self) -> float:
        """The difference in half widths of the interval."""
        difference = self.analysed - self.simulated.value
        if abs(difference) <= ROUNDING * abs(self.analysed):
            return 0.0
        return difference / max(self.simulated.half_width, 1e-300)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in base units."""
        return {
            "measure": self.measure, "class": self.class_name, "station": self.station or None,
            "analysed": self.analysed, "simulated": self.simulated.value,
            "half_width": self.simulated.half_width, "half_widths": self.half_widths,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Agreement(Tabular):
    """A solution, a simulation, and how they compare.
    As a table: a row per comparison.

    Parameters
    ----------
    solution : Solution
        The analysis.
    simulated : Simulated
        The simulation.
    comparisons : tuple of Comparison
        Response time and residence times of each class, and throughputs of closed ones.
    exact : bool
        Whether the method of the solution is exact.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, agree
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 3, 1.0)], [0.2])
    >>> agree(network, events=50_000).agrees
    True
    """

    solution: Solution
    simulated: Simulated
    comparisons: tuple[Comparison, ...]
    exact: bool

    @property
    def allowed(self) -> float:
        """Half widths that a difference may have by chance, of any of the measures."""
        each = FALSE_ALARM / max(1, len(self.comparisons)) / 2.0
        left = max(2, self.simulated.replications - CONTROLS)
        return float(student.isf(each, left - 1)) / quantile(left)

    @property
    def promised(self) -> float:
        """The worst recorded error of the method on such networks; 0 of an exact one. [1]"""
        found = None if self.exact else recorded(self.solution.network, self.solution.method)
        return found.worst if found and not found.beyond else 0.0

    @property
    def differing(self) -> tuple[Comparison, ...]:
        """The measures that differ by more than chance, the farthest apart first."""
        beyond = [c for c in self.comparisons if abs(c.half_widths) > self.allowed]
        return tuple(sorted(beyond, key=lambda c: -abs(c.half_widths)))

    @property
    def worst(self) -> float:
        """The largest relative difference of a response time. [1]"""
        rows = (c for c in self.comparisons if c.measure == "response time")
        return max((abs(c.relative) for c in rows), default=0.0)

    @property
    def agrees(self) -> bool:
        """Whether no measure differs by more than chance and the promised error explain."""
        return all(self._surely(c) <= self.promised for c in self.differing)

    def _surely(self, each: Comparison) -> float:
        """By how much a measure is off, less what chance may do. [1]"""
        return abs(each.relative) - self.allowed * each.simulated.relative

    @property
    def verdict(self) -> str:
        """One line."""
        within = f"within {100.0 * self.worst:.2g} %"
        if not self.differing:
            return f"checked by simulation: {within}, no more than chance"
        first = self.differing[0] if self.agrees else max(self.differing, key=self._surely)
        where = f"{first.measure} of {first.class_name}" + (
            f" at {first.station}" if first.station else ""
        )
        off = f"{where} {first.analysed:.4g}, simulated {first.simulated}"
        if self.agrees:
            return (
                f"checked by simulation: {within}, as promised of {self.solution.method} "
                f"(worst {100.0 * self.promised:.2g} %); {off}"
            )
        kind = "exact" if self.exact else "approximate"
        kind += ", error not recorded" if not (self.exact or self.promised) else ""
        return f"simulation differs from {self.solution.method} ({kind}): {off}"

    def __str__(self) -> str:
        return f"{self.verdict}\n\n{text_table(self._columns())}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data in base units."""
        return {
            "agrees": self.agrees, "verdict": self.verdict, "allowed_half_widths": self.allowed,
            "comparisons": [c.to_dict() for c in self.comparisons],
            "simulated": self.simulated.to_dict(),
        }  # fmt: skip

    def _caption(self) -> str:
        return self.verdict

    def _columns(self) -> dict[str, list[Any]]:
        rows = [c.to_dict() for c in self.comparisons]
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def agree(network: Network, method: str = "auto", **options: Any) -> Agreement:
    """Solve and simulate a network, and compare.

    Parameters
    ----------
    network : Network
        What to solve.
    method : str
        As for `solve`.
    options
        As for `simulate`.

    Raises
    ------
    NotApplicable
        If no method asked for applies, or the network cannot be simulated.
    InvalidInput, NotConverged, Unstable
        As `solve` and `simulate`.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation
    >>> network = Network([QueueingStation("disk")], [OpenClass("reads", 0.5)], [1.0])
    >>> found = agree(network, precision=0.03, seed=1)
    >>> found.agrees, len(found.comparisons)
    (True, 2)
    """
    return compared(solve(network, method), **options)


def compared(solution: Solution, **options: Any) -> Agreement:
    """A solution that is there, compared with a simulation; ``options`` as for `simulate`.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 3, 1.0)], [0.2])
    >>> compared(solve(network), events=50_000).verdict
    'checked by simulation: within ... %, no more than chance'
    """
    return beside(solution, simulate(solution.network, **options))


def beside(solution: Solution, simulated: Simulated) -> Agreement:
    """A solution and a simulation of one network that are both there."""
    network = solution.network
    rows = []
    for c, (name, customers) in enumerate(zip(network.class_names, network.classes, strict=True)):
        if not simulated.throughputs[c].value:
            continue
        if isinstance(customers, ClosedClass):
            x = simulated.throughputs[c]
            rows.append(Comparison("throughput", name, "", solution.throughputs[c], x))
        r = simulated.response_times[c]
        rows.append(Comparison("response time", name, "", solution.response_times[c], r))
        rows += [
            Comparison("residence time", name, station, solution.residence_times[c][k], time)
            for k, (station, time) in enumerate(
                zip(network.station_names, simulated.residence_times[c], strict=True)
            )
            if network.demand[c][k]
        ]
    exact = any(m.exact and m.name == solution.method for m in METHODS)
    exact = exact and two_moments(network, solution.method) is None
    return Agreement(solution, simulated, tuple(rows), exact)
