"""What the measures of a network depend on, one number at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Row, Solution
from qmodel.model.stations import DelayStation, QueueingStation

#: Units of the parameters.
UNITS = {"demand": "s", "think_time": "s", "arrival_rate": "1/s", "population": "", "servers": ""}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of a network."""

    #: "demand", "think_time", "arrival_rate", "population" or "servers".
    kind: str
    #: Whose it is, and where.
    class_name: str | None
    station_name: str | None
    #: In the unit of `UNITS`.
    value: float

    @property
    def is_whole(self) -> bool:
        """Whether it comes in whole numbers, so that there are differences and no derivatives."""
        return self.kind in {"population", "servers"}

    def __str__(self) -> str:
        whose = f" of {self.class_name}" if self.class_name is not None else ""
        where = f" at {self.station_name}" if self.station_name is not None else ""
        return f"{self.kind.replace('_', ' ')}{whose}{where}"


def parameters(network: Network) -> Iterator[Parameter]:
    """All parameters of a network, kind by kind."""
    for customer_class, row in zip(network.classes, network.demand, strict=True):
        # Where customers wait whom a limit keeps outside there is no demand.
        served = len(row) - len(network.limits)
        for station, demand in zip(network.stations[:served], row[:served], strict=True):
            yield Parameter("demand", customer_class.name, station.name, demand)
    closed = [c for c in network.classes if isinstance(c, ClosedClass)]
    for c in closed:
        yield Parameter("think_time", c.name, None, c.think_time)
    for one in network.classes:
        if isinstance(one, OpenClass):
            yield Parameter("arrival_rate", one.name, None, one.arrival_rate)
    for c in closed:
        yield Parameter("population", c.name, None, float(c.population))
    for station in network.stations:
        if isinstance(station, QueueingStation):
            yield Parameter("servers", None, station.name, float(station.servers))


def changed(network: Network, parameter: Parameter, value: float) -> Network:
    """The same network with another value of one parameter."""
    more: dict[str, Any]
    if parameter.kind == "demand":
        rows = [list(row) for row in network.demand]
        c = network.class_names.index(parameter.class_name or "")
        rows[c][network.station_names.index(parameter.station_name or "")] = value
        more = {"demand": rows}
    else:
        room = "stations" if parameter.kind == "servers" else "classes"
        name = parameter.station_name or parameter.class_name
        more = {
            room: [
                replace(each, **{parameter.kind: value}) if each.name == name else each
                for each in getattr(network, room)
            ]
        }
    return replace(network, **more)


#: Measures of a solution.
MEASURES = (
    "throughputs", "response_times", "residence_times", "queue_lengths", "utilizations"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slopes:
    """Change of every measure per unit of a parameter; for whole numbers, with one more."""

    parameter: Parameter
    #: By class. [1/s and s, per unit of the parameter]
    throughputs: Row
    response_times: Row
    #: Shape (C, K). [s, customers and 1, per unit of the parameter]
    residence_times: tuple[Row, ...]
    queue_lengths: tuple[Row, ...]
    utilizations: tuple[Row, ...]


def slopes_of(
    parameter: Parameter, solution: Solution, throughput: Sequence[float],
    residence: Sequence[Sequence[float]],
) -> Slopes:  # fmt: skip
    """All derivatives from those of throughput and residence times: Q = X R', U = X D / m.

    ``throughput``, by class, and ``residence``, shape (C, K), are these derivatives.
    """
    network = solution.network
    slope, change = np.array(throughput), np.array(residence)
    x, times = np.array(solution.throughputs), np.array(solution.residence_times)
    mine = parameter.kind, parameter.class_name, parameter.station_name
    own = [[mine == ("demand", c, k) for k in network.station_names] for c in network.class_names]
    share = [1.0 if isinstance(s, DelayStation) else s.max_rate for s in network.stations]
    measures = (
        slope, change.sum(axis=1), change, slope[:, None] * times + x[:, None] * change,
        (slope[:, None] * np.array(network.demand) + x[:, None] * np.array(own)) / share,
    )  # fmt: skip
    return Slopes(parameter, *(_tuples(each.tolist()) for each in measures))


def _tuples(values: Any) -> Any:
    return tuple(map(_tuples, values)) if isinstance(values, list) else values


def difference(parameter: Parameter, low: Solution, high: Solution, step: float) -> Slopes:
    """Change of every measure from one solution to another, per ``step``."""
    return _of_two(parameter, low, high, lambda a, b: (b - a) / step)


def combined(first: Slopes, weight: float, second: Slopes) -> Slopes:
    """``first`` plus ``weight`` times its excess over ``second``: Richardson extrapolation."""
    return _of_two(first.parameter, first, second, lambda a, b: a + weight * (a - b))


def _of_two(
    parameter: Parameter, one: Solution | Slopes, other: Solution | Slopes,
    function: Callable[[float, float], float],
) -> Slopes:  # fmt: skip
    """A function of two values of every measure."""

    def of(a: Any, b: Any) -> Any:
        if isinstance(a, tuple):
            return tuple(of(*pair) for pair in zip(a, b, strict=True))
        return function(a, b)

    return Slopes(parameter, *(of(getattr(one, m), getattr(other, m)) for m in MEASURES))
