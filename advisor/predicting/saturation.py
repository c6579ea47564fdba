"""Where a configuration saturates, and where its knee is.

The saturation point is where the asymptotes of throughput meet: ``N* = (D + Z) / D_max`` users,
and no throughput above ``1 / D_max``, with ``D_max`` the largest demand per server [1]_. The knee
is the number of users at which power, throughput over response time, is largest [2]_: below it
users wait little, beyond it they wait more than the server gains.

References
----------
.. [1] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 5.
.. [2] L. Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in
   computer communications," Proc. ICC, 1979, pp. 43.1.1-43.1.10.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from advisor.configuration.configuration import Configuration
from advisor.predicting.prediction import Question, question_of
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of, ways_of
from calibration.agreements.ensemble import Variant, combine
from calibration.estimation.interval import Range
from calibration.predicting.saturation import Saturation, SaturationPoint, asymptotes

Progress = Callable[[int, int], object]

#: Rounds in which the number of users and the speed of a shared segment settle.
_ROUNDS = 20
#: How finely a knee is looked for, relative to the saturation point.
_FINE = 0.005


@dataclass(frozen=True, slots=True)
class Knee:
    """Where throughput over response time is largest, users alone.

    Parameters
    ----------
    users : Range, optional
        How many they are then; None where users arrive from outside. [customers]
    response_time : Range
        Mean over all interactions. [s]
    throughput : Range
        Of all classes together. [1/s]
    """

    users: Range | None
    response_time: Range
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
    found = []
    beside: dict[str, float] = {}
    for done, (way, point) in enumerate(points):
        if progress:
            progress(done, len(points))
        most = point.throughput if by_rate else point.users
        # Beside the same share of the saturation point as in the calibration itself.
        guess = most * beside.get(way.member, 0.8)
        found.append(_knee(configuration, way, most, guess, by_rate=by_rate))
        if way.axis == 0:
            beside[way.member] = found[-1][0] / most
    if not found:
        return None
    if progress:
        progress(len(points), len(points))
    ways = [way for way, _ in points]
    load, time, rate = (combine(ways, each) for each in zip(*found, strict=True))
    return Knee(None if by_rate else load, time, rate)


@lru_cache(maxsize=16)
def _points(question: Question) -> list[tuple[Variant, SaturationPoint]]:
    """The saturation point of each variant that has one, or whose model has."""
    configuration = question.configuration
    found = [(way, _point(configuration, way)) for way in ways_of(configuration)]
    centres = {way.member: point for way, point in found if way.axis == 0}
    return [(way, point or centre) for way, point in found if (centre := centres[way.member])]


def _point(configuration: Configuration, way: Variant) -> SaturationPoint | None:
    """The saturation point of one variant, by a shared segment as fast as so many leave it."""
    at, found = configuration, None
    for _ in range(_ROUNDS):
        workload = at.settings.workload
        server, parts = network_of(at, way), {each.name: each.share for each in workload.classes}
        rate = workload.arrival_rate
        found = asymptotes(
            server.network,
            [each for each in server.resources if each[0] != "admission"],
            [parts[name] for name in server.network.class_names if name in parts],
            way.service,
            float(workload.users) if rate is None else rate,
        )
        if found is None or way.service is not None or rate is not None:
            break
        users = max(1, round(found.users))
        if users == workload.users:
            break
        at = configuration.with_users(users)
    return found


def _knee(
    configuration: Configuration, way: Variant, most: float, guess: float, *, by_rate: bool
) -> tuple[float, float, float]:
    """Load, response time and throughput where power is largest; rates in steps of `_FINE`."""
    unit = _FINE * most if by_rate else 1.0

    @cache
    def at(load: int) -> tuple[float, float]:
        there = configuration.with_rate(load * unit) if by_rate else configuration.with_users(load)
        solution = solve_network(network_of(there, way).network)
        rate = sum(solution.throughputs)
        times = zip(solution.throughputs, solution.response_times, strict=True)
        return sum(x * r for x, r in times) / rate, rate

    def power(load: int) -> float:
        return at(load)[1] / at(load)[0] if not by_rate or load * unit < most else 0.0

    best = _peak(power, guess / unit, 1 if by_rate else max(1, round(most * _FINE)))
    return best * unit, *at(best)


def _peak(value: Callable[[int], float], guess: float, fine: int = 1) -> int:
    """Where a function of 1, 2, ... that rises and then falls is largest, to some steps.

    Examples
    --------
    >>> [_peak(lambda n: -(n - 77) ** 2, guess) for guess in (1, 70, 77, 900)]
    [77, 77, 77, 77]
    """
    middle = max(1, round(guess))
    step = max(fine, middle // 8)
    # First so wide that the peak is inside, then half as wide while it can be.
    while True:
        low, high = max(1, middle - step), middle + step
        best = max((middle, low, high), key=lambda n: (value(n), -abs(n - middle)))
        if best == middle:
            if step <= fine:
                return middle
            step = max(fine, step // 2)
        else:
            middle = best
