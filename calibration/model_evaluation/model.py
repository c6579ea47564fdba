"""A system as a calibration sees it: demands, and all that structures may add to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from calibration.estimation.data import Conditions

Row = tuple[float, ...]

#: Below this part of the load of saturation an idle system is no slower still. [1]
LEAST_LOAD = 0.02

#: Requests that a device serves side by side at most, beside the first: the shortest queue in which
#: drives of today take them. [1]
DEPTH = 31


@dataclass(frozen=True, slots=True)
class ServiceModel:
    """Demands of a system and what is unusual about its stations."""

    #: Classes of customers, and stations whose utilization a monitor shows.
    classes: tuple[str, ...]
    stations: tuple[str, ...]
    #: Volumes and operations, with their stations.
    series: tuple[tuple[str, str], ...]
    #: Service demand as the monitor shows it, m U / X. [s] Shape (C, K).
    demand: tuple[Row, ...]
    #: Bytes or operations of one interaction. Shape (C, S).
    volume: tuple[Row, ...]
    #: Where a run does not state it. [s] Length C.
    think_time: Row
    #: Time without queueing, and demand at a station, that no monitor showed. [s] Length C.
    hidden_delay: Row
    hidden_queue: Row
    #: What a visit takes over what the monitor shows of it. [1] Length K.
    scale: Row
    #: Squared coefficient of variation of service under first come first served. [1] Length K.
    scv: Row
    #: What a request takes more, over its demand: at an idle system in proportion; at that as a
    #: power of the load, over the shortest demand; at saturation where it grows with the others;
    #: and where both threads of each core are busy. [1] Length K.
    waking: Row
    idling: Row
    coherency: Row
    second_thread: Row
    #: Utilization that belongs to no customer. [1] Length K.
    background: Row
    #: The most that customers may use of each station, 1 for all of it. [1] Length K.
    quota: Row
    #: How far each single server serves requests side by side, from 0 to 1. [1] Length K.
    parallel: Row
    #: Power of the load by which an interaction has fewer operations, or bytes. [1] Length S.
    merging: Row
    #: How many customers may be inside at once. [customers] Length 1.
    pool: Row
    #: Part of a response time for which a customer inside holds a place of the pool. [1]
    holding: float = 1.0
    #: Power of the number of processors by which a request takes longer. [1]
    multiprocessing: float = 0.0
    #: How much more of a station than its background load requests lose to it at two thirds
    #: of saturation, over that. [1]
    bursts: float = 0.0
    #: Users, or interactions per second where users were not counted, at which a straight line
    #: through the measured utilizations reaches 1.
    reference: float = 1.0

    @property
    def varies(self) -> bool:
        """Whether demands depend on load."""
        return any((*self.waking, *self.idling, *self.coherency, *self.second_thread))

    @property
    def uneven(self) -> bool:
        """Whether what background load takes from requests depends on load."""
        return self.bursts > 0.0 and any(self.background)

    def lost(self, k: int, load: float) -> float:
        """The part of a station that requests lose to background load; never all they have. [1]

        b (1 + 27/4 f x^2 (1 - x)) of b in the mean, x being the load over that of saturation:
        little more where most is idle, and none where all is busy.
        """
        taken, x = self.background[k], min(load / self.reference, 1.0)
        return min(taken * (1.0 + 6.75 * self.bursts * x * x * (1.0 - x)), 0.5 * (1.0 + taken))

    def busiest(self, servers: Sequence[int]) -> int:
        """Position of the station that saturates first, with so many servers at each."""
        speeds = [m + DEPTH * p for m, p in zip(servers, self.parallel, strict=True)]
        work = [sum(row[k] for row in self.demand) / speed for k, speed in enumerate(speeds)]
        return work.index(max(work))

    def load(self, run: Conditions) -> float:
        """Users at work; arrivals per second, of several classes as many of the measured mix."""
        if run.population is None and len(self.classes) > 1:
            return self.load_of_rates(run.arrival_rate or (), run.servers)
        if not run.population:
            return load_of(run)
        users = sum(n * self.alike(c, run.think_time[c]) for c, n in enumerate(run.population))
        total = load_of(run)
        return users * self.let_in(total, run.think_time[0]) / total if total else 0.0

    def alike(self, c: int, think_time: float | None) -> float:
        """Users of a class as measured who ask as often as one who thinks so long. [1]"""
        alone = sum(self.demand[c]) + self.hidden_delay[c] + self.hidden_queue[c]
        cycle = alone + (self.think_time[c] if think_time is None else think_time)
        return (alone + self.think_time[c]) / cycle if cycle else 1.0

    def let_in(self, users: float, think_time: float | None) -> float:
        """Users who keep the stations as busy as so many whom a pool holds back.

        At most s (Z + R) / R, R being the response time of one alone and s the `places`.
        """
        alone = sum(self.demand[0]) + self.hidden_delay[0] + self.hidden_queue[0]
        if self.pool[0] == inf or not alone:
            return users
        given = self.think_time[0] if think_time is None else think_time
        return min(users, self.places * (given + alone) / alone)

    @property
    def places(self) -> float:
        """How many are inside, or on the way there and back, while all of the pool is held."""
        return self.pool[0] / self.holding

    def load_of_rates(self, rates: Sequence[float], servers: Sequence[int]) -> float:
        """Arrivals per second of the measured mix that keep the busiest station as busy."""
        work = [sum(x * row[k] for x, row in zip(rates, self.demand, strict=True)) / m
                for k, m in enumerate(servers)]  # fmt: skip
        return self.reference * max(work, default=0.0)

    def factors(self, load: float) -> tuple[Row, Row]:
        """How demands differ: by f = 1 + w (1 - x)+ + c x + t min(x, 1), and by what idling adds.

        x is the load over that of saturation, at least `LEAST_LOAD` in the power. An idle station
        costs each request the same time, f D (min(x, 1)^-a - 1) of the shortest demand D. [1], [s]
        """
        x = load / self.reference
        idle, part = max(0.0, 1.0 - x), min(x, 1.0)
        power = max(part, LEAST_LOAD)
        laws = zip(self.waking, self.coherency, self.second_thread, strict=True)
        # What falls with the load falls no further well beyond saturation, and never to nothing.
        factors = tuple(
            [1.0 + w * idle + c * (x if c > 0.0 else min(x, 1.5)) + t * part for w, c, t in laws]
        )
        columns = zip(*self.demand, strict=True)
        least = [min(filter(None, column), default=0.0) for column in columns]
        return factors, tuple(
            [f * d * (power**-a - 1.0) for f, d, a in zip(factors, least, self.idling, strict=True)]
        )

    def volume_at(self, load: float) -> tuple[Row, ...]:
        """Bytes and operations of one interaction at a load, V x^-b."""
        if not any(self.merging):
            return self.volume
        part = min(max(load / self.reference, LEAST_LOAD), 1.0)
        return tuple(
            tuple(v * part**-b for v, b in zip(row, self.merging, strict=True))
            for row in self.volume
        )

    def to_saturation(self, load: float) -> tuple[Row, ...]:
        """What each demand is at saturation, over that at a load. [1] Shape (C, K)."""
        pairs = zip(self.demand_at(load), self.demand_at(self.reference), strict=True)
        return tuple(
            tuple(then / now if now else 1.0 for now, then in zip(*rows, strict=True))
            for rows in pairs
        )

    def demand_at(self, load: float) -> tuple[Row, ...]:
        """Demands as the monitor shows them at a load."""
        if load <= 0.0 or not self.varies:
            return self.demand
        laws = [*zip(*self.factors(load), strict=True)]
        return tuple(
            tuple(d and d * f + more for d, (f, more) in zip(row, laws, strict=True))
            for row in self.demand
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model says of a run."""

    #: [1/s], [s] Length C.
    throughput: Row
    response_time: Row
    #: As a monitor would show it. [1] Length K.
    utilization: Row
    #: Volumes [bytes/s] and operations [1/s]. Length S.
    rates: Row
    #: Utilization of the hidden queue, which counts as station K. [1]
    hidden: float = 0.0
    #: Places of the pool in use, over those there are. [1]
    pool_use: float = 0.0

    def of(self, quantity: str, position: int | None) -> float:
        """One number: of a class, a station or a series; of all classes with None."""
        if quantity == "utilization":
            return (*self.utilization, self.hidden)[position or 0]
        if quantity in {"volume", "operations"}:
            return self.rates[position or 0]
        if quantity == "pool_use":
            return self.pool_use
        if position is not None:
            return (self.throughput if quantity == "throughput" else self.response_time)[position]
        total = sum(self.throughput)
        if quantity == "throughput":
            return total
        inside = sum(x * r for x, r in zip(self.throughput, self.response_time, strict=True))
        return inside / total if total else 0.0


def blank(
    classes: tuple[str, ...], stations: tuple[str, ...], series: tuple[tuple[str, str], ...] = (),
    reference: float = 1.0, pool: float = inf, thinking: Row = (),
) -> ServiceModel:  # fmt: skip
    """A model without demands, and without anything unusual but a pool of known size."""
    c, k = len(classes), len(stations)
    return ServiceModel(
        classes, stations, series, ((0.0,) * k,) * c, ((0.0,) * len(series),) * c,
        think_time=thinking or (0.0,) * c, hidden_delay=(0.0,) * c, hidden_queue=(0.0,) * c,
        scale=(1.0,) * k, scv=(1.0,) * k, waking=(0.0,) * k, idling=(0.0,) * k,
        coherency=(0.0,) * k, second_thread=(0.0,) * k, background=(0.0,) * k, quota=(1.0,) * k,
        parallel=(0.0,) * k, merging=(0.0,) * len(series), pool=(pool,), reference=reference,
    )  # fmt: skip


def load_of(run: Conditions) -> float:
    """Users at work, or interactions per second where users were not counted."""
    return float(sum(run.population)) if run.population is not None else sum(run.arrival_rate or ())
