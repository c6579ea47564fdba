"""Where a configuration saturates, and where its knee is; see THEORY.md."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any

from advisor.configuration.configuration import Configuration
from advisor.predicting.prediction import Question, question_of, worst_of_many
from advisor.predicting.side_by_side import Search, remembered, side_by_side
from advisor.predicting.workload import network_of, ways_of
from calibration.agreements.ensemble import Variant, combine
from calibration.estimation.interval import Range
from calibration.model_evaluation.model import ServiceModel
from calibration.predicting.saturation import POOL, Saturation, SaturationPoint, asymptotes

Progress = Callable[[int, int], object]

#: Rounds in which the number of users and the speed of a shared segment settle.
_ROUNDS = 20
#: How finely a knee is looked for, relative to the saturation point.
_FINE = 0.005


@dataclass(frozen=True, slots=True)
class Knee:
    """Where throughput over response time is largest, users alone."""

    #: How many they are then; None where users arrive from outside. [customers]
    users: Range | None
    #: Mean over all interactions. [s]
    response_time: Range
    #: Of all classes together. [1/s]
    throughput: Range


def saturation(configuration: Configuration) -> Saturation | None:
    """The saturation point, None where no resource limits the throughput."""
    points = _points(question_of(configuration))
    if not points:
        return None
    ways = [way for way, _ in points]
    is_open = configuration.settings.workload.arrival_rate is not None
    names = [point.station for _, point in points]
    return Saturation(
        # Of a calibration the first model is the one that counts most.
        names[0] if ways[0].weight else max(dict.fromkeys(names), key=names.count),
        None if is_open else combine(ways, [point.users for _, point in points]),
        combine(ways, [point.throughput for _, point in points]),
    )


def knee(configuration: Configuration, progress: Progress | None = None) -> Knee | None:
    """The knee; None where nothing limits the throughput.

    ``progress`` is called with how many variants of the calibration are done, of how many.
    """
    points = _points(question_of(configuration))
    by_rate = configuration.settings.workload.arrival_rate is not None
    mosts = [point.throughput if by_rate else point.users for _, point in points]
    units = [_FINE * most if by_rate else 1.0 for most in mosts]
    found: dict[int, tuple[float, float, float]] = {}
    beside: dict[str, float] = {}
    for centre in (True, False):
        some = [i for i, (way, _) in enumerate(points) if (way.axis == 0) is centre]

        done = len(found) + len(some)

        def ask(
            asked: Sequence[tuple[int, int]], some: list[int] = some, done: int = done
        ) -> Sequence[Any]:
            if progress:
                progress(done - len(asked), len(points))
            loads = [load * units[some[j]] for j, load in asked]
            changed = [
                configuration.with_rate(load) if by_rate else configuration.with_users(round(load))
                for load in loads
            ]
            return worst_of_many(changed, [points[some[j]][0] for j, _ in asked], batch=False)

        searches = []
        for i in some:
            # Beside the same share of the saturation point as in the calibration itself.
            guess, fine = mosts[i] * beside.get(points[i][0].member, 0.8), _FINE * mosts[i]
            step = guess / 8.0 if centre else 2.0 * fine
            searches.append(_knee(guess, fine, step, units[i]))
        found |= dict(zip(some, side_by_side(searches, ask), strict=True))
        beside |= {points[i][0].member: found[i][0] / mosts[i] for i in some if centre}
    if not found:
        return None
    if progress:
        progress(len(points), len(points))
    ways = [way for way, _ in points]
    every = [found[i] for i in range(len(points))]
    load, time, rate = (combine(ways, each) for each in zip(*every, strict=True))
    return Knee(None if by_rate else load, time, rate)


@lru_cache(maxsize=16)
def _points(question: Question) -> list[tuple[Variant, SaturationPoint]]:
    """The saturation point of each variant that has one, or whose model has."""
    configuration = question.configuration
    found = [(way, _point(configuration, way)) for way in ways_of(configuration)]
    centres = {way.member: point for way, point in found if way.axis == 0}
    return [(way, point or centre) for way, point in found if (centre := centres[way.member])]


def never_seen_full(models: Iterable[ServiceModel | None]) -> dict[str, bool]:
    """The stations that are full below 100 % in some model, and whether by a quota; else the
    monitor counts only a share of what is done there.
    """
    return {
        name: quota < 1.0
        for model in models
        if model is not None
        for name, quota, scale in zip(model.stations, model.quota, model.scale, strict=True)
        if quota < 1.0 or scale > 1.0
    }


def limit_loads(configuration: Configuration) -> tuple[float, ...]:
    """How many times the present load fills what `never_seen_full` names, or a pool, of each
    variant; infinite if else fills. [1]
    """
    workload = configuration.settings.workload
    load, counted = workload.arrival_rate or float(workload.users), workload.arrival_rate is None
    points = ((_point(configuration, way), way.service) for way in ways_of(configuration))
    return tuple(
        (p.users if counted else p.throughput) / load
        if p and p.station in {POOL, *never_seen_full([service])}
        else inf
        for p, service in points
    )


def _point(configuration: Configuration, way: Variant) -> SaturationPoint | None:
    """The saturation point of one variant, by a shared segment as fast as so many leave it."""
    at, found = configuration, None
    for _ in range(_ROUNDS):
        workload = at.settings.workload
        server, parts = network_of(at, way), {each.name: each.share for each in workload.classes}
        rate = workload.arrival_rate
        found = asymptotes(
            server.network, [each for each in server.resources if each[0] != "admission"],
            [parts[name] for name in server.network.class_names if name in parts], way.service,
            server.saturating,
        )  # fmt: skip
        if found is None or way.service is not None or rate is not None:
            break
        users = max(1, round(found.users))
        if users == workload.users:
            break
        at = configuration.with_users(users)
    return found


def _knee(
    guess: float, fine: float, step: float, unit: float
) -> Search[tuple[float, float, float]]:
    """Load, response time and throughput where power is largest, all in units of load."""
    at = remembered({})

    def measures(load: int) -> Search[tuple[float, float]]:
        seen = yield from at(load)
        if seen is None:
            return inf, 0.0
        rate = sum(seen.throughputs.values())
        return sum(x * seen.times[name] for name, x in seen.throughputs.items()) / rate, rate

    def power(load: int) -> Search[float]:
        time, rate = yield from measures(load)
        return rate / time

    start, fine, step = (max(1, round(each / unit)) for each in (guess, fine, step))
    best = yield from _peak(power, start, fine, step)
    return best * unit, *(yield from measures(best))


def _peak(value: Callable[[int], Search[float]], middle: int, fine: int, step: int) -> Search[int]:
    """Where a function of 1, 2, ... that rises and then falls is largest, to some steps."""
    step = max(fine, step)
    # First so wide that the peak is inside, then half as wide while it can be.
    while True:
        best, most = middle, (yield from value(middle))
        for n in (max(1, middle - step), middle + step):
            here = yield from value(n)
            if (here, -abs(n - middle)) > (most, -abs(best - middle)):
                best, most = n, here
        if best == middle:
            if step <= fine:
                return middle
            step = max(fine, step // 2)
        else:
            middle = best
