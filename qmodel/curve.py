"""The solution of a network over a range of populations, in one pass where there is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qmodel.checks import sequence, whole
from qmodel.closed import nobody, not_one_class, one_class, one_class_solution, several_classes
from qmodel.customer_classes import ClosedClass
from qmodel.errors import InvalidInput
from qmodel.invariants import check
from qmodel.network import Network
from qmodel.solution import Solution
from qmodel.solvers import multiclass_mva, solve
from qmodel.solvers.lattice import memory
from qmodel.solvers.lattice_limit import BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Solutions of one network at several populations of one class.

    As in `Solution`, two measures are stored as plain tuples and the singular names are arrays,
    with the populations as the leading axis: B populations, C classes, K stations.

    Parameters
    ----------
    network : Network
        The network, at whatever population it was given.
    vary : str
        The class whose population varies.
    populations : tuple of int, length B
        Its populations, in the order asked for. [customers]
    throughputs : tuple, shape (B, C)
        [1/s]
    residence_times : tuple, shape (B, C, K)
        [s]
    method : str
        The method that solved it.
    reason : str
        Why this method was chosen.
    """

    network: Network
    vary: str
    populations: tuple[int, ...]
    throughputs: tuple[Row, ...]
    residence_times: tuple[tuple[Row, ...], ...]
    method: str
    reason: str = ""

    def __len__(self) -> int:
        return len(self.populations)

    def __iter__(self) -> Iterator[Solution]:
        return (self[b] for b in range(len(self)))

    def __getitem__(self, position: int) -> Solution:
        """The solution at the population of that position."""
        return Solution(
            at_population(self.network, self.vary, self.populations[position]),
            self.method, self.throughputs[position], self.residence_times[position], self.reason,
        )

    @property
    def population(self) -> NDArray[np.int64]:
        """Population of the class that varies, shape (B,). [customers]"""
        import numpy as np

        return np.array(self.populations, dtype=np.int64)

    @property
    def throughput(self) -> NDArray[np.float64]:
        """Throughput X of each class, shape (B, C). [1/s]"""
        return _array(self.throughputs, (len(self), len(self.network.classes)))

    @property
    def residence_time(self) -> NDArray[np.float64]:
        """Residence time R', queueing included, shape (B, C, K). [s]"""
        shape = (len(self), len(self.network.classes), len(self.network.stations))
        return _array(self.residence_times, shape)

    @property
    def response_time(self) -> NDArray[np.float64]:
        """Response time R of each class, think time excluded, shape (B, C). [s]"""
        found: NDArray[np.float64] = self.residence_time.sum(axis=2)
        return found

    @property
    def queue_length(self) -> NDArray[np.float64]:
        """Customers at each station, waiting and in service, shape (B, C, K). [customers]"""
        return self.throughput[:, :, None] * self.residence_time

    @property
    def utilization(self) -> NDArray[np.float64]:
        """Fraction of one server in use, shape (B, C, K); X D at a delay station. [1]"""
        import numpy as np

        per_server = [s.capacity for s in self.network.stations]
        share = np.where(np.isinf(per_server), 1.0, per_server)
        return self.throughput[:, :, None] * (np.array(self.network.demand) / share)


def curve(
    network: Network, population: Iterable[int], vary: str | None = None, method: str = "auto"
) -> Curve:
    """Solve a network at many populations of one class.

    Parameters
    ----------
    network : Network
        The other classes keep what they have; the population of the class that varies is not
        looked at.
    population : iterable of int
        Populations in any order, repeated or not; each at least 0. [customers]
    vary : str, optional
        Name of the closed class that varies; may be left out where there is one closed class.
    method : str
        As for `solve`.

    Returns
    -------
    Curve
        One solution per population, in the order asked for.

    Raises
    ------
    InvalidInput
        If no population is given, or no closed class is named that way.
    InvalidNetwork
        If a population is not a whole number >= 0.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, curve
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", population=1, think_time=3.0)], [0.2, 0.1])
    >>> found = curve(network, population=[1, 10, 100])
    >>> [round(x, 3) for (x,) in found.throughputs]
    [0.303, 2.846, 5.0]
    """
    name = _varying(network, vary)
    asked = tuple(
        whole(n, f"population of class {name!r}") for n in sequence(population, "population")
    )
    if not asked:
        raise InvalidInput("curve: no population is given")
    at_population(network, name, min(asked))  # raises where one is negative
    largest = at_population(network, name, max(1, *asked))
    if method in {"auto", "exact"} and not_one_class(largest) is None:
        return _in_one_pass(network, name, asked)
    if method in {"auto", "exact"} and max(asked) and _lattice_serves(largest, name):
        return _over_the_lattice(network, name, asked)
    return _one_by_one(network, name, asked, method)


def at_population(network: Network, vary: str, population: int) -> Network:
    """The same network with another population of one class."""
    closed = [c for c in network.classes if isinstance(c, ClosedClass)]
    return network.with_population(
        *(population if c.name == vary else c.population for c in closed)
    )


def _varying(network: Network, vary: str | None) -> str:
    closed = [c.name for c in network.classes if isinstance(c, ClosedClass)]
    if vary is None and len(closed) == 1:
        return closed[0]
    if vary not in closed:
        what = "a class must be named" if vary is None else f"no closed class {vary!r}"
        raise InvalidInput(f"curve: {what}; there is {', '.join(closed) or 'none'}")
    return vary


def _in_one_pass(network: Network, vary: str, populations: tuple[int, ...]) -> Curve:
    from qmodel.solvers.population_curve import every_population

    largest = at_population(network, vary, max(populations))
    model = one_class(largest)
    method = "convolution" if any(model.rates) else "mva"
    measures = every_population(model) if model.population else []
    points = {0: nobody(network, method)}
    for n in populations:
        if n not in points:
            points[n] = one_class_solution(network, model, method, measures[n - 1])
    return _assemble(network, vary, populations, points)


def _lattice_serves(largest: Network, vary: str) -> bool:
    """True where one pass over the lattice with the varying class first is the way to go."""
    if multiclass_mva.why_not(largest) is not None:
        return False
    others = [
        c.population for c in largest.classes if isinstance(c, ClosedClass) and c.name != vary
    ]
    return memory((0, *others), len(largest.stations)) <= BYTES


def _over_the_lattice(network: Network, vary: str, populations: tuple[int, ...]) -> Curve:
    largest = at_population(network, vary, max(populations))
    model = several_classes(largest)
    first = model.classes.index(network.class_names.index(vary))
    model = model.in_order([first, *(c for c in range(len(model.classes)) if c != first)])
    wanted = set(populations)
    points: dict[int, Solution] = {}
    for n, throughput, residence in multiclass_mva.with_first_class(
        model.population, model.delay, model.demand
    ):
        if n in wanted:
            point = model if n else model._replace(classes=model.classes[1:])
            skipped = 0 if n else 1
            points[n] = point.solution(
                network, "multiclass_mva",
                throughput[skipped:].tolist(), residence[skipped:].tolist(),
            )
    return _assemble(network, vary, populations, points)


def _assemble(
    network: Network, vary: str, populations: tuple[int, ...], points: dict[int, Solution]
) -> Curve:
    """The curve of solutions by exact recursions; the last is checked, as errors only grow."""
    largest = points[max(populations)]
    found = Curve(
        network, vary, populations,
        tuple(points[n].throughputs for n in populations),
        tuple(points[n].residence_times for n in populations),
        largest.method, "exact",
    )
    check(found[populations.index(max(populations))], exact=True)
    return found


def _one_by_one(network: Network, vary: str, populations: tuple[int, ...], method: str) -> Curve:
    found: dict[int, Any] = {}
    for n in populations:
        if n not in found:
            found[n] = solve(at_population(network, vary, n), method)
    last = found[max(populations)]
    return Curve(
        network, vary, populations,
        tuple(found[n].throughputs for n in populations),
        tuple(found[n].residence_times for n in populations),
        last.method, last.reason,
    )


def _array(values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    import numpy as np

    return np.array(values, dtype=np.float64).reshape(shape)
