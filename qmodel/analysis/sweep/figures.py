"""What is computed of each point, and the record of a whole sweep."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qmodel.analysis.curve.solved_curve import long_columns
from qmodel.errors import InvalidInput
from qmodel.numerics.arrays import Array
from qmodel.tabular import Tabular


class Figures(NamedTuple):
    """Measures of a run of points; nan where there is no answer."""

    #: Values of the parameters that vary, by name, (B,).
    parameters: dict[str, NDArray[Any]]
    #: (B, C) [1/s], (B, C, K) [s], (B, C, K) [1].
    throughput: Array
    residence_time: Array
    utilization: Array
    #: Why there is no answer, by position.
    problems: dict[int, str]
    #: Methods that were used.
    methods: tuple[str, ...]
    #: As of `Solution`, (B, C, K); None where no limit rejects anybody. [1/s]
    reached: Array | None = None

    @property
    def rates(self) -> Array:
        """Interactions that get to each station, (B, C, K). [1/s]"""
        return rates_of(self.throughput, self.residence_time, self.reached)

    def named(self, names: tuple[tuple[str, ...], tuple[str, ...]]) -> "Sweep":
        """The record, with the names of classes and stations."""
        return Sweep(names[0], names[1], *self)


@dataclass(frozen=True, eq=False)
class Sweep(Tabular):
    """Measures of many networks: B points, C classes, K stations.
    As a table: a row per point, class and station.

    Attributes
    ----------
    class_names, station_names : tuple of str
        In the order of the axes.
    parameters : dict of str to array, (B,)
        What varies, by name; of networks that were given one by one, their number.
    throughput : array, (B, C)
        [1/s]
    residence_time : array, (B, C, K)
        Queueing included. [s]
    utilization : array, (B, C, K)
        Fraction of one server; customers in service at a delay station. [1]
    problems : dict of int to str
        The points that have no answer, and why; their measures are nan.
    methods : tuple of str
        Methods that were used.
    reached : array, (B, C, K), or None
        Interactions that get to a station, where a limit rejects others on the way. [1/s]

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, sweep
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 1, 5.0)], [[0.5]])
    >>> found = sweep(network, {"users": [1, 2, 40]})
    >>> found.columns()["response_time"].round(3).tolist()
    [0.5, 0.545, 15.0]
    """

    class_names: tuple[str, ...]
    station_names: tuple[str, ...]
    parameters: dict[str, NDArray[Any]]
    throughput: Array
    residence_time: Array
    utilization: Array
    problems: dict[int, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    reached: Array | None = None

    def __len__(self) -> int:
        return len(self.throughput)

    @property
    def response_time(self) -> Array:
        """Response time of each class, think time excluded, (B, C). [s]"""
        return np.asarray(self.residence_time.sum(axis=2))

    @property
    def queue_length(self) -> Array:
        """Customers at each station, waiting and in service, (B, C, K). [customers]"""
        rates = rates_of(self.throughput, self.residence_time, self.reached)
        return rates * self.residence_time

    def columns(self) -> dict[str, NDArray[Any]]:
        """Everything as columns of one row per point, named as in a file.

        ``"throughput"``, ``"response_time"``, ``"utilization.cpu"`` ...; with several classes
        ``"throughput.edit"``, ``"utilization.edit.cpu"``.
        """
        several = len(self.class_names) > 1
        named = dict(self.parameters)
        response_time, queue_length = self.response_time, self.queue_length
        for c, class_name in enumerate(self.class_names):
            of = f".{class_name}" if several else ""
            named[f"throughput{of}"] = self.throughput[:, c]
            named[f"response_time{of}"] = response_time[:, c]
            for measure, values in (
                ("residence_time", self.residence_time),
                ("queue_length", queue_length),
                ("utilization", self.utilization),
            ):
                for k, station_name in enumerate(self.station_names):
                    named[f"{measure}{of}.{station_name}"] = values[:, c, k]
        return named

    def _caption(self) -> str:
        without = f", {len(self.problems)} without an answer" if self.problems else ""
        return f"{len(self)} points{without}; solved by {', '.join(self.methods)}"

    def _columns(self) -> dict[str, NDArray[Any]]:
        return long_columns(self.parameters, self.class_names, self.station_names, self)


def rates_of(throughput: Array, residence_time: Array, reached: Array | None) -> Array:
    """Interactions that get to each station, (B, C, K): all, or those that were ``reached``."""
    if reached is not None:
        return reached
    return np.broadcast_to(throughput[:, :, None], residence_time.shape)


def joined(runs: Iterator[Figures]) -> Figures:
    """Runs of points one after another."""
    all_runs = list(runs)
    if not all_runs:
        raise InvalidInput("sweep: there is no network, expected one or more")
    if len(all_runs) == 1:
        return all_runs[0]
    problems: dict[int, str] = {}
    methods: dict[str, None] = {}
    done = 0
    for run in all_runs:
        problems |= {done + i: problem for i, problem in run.problems.items()}
        methods |= dict.fromkeys(run.methods)
        done += len(run.throughput)
    return Figures(
        {
            name: np.concatenate([run.parameters[name] for run in all_runs])
            for name in all_runs[0].parameters
        },
        np.concatenate([run.throughput for run in all_runs]),
        np.concatenate([run.residence_time for run in all_runs]),
        np.concatenate([run.utilization for run in all_runs]),
        problems,
        tuple(methods),
        None
        if all(run.reached is None for run in all_runs)
        else np.concatenate([run.rates for run in all_runs]),
    )
