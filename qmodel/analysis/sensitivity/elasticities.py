"""What `sensitivity` returns: derivatives and elasticities, by name and as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from qmodel.analysis.sensitivity.parameters import MEASURES, UNITS, Parameter, Slopes
from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.model.solution import Solution, StationMeasures, index_of
from qmodel.numerics.arrays import Array
from qmodel.tabular import Tabular

#: Measures of a class, and of a class at a station.
OF_CLASS = ("throughput", "response_time")
OF_STATION = ("residence_time", "queue_length", "utilization")


@dataclass(frozen=True, slots=True)
class Sensitivity(Tabular):
    """How every measure of a network changes with every parameter.
    As a table: a row per class, station, measure and parameter.

    Parameters
    ----------
    solution : Solution
        Where derivatives are taken.
    exact : bool
        Whether they are those of the model itself; differences by population and servers are
        then those of exact solutions.
    how : str
        How they were found.
    slopes : tuple of Slopes
        One for each parameter.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, sensitivity
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", 2)], [[0.2, 0.1]])
    >>> found = sensitivity(network)
    >>> found.exact, round(found["users"].by_demand["cpu"].elasticity.throughput, 6)
    (True, -0.761905)
    >>> found.derivative("throughput", by="demand").shape  # of a class, by a class at a station
    (1, 1, 2)
    """

    solution: Solution
    exact: bool
    how: str
    slopes: tuple[Slopes, ...]

    @property
    def network(self) -> Network:
        """The network."""
        return self.solution.network

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All that measures were differentiated by."""
        return tuple(one.parameter for one in self.slopes)

    def __getitem__(self, class_name: str) -> ClassSensitivity:
        """How the measures of one class change."""
        return ClassSensitivity(self, index_of(self.network.class_names, class_name, "class"))

    def derivative(self, measure: str, by: str) -> Array:
        """Change of a measure per unit of a parameter; by whole numbers, with one more.

        Parameters
        ----------
        measure : str
            "throughput", "response_time", of shape (C,); "residence_time", "queue_length",
            "utilization", of shape (C, K).
        by : str
            "demand", of shape (C, K); "think_time", "arrival_rate", "population", of shape (C,);
            "servers", of shape (K,).

        Returns
        -------
        array
            The measure's shape, then the parameter's; nan where there is no such parameter.
        """
        return self._array(measure, by, relative=False)

    def elasticity(self, measure: str, by: str) -> Array:
        """Percent by which a measure changes if a parameter grows by one percent.

        By whole numbers: the change with one more, likewise taken relative to both. As for
        `derivative`; nan as well where the measure is 0.
        """
        return self._array(measure, by, relative=True)

    def _caption(self) -> str:
        return f"by {self.how}"

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = (
            "class", "station", "measure", "by", "of_class", "at_station", "value",
            "derivative", "elasticity",
        )  # fmt: skip
        return dict(zip(names, zip(*self._rows(), strict=True), strict=True))

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for one in self.slopes:
            p = one.parameter
            what = (p.kind, p.class_name, p.station_name, p.value)
            for c, name in enumerate(self.network.class_names):
                effect = Effect(self.solution, one, c)
                for measure in OF_CLASS:
                    both = (getattr(x, measure) for x in (effect.derivative, effect.elasticity))
                    yield (name, None, measure, *what, *both)
                for station in self.network.station_names:
                    slope, relative = effect.derivative[station], effect.elasticity[station]
                    for measure in OF_STATION:
                        both = (getattr(x, measure) for x in (slope, relative))
                        yield (name, station, measure, *what, *both)

    def _array(self, measure: str, by: str, relative: bool) -> Array:
        import numpy as np

        index_of(OF_CLASS + OF_STATION, measure, "measure")  # raises where there is none
        index_of(tuple(UNITS), by, "parameter")
        classes, stations = self.network.class_names, self.network.station_names
        whose = () if by == "servers" else (len(classes),)
        where = (len(stations),) if by in {"servers", "demand"} else ()
        values = np.array(getattr(self.solution, f"{measure}s"))
        table = np.full(values.shape + whose + where, np.nan)
        for one in self.slopes:
            p = one.parameter
            if p.kind == by:
                slope = np.array(getattr(one, f"{measure}s"))
                if relative:
                    scale = np.where(values == 0.0, np.nan, values)
                    slope = slope * p.value / scale
                place: tuple[Any, ...] = (Ellipsis,)
                if p.class_name is not None:
                    place += (classes.index(p.class_name),)
                if p.station_name is not None:
                    place += (stations.index(p.station_name),)
                table[place] = slope
        return table


@dataclass(frozen=True, slots=True)
class ClassSensitivity:
    """How the measures of one class change with its own and other classes' parameters."""

    whole: Sensitivity
    position: int

    @property
    def by_demand(self) -> Effects:
        """``["cpu"]`` by the class's own demand there, ``["other", "cpu"]`` by another's."""
        return self._effects("demand")

    @property
    def by_think_time(self) -> Effects:
        """By the think time of a closed class, ``["edit"]``."""
        return self._effects("think_time")

    @property
    def by_arrival_rate(self) -> Effects:
        """By the arrival rate of an open class, ``["mail"]``."""
        return self._effects("arrival_rate")

    @property
    def by_population(self) -> Effects:
        """With one more customer of a closed class, ``["edit"]``."""
        return self._effects("population")

    @property
    def by_servers(self) -> Effects:
        """With one more server at a queueing station, ``["cpu"]``."""
        return self._effects("servers")

    def _effects(self, kind: str) -> Effects:
        return Effects(self.whole, self.position, kind)


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of all parameters of one kind on one class."""

    whole: Sensitivity
    position: int
    kind: str

    def __getitem__(self, key: str | tuple[str, str]) -> Effect:
        """The effect of one of them; see the property that returns this."""
        network = self.whole.network
        class_name: str | None = network.class_names[self.position]
        station_name: str | None = None
        if self.kind == "demand":
            if isinstance(key, str):
                station_name = key
            else:
                class_name, station_name = key
        elif self.kind == "servers":
            class_name, station_name = None, str(key)
        else:
            class_name = str(key)
        for one in self.whole.slopes:
            p = one.parameter
            if (p.kind, p.class_name, p.station_name) == (self.kind, class_name, station_name):
                return Effect(self.whole.solution, one, self.position)
        names = [str(p) for p in self.whole.parameters if p.kind == self.kind]
        raise InvalidInput(
            f"no {self.kind.replace('_', ' ')} {key!r}; there is {', '.join(names) or 'none'}"
        )


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of one parameter on one class: ``derivative`` and ``elasticity``."""

    solution: Solution
    slopes: Slopes
    position: int

    @property
    def parameter(self) -> Parameter:
        """What changes."""
        return self.slopes.parameter

    @property
    def derivative(self) -> Change:
        """Change of each measure per unit of the parameter; by whole numbers, with one more."""
        parts: list[Any] = [getattr(self.slopes, measure)[self.position] for measure in MEASURES]
        return Change(*parts, *[self.solution.network.station_names])

    @property
    def elasticity(self) -> Change:
        """Relative change of each measure over that of the parameter; nan if the measure is 0."""
        c, value = self.position, self.parameter.value

        def relative(slope: Any, at: Any) -> Any:
            if isinstance(slope, tuple):
                return tuple(map(relative, slope, at))
            return slope * value / at if at else nan

        parts: list[Any] = [
            relative(getattr(self.slopes, measure)[c], getattr(self.solution, measure)[c])
            for measure in MEASURES
        ]
        return Change(*parts, *[self.solution.network.station_names])


@dataclass(frozen=True, slots=True)
class Change:
    """Changes of the measures of one class; ``change["cpu"]`` are those at a station."""

    throughput: float
    response_time: float
    residence_times: tuple[float, ...]
    queue_lengths: tuple[float, ...]
    utilizations: tuple[float, ...]
    station_names: tuple[str, ...]

    def __getitem__(self, station_name: str) -> StationMeasures:
        """Changes of residence time, queue length and utilization at a station."""
        k = index_of(self.station_names, station_name, "station")
        return StationMeasures(self.residence_times[k], self.queue_lengths[k], self.utilizations[k])


def _lines(sensitivity: Sensitivity) -> list[str]:
    """The record as a table for people."""
    width = max(len(str(p)) for p in sensitivity.parameters)
    lines = [f"by {sensitivity.how}; change in % if the parameter grows by 1 %, or with one more"]
    for c, name in enumerate(sensitivity.network.class_names):
        lines += ["", f"{name}:", f"  {'':<{width}} {'throughput':>12} {'response time':>14}"]
        for one in sensitivity.slopes:
            p = one.parameter
            change = Effect(sensitivity.solution, one, c).elasticity
            scale = 100.0 / p.value if p.is_whole and p.value else 1.0
            x, r = change.throughput * scale, change.response_time * scale
            more = " +1" if p.is_whole else ""
            if x or r:
                lines.append(f"  {str(p) + more:<{width}} {x:>+12.4f} {r:>+14.4f}")
    return lines
