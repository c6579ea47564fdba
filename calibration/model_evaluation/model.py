"""A system as a calibration sees it: demands, and all that structures may add to them."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.estimation.data import Conditions

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ServiceModel:
    """Demands of a system and what is unusual about its stations.

    Parameters
    ----------
    classes, stations : tuple of str
        Classes of customers, and stations whose utilization a monitor shows.
    series : tuple of (str, str)
        Volumes and operations, with their stations.
    demand : tuple, shape (C, K)
        Service demand as the monitor shows it, m U / X. [s]
    volume : tuple, shape (C, S)
        Bytes or operations of one interaction.
    think_time : tuple, length C
        Where a run does not state it. [s]
    hidden_delay, hidden_queue : tuple, length C
        Time that nobody queues for, and demand at a station, that no monitor showed. [s]
    scale : tuple, length K
        What a visit takes over what the monitor shows of it. [1]
    scv : tuple, length K
        Squared coefficient of variation of service under first come first served. [1]
    exponent : tuple, length K
        With j customers the station is j to this power as fast as with one. [1]
    growth : tuple, length K
        The demand is proportional to the load to this power. [1]
    background : tuple, length K
        Utilization that belongs to no customer. [1]
    reference : float
        Users, or interactions per second where users were not counted, at which demands are stated.
    """

    classes: tuple[str, ...]
    stations: tuple[str, ...]
    series: tuple[tuple[str, str], ...]
    demand: tuple[Row, ...]
    volume: tuple[Row, ...]
    think_time: Row
    hidden_delay: Row
    hidden_queue: Row
    scale: Row
    scv: Row
    exponent: Row
    growth: Row
    background: Row
    reference: float = 1.0

    def demand_at(self, load: float) -> tuple[Row, ...]:
        """Demands as the monitor shows them at a load."""
        if not any(self.growth):
            return self.demand
        factors = [(load / self.reference) ** power for power in self.growth]
        return tuple(tuple(d * f for d, f in zip(row, factors, strict=True)) for row in self.demand)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model says of a run.

    Parameters
    ----------
    throughput, response_time : tuple, length C
        [1/s], [s]
    utilization : tuple, length K
        As a monitor would show it. [1]
    rates : tuple, length S
        Volumes [bytes/s] and operations [1/s].
    hidden : float
        Utilization of the hidden queue, which counts as station K. [1]
    """

    throughput: Row
    response_time: Row
    utilization: Row
    rates: Row
    hidden: float = 0.0

    def of(self, quantity: str, position: int | None) -> float:
        """One number: of a class, a station or a series; of all classes with None."""
        if quantity == "utilization":
            return (*self.utilization, self.hidden)[position or 0]
        if quantity in {"volume", "operations"}:
            return self.rates[position or 0]
        if position is not None:
            return (self.throughput if quantity == "throughput" else self.response_time)[position]
        total = sum(self.throughput)
        if quantity == "throughput":
            return total
        inside = sum(x * r for x, r in zip(self.throughput, self.response_time, strict=True))
        return inside / total if total else 0.0


def blank(
    classes: tuple[str, ...],
    stations: tuple[str, ...],
    series: tuple[tuple[str, str], ...] = (),
    reference: float = 1.0,
) -> ServiceModel:
    """A model without demands and without anything unusual."""
    c, k = len(classes), len(stations)
    return ServiceModel(
        classes, stations, series, ((0.0,) * k,) * c, ((0.0,) * len(series),) * c,
        think_time=(0.0,) * c, hidden_delay=(0.0,) * c, hidden_queue=(0.0,) * c,
        scale=(1.0,) * k, scv=(1.0,) * k, exponent=(0.0,) * k, growth=(0.0,) * k,
        background=(0.0,) * k, reference=reference,
    )  # fmt: skip


def load_of(run: Conditions) -> float:
    """Users at work, or interactions per second where users were not counted."""
    return float(sum(run.population)) if run.population is not None else sum(run.arrival_rate or ())
