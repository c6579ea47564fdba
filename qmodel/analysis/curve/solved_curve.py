"""The record of a curve: solutions of one network at several populations of one class."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qmodel.model.closed_network import at_population
from qmodel.model.network import Network
from qmodel.model.solution import Row, Solution
from qmodel.numerics.arrays import Array, Whole
from qmodel.tabular import Tabular


@dataclass(frozen=True, slots=True)
class Curve(Tabular):
    """Solutions of one network at several populations of one class.

    As in `Solution`, two measures are stored as plain tuples and the singular names are arrays,
    with the populations as the leading axis: B populations, C classes, K stations.
    As a table: a row per population, class and station.

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

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> from qmodel.analysis.curve import curve
    >>> found = curve(Network([QueueingStation("cpu")], [ClosedClass("users", 1)], [0.5]), [2, 8])
    >>> found.populations, found.throughputs, found.response_time.tolist()
    ((2, 8), ((2.0,), (2.0,)), [[1.0], [4.0]])
    >>> found[1].queue_lengths
    ((8.0,),)
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
            at_population(self.network, self.vary, self.populations[position]), self.method,
            self.throughputs[position], self.residence_times[position], self.reason,
        )  # fmt: skip

    @property
    def population(self) -> Whole:
        """Population of the class that varies, shape (B,). [customers]"""
        import numpy as np

        return np.array(self.populations, dtype=np.int64)

    @property
    def throughput(self) -> Array:
        """Throughput X of each class, shape (B, C). [1/s]"""
        return _array(self.throughputs, (len(self), len(self.network.classes)))

    @property
    def residence_time(self) -> Array:
        """Residence time R', queueing included, shape (B, C, K). [s]"""
        shape = (len(self), len(self.network.classes), len(self.network.stations))
        return _array(self.residence_times, shape)

    @property
    def response_time(self) -> Array:
        """Response time R of each class, think time excluded, shape (B, C). [s]"""
        times: Array = self.residence_time.sum(axis=2)
        return times

    @property
    def queue_length(self) -> Array:
        """Customers at each station, waiting and in service, shape (B, C, K). [customers]"""
        return self.throughput[:, :, None] * self.residence_time

    @property
    def utilization(self) -> Array:
        """Fraction of one server in use, shape (B, C, K); X D at a delay station. [1]"""
        import numpy as np

        per_server = [s.max_rate for s in self.network.stations]
        share = np.where(np.isinf(per_server), 1.0, per_server)
        return self.throughput[:, :, None] * (np.array(self.network.demand) / share)

    def _caption(self) -> str:
        return f"{len(self)} populations of {self.vary}, solved by {self.method}"

    def _columns(self) -> dict[str, Any]:
        names = self.network.class_names, self.network.station_names
        return long_columns({"population": self.population}, *names, self)


def long_columns(
    points: dict[str, Any], class_names: Sequence[str], station_names: Sequence[str], measures: Any
) -> dict[str, Any]:
    """Measures of shapes (B, C) and (B, C, K) as columns of one row per point, class, station."""
    import numpy as np

    shape = measures.residence_time.shape
    columns = {name: np.repeat(values, shape[1] * shape[2]) for name, values in points.items()}
    columns["class"] = np.tile(np.repeat(class_names, shape[2]), shape[0])
    columns["station"] = np.tile(station_names, shape[0] * shape[1])
    for name in ("throughput", "response_time"):
        columns[name] = np.broadcast_to(getattr(measures, name)[:, :, None], shape).ravel()
    for name in ("residence_time", "queue_length", "utilization"):
        columns[name] = getattr(measures, name).ravel()
    return columns


def _array(values: Any, shape: tuple[int, ...]) -> Array:
    import numpy as np

    return np.array(values, dtype=np.float64).reshape(shape)
