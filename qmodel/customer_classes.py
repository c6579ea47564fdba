"""The kinds of customer class: closed (a population that thinks) and open (arrivals)."""

from __future__ import annotations

from dataclasses import dataclass

from qmodel.checks import check_name, real, whole
from qmodel.errors import InvalidNetwork


@dataclass(frozen=True, slots=True)
class ClosedClass:
    """A fixed number of customers that think, then ask again.

    Parameters
    ----------
    name : str
        Unique within a network.
    population : int
        Number of customers N, at least 0. [customers]
    think_time : float
        Time Z between an answer and the next request. [s]

    Raises
    ------
    InvalidNetwork
        If the population is not a whole number >= 0 or the think time is negative.

    Examples
    --------
    >>> ClosedClass("edit", population=20, think_time=917.0)
    ClosedClass(name='edit', population=20, think_time=917.0)
    """

    name: str
    population: int
    think_time: float = 0.0

    def __post_init__(self) -> None:
        check_name(self.name, "class")
        population = whole(self.population, f"population of class {self.name!r}")
        if population < 0:
            raise InvalidNetwork(
                f"population of class {self.name!r} is {population}, expected >= 0"
            )
        object.__setattr__(self, "population", population)
        think_time = real(self.think_time, f"think time of class {self.name!r}")
        if think_time < 0:
            raise InvalidNetwork(
                f"think time of class {self.name!r} is {think_time:g} s, expected >= 0 s"
            )
        object.__setattr__(self, "think_time", think_time)


@dataclass(frozen=True, slots=True)
class OpenClass:
    """Customers that arrive from outside at a given rate, are served, and leave.

    Parameters
    ----------
    name : str
        Unique within a network.
    arrival_rate : float
        Arrivals per second, lambda. [1/s]

    Raises
    ------
    InvalidNetwork
        If the arrival rate is negative or not finite.

    Examples
    --------
    >>> OpenClass("mail", arrival_rate=0.5)
    OpenClass(name='mail', arrival_rate=0.5)
    """

    name: str
    arrival_rate: float

    def __post_init__(self) -> None:
        check_name(self.name, "class")
        rate = real(self.arrival_rate, f"arrival rate of class {self.name!r}")
        if rate < 0:
            raise InvalidNetwork(
                f"arrival rate of class {self.name!r} is {rate:g} /s, expected >= 0 /s"
            )
        object.__setattr__(self, "arrival_rate", rate)


CustomerClass = ClosedClass | OpenClass
