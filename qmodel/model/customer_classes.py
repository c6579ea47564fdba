"""The kinds of customer class: closed (a population that thinks) and open (arrivals)."""

from dataclasses import dataclass

from qmodel.model.validation import Shown, assign, check_name, integer, not_negative

#: Larger populations are no count of customers, and floats do not tell them from one more.
MOST = 10**15


@dataclass(frozen=True, slots=True, repr=False)
class ClosedClass(Shown):
    """A fixed number of customers that think, then ask again.

    Parameters
    ----------
    name : str
        Unique within a network.
    population : int
        Number of customers N, at least 0; with 0, throughput and all times are 0. [customers]
    think_time : float
        Time Z between an answer and the next request. [s]
    priority : int
        The class of the lower number is served first, where a station serves by priority.

    Raises
    ------
    InvalidNetwork
        If the population is not a whole number >= 0, the think time is negative, or the priority
        is not a whole number.

    Examples
    --------
    >>> ClosedClass("edit", population=20, think_time=917.0)
    ClosedClass(name='edit', population=20, think_time=917.0)
    """

    _always = 3
    name: str
    population: int
    think_time: float = 0.0
    priority: int = 0

    def __post_init__(self) -> None:
        check_name(self.name, "class")
        of = f"of class {self.name!r}"
        assign(
            self,
            population=integer(self.population, f"population {of}", 0, MOST),
            think_time=not_negative(self.think_time, f"think time {of}", "s"),
            priority=integer(self.priority, f"priority {of}"),
        )


@dataclass(frozen=True, slots=True, repr=False)
class OpenClass(Shown):
    """Customers that arrive from outside at a given rate, are served, and leave.

    Parameters
    ----------
    name : str
        Unique within a network.
    arrival_rate : float
        Arrivals per second, lambda. [1/s]
    priority : int
        The class of the lower number is served first, where a station serves by priority.
    arrival_scv : float
        Squared coefficient of variation of the time between arrivals; 1 for Poisson arrivals,
        0 for arrivals at fixed intervals. [1]

    Raises
    ------
    InvalidNetwork
        If the arrival rate or the variation is negative or not finite, or the priority is not a
        whole number.

    Examples
    --------
    >>> OpenClass("mail", arrival_rate=0.5)
    OpenClass(name='mail', arrival_rate=0.5)
    """

    _always = 2
    name: str
    arrival_rate: float
    priority: int = 0
    arrival_scv: float = 1.0

    def __post_init__(self) -> None:
        check_name(self.name, "class")
        of = f"of class {self.name!r}"
        assign(
            self,
            arrival_rate=not_negative(self.arrival_rate, f"arrival rate {of}", "/s"),
            priority=integer(self.priority, f"priority {of}"),
            arrival_scv=not_negative(self.arrival_scv, f"arrival SCV {of}"),
        )


CustomerClass = ClosedClass | OpenClass
