"""What a solver returns: throughput and residence time, and all that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from qmodel.errors import InvalidInput, QmodelError
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, LoadDependentStation
from qmodel.tabular import Tabular

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Solution(Tabular):
    """Throughput and residence times of a network in steady state.

    Two measures are stored and the others derived, so that no two can disagree. The stored ones
    are plain tuples; the singular names (``throughput``, ``residence_time`` ...) are the same
    as NumPy arrays, which is when numpy is imported. As a table: a row per class and station.

    Parameters
    ----------
    network : Network
        The network that was solved.
    method : str
        The method that solved it.
    throughputs : tuple of float, length C
        Interactions completed per second, X. [1/s]
    residence_times : tuple of tuple of float, shape (C, K)
        Time an interaction spends at a station, queueing included, R' = V R. [s]
    reason : str
        Why this method was chosen.
    iterations : int
        Evaluations of the fixed point; 0 for a method that does not iterate.
    residual : float
        Bound or estimate of the largest relative error of a queue length that the iteration
        left; 0 where there is none. [1]
    details : object
        What the method computed beyond the means, for `Method.response_times`; or None.
    reached : tuple of tuple of float, shape (C, K), or None
        Interactions per second that get to a station, where a limit rejects others on the way, and
        the residence time is that of these; None where all that begin are completed. [1/s]

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, solve
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 3, think_time=1.0)], [[0.2, 0.1]])
    >>> solution = solve(network)
    >>> round(solution["users"].throughput, 4), round(solution["users", "cpu"].utilization, 4)
    (2.166, 0.4332)
    >>> solution.bottleneck
    'cpu'
    """

    network: Network
    method: str
    throughputs: Row
    residence_times: tuple[Row, ...]
    reason: str = ""
    iterations: int = 0
    residual: float = 0.0
    details: Any = field(default=None, compare=False, repr=False)
    reached: tuple[Row, ...] | None = None

    @property
    def _rates(self) -> tuple[Row, ...]:
        """Interactions that get to each station. [1/s]"""
        return self.reached or tuple((x,) * len(self.network.stations) for x in self.throughputs)

    @property
    def response_times(self) -> Row:
        """Response time R of each class, think time excluded. [s]"""
        return tuple(total(row) for row in self.residence_times)

    @property
    def queue_lengths(self) -> tuple[Row, ...]:
        """Customers at each station, waiting and in service, Q = X R' (Little). [customers]"""
        return tuple(
            tuple(x * r for x, r in zip(rates, row, strict=True))
            for rates, row in zip(self._rates, self.residence_times, strict=True)
        )

    @property
    def utilizations(self) -> tuple[Row, ...]:
        """Fraction of one server in use, U = X D / m; customers in service at a delay station.

        Of a load-dependent station m is the highest rate, which one with a long queue may not have.
        """
        shares = [1.0 if isinstance(s, DelayStation) else s.max_rate for s in self.network.stations]
        return tuple(
            tuple(x * d / m for x, d, m in zip(rates, row, shares, strict=True))
            for rates, row in zip(self._rates, self.network.demand, strict=True)
        )

    @property
    def station_utilizations(self) -> Row:
        """Utilization of each station by all classes together. [1]"""
        return tuple(total(column) for column in zip(*self.utilizations, strict=True))

    @property
    def bottleneck(self) -> str | None:
        """The busiest station that customers can queue at, the first of equals; None if none.

        One that has slowed down counts by the rate that it has with all customers there.
        """
        busy = [
            (u * _slowed(self.network, k), -k)
            for k, (station, u) in enumerate(
                zip(self.network.stations, self.station_utilizations, strict=True)
            )
            if not isinstance(station, DelayStation)
        ]
        return self.network.station_names[-max(busy)[1]] if busy else None

    @property
    def throughput(self) -> NDArray[np.float64]:
        """Throughput X of each class, shape (C,). [1/s]"""
        return _array(self.throughputs)

    @property
    def residence_time(self) -> NDArray[np.float64]:
        """Residence time R', shape (C, K), queueing included. [s]"""
        return _array(self.residence_times)

    @property
    def response_time(self) -> NDArray[np.float64]:
        """Response time R of each class, shape (C,), think time excluded. [s]"""
        return _array(self.response_times)

    @property
    def queue_length(self) -> NDArray[np.float64]:
        """Customers at each station, shape (C, K), waiting and in service. [customers]"""
        return _array(self.queue_lengths)

    @property
    def utilization(self) -> NDArray[np.float64]:
        """Fraction of one server in use, shape (C, K); X D at a delay station. [1]"""
        return _array(self.utilizations)

    @overload
    def __getitem__(self, name: str) -> ClassMeasures: ...
    @overload
    def __getitem__(self, name: tuple[str, str]) -> StationMeasures: ...
    def __getitem__(self, name: str | tuple[str, str]) -> ClassMeasures | StationMeasures:
        """``solution["edit"]`` is a class, ``solution["edit", "cpu"]`` a class at a station."""
        if isinstance(name, str):
            class_name, station_name = name, None
        elif isinstance(name, tuple) and len(name) == 2:
            class_name, station_name = name
        else:
            raise InvalidInput(f"solution[{name!r}]: expected a class, or a class and a station")
        c = index_of(self.network.class_names, class_name, "class")
        if station_name is None:
            return ClassMeasures(self.throughputs[c], self.response_times[c])
        k = index_of(self.network.station_names, station_name, "station")
        residence_time = self.residence_times[c][k]
        return StationMeasures(residence_time, self.queue_lengths[c][k], self.utilizations[c][k])

    def to_dict(self) -> dict[str, Any]:
        """Plain lists in base units, the form ``qmodel solve --json`` prints."""
        return {
            "method": self.method, "stations": list(self.network.station_names),
            "classes": list(self.network.class_names), "throughput": list(self.throughputs),
            "response_time": list(self.response_times),
            "residence_time": [list(row) for row in self.residence_times],
            "queue_length": [list(row) for row in self.queue_lengths],
            "utilization": [list(row) for row in self.utilizations], "bottleneck": self.bottleneck,
            "reason": self.reason, "iterations": self.iterations, "residual": self.residual,
        }  # fmt: skip

    def _caption(self) -> str:
        return f"solved by {self.method}; bottleneck: {self.bottleneck or 'none'}"

    def _columns(self) -> dict[str, list[Any]]:
        classes, stations = self.network.class_names, self.network.station_names
        both = [(c, k) for c in range(len(classes)) for k in range(len(stations))]
        per_station = ("residence_time", "queue_length", "utilization")
        return {
            "class": [classes[c] for c, _ in both],
            "station": [stations[k] for _, k in both],
            "throughput": [self.throughputs[c] for c, _ in both],
            **{name: [x for row in getattr(self, f"{name}s") for x in row] for name in per_station},
        }

    def __str__(self) -> str:
        return "\n".join(_lines(self))


class NotConverged(QmodelError, ArithmeticError):
    """An iteration stopped before its tolerance was met.

    Attributes
    ----------
    last : Solution
        The last iterate. Its ``residual`` and ``iterations`` say how far it came.
    tolerance : float
        The residual that was asked for.
    """

    def __init__(self, last: Solution, tolerance: float) -> None:
        super().__init__(
            f"{last.method}: residual {last.residual:.3g} after {last.iterations} iterations, "
            f"asked for {tolerance:.3g}; the last iterate is in .last"
        )
        self.last = last
        self.tolerance = tolerance


@dataclass(frozen=True, slots=True)
class ClassMeasures:
    """What one class sees: throughput [1/s] and response time [s]."""

    throughput: float
    response_time: float


@dataclass(frozen=True, slots=True)
class StationMeasures:
    """One class at one station: residence time [s], queue length [customers], utilization [1]."""

    residence_time: float
    queue_length: float
    utilization: float


def _slowed(network: Network, k: int) -> float:
    """The highest rate of a station over that with all customers, if it has slowed down; else 1."""
    station = network.stations[k]
    if not isinstance(station, LoadDependentStation):
        return 1.0
    here = [x for x, row in zip(network.classes, network.demand, strict=True) if row[k]]
    most = sum(x.population for x in here if isinstance(x, ClosedClass))
    opened = any(isinstance(x, OpenClass) and x.arrival_rate for x in here)
    rates = station.rates if opened else station.rates[: max(most, 1)]
    return station.max_rate / rates[-1] if rates[-1] < max(rates) else 1.0


def total(values: Iterable[float]) -> float:
    """The sum from left to right: that of Python 3.12 on is compensated, that before is not."""
    result = 0.0
    for value in values:
        result += value
    return result


def _array(values: Any) -> NDArray[np.float64]:
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("arrays need numpy; to_dict() and the plural names do not") from error
    return np.array(values, dtype=np.float64)


def index_of(names: Sequence[str], name: str, what: str) -> int:
    """The place of a name; `InvalidInput` if there is none."""
    try:
        return names.index(name)
    except ValueError:
        raise InvalidInput(f"no {what} {name!r}; there is {', '.join(names)}") from None


def _lines(solution: Solution) -> list[str]:
    """The solution as a table for people."""
    network = solution.network
    lines = [f"solved by {solution.method}" + (f" ({solution.reason})" if solution.reason else "")]
    width = max(len(name) for name in (*network.station_names, "station"))
    for c, name in enumerate(network.class_names):
        lines += [
            "",
            f"{name}: throughput {solution.throughputs[c]:.6g} /s, "
            f"response time {solution.response_times[c]:.6g} s",
            f"  {'station':<{width}} {'residence time':>15} {'queue length':>13} "
            f"{'utilization':>12}",
        ]
        lines += [
            f"  {station:<{width}} {r:>13.6g} s {q:>13.6g} {u:>12.4f}"
            for station, r, q, u in zip(
                network.station_names, solution.residence_times[c], solution.queue_lengths[c],
                solution.utilizations[c], strict=True,
            )
        ]  # fmt: skip
    return [*lines, "", f"bottleneck: {solution.bottleneck or 'none, no station has a queue'}"]
