"""M/G/1 with priorities: non-preemptive (Cobham), preemptive resume, exact means; see THEORY.md."""

from collections.abc import Iterable
from dataclasses import dataclass

from qmodel.model.solution import total
from qmodel.single_station.arguments import check_stable, class_rows, not_negative, positive


@dataclass(frozen=True, slots=True)
class PriorityClass:
    """One class at a station with priorities.

    Parameters
    ----------
    arrival_rate : float
        [1/s]
    service_time : float
        Mean service time. [s]
    waiting_time : float
        Mean time not in service: before it, and while interrupted. [s]
    """

    arrival_rate: float
    service_time: float
    waiting_time: float

    @property
    def residence_time(self) -> float:
        """Mean time at the station. [s]"""
        return self.service_time + self.waiting_time

    @property
    def queue_length(self) -> float:
        """Mean number of customers there. [customers]"""
        return self.arrival_rate * self.residence_time


def priority_queue(
    classes: Iterable[tuple[float, float, float]], *, preemptive: bool = False
) -> tuple[PriorityClass, ...]:
    """M/G/1 whose classes are served in the order given, the first before all others.

    Raises `InvalidInput` if a value is out of range, and `Unstable` if customers arrive as fast as
    they can be served, or faster.

    Parameters
    ----------
    classes : sequence of (arrival rate, service time, SCV of the service time)
        From the highest priority to the lowest. [1/s, s, 1]
    preemptive : bool
        Whether a customer of a higher class interrupts, the one interrupted resuming later.

    Examples
    --------
    >>> from qmodel.single_station import priority_queue
    >>> urgent, others = priority_queue([(0.25, 1.0, 1.0), (0.25, 1.0, 1.0)])
    >>> round(urgent.waiting_time, 6), round(others.waiting_time, 6)
    (0.666667, 1.333333)
    """
    rows = []
    load = 0.0
    for i, parts in enumerate(class_rows(classes, "SCV"), 1):
        rate = not_negative(parts[0], f"arrival rate of class {i}", "/s")
        time = positive(parts[1], f"service time of class {i}", "s")
        rows.append((rate, time, not_negative(parts[2], f"SCV of class {i}", "")))
        load += rate * time
    check_stable(1.0 - load, sum(rate for rate, _, _ in rows), load, 1)
    everybody = total(0.5 * rate * time * time * (1.0 + scv) for rate, time, scv in rows)
    results = []
    before, residual = 0.0, 0.0  # load and mean rest of service of the classes so far
    for rate, time, scv in rows:
        above = 1.0 - before
        before += rate * time
        residual += 0.5 * rate * time * time * (1.0 + scv)
        if preemptive:
            stay = time / above + residual / (above * (1.0 - before))
            waiting = stay - time
        else:
            waiting = everybody / (above * (1.0 - before))
        results.append(PriorityClass(rate, time, waiting))
    return tuple(results)
