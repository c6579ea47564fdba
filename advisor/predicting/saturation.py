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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from advisor.configuration.configuration import Configuration
from advisor.predicting.overload import arrivals_of
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of, ways_of
from calibration.agreements.ensemble import Variant, combine
from calibration.estimation.interval import Range
from qmodel import ClosedClass, DelayStation

Progress = Callable[[int, int], object]

#: Rounds in which the number of users and the speed of a shared segment settle.
_ROUNDS = 20
#: How finely a knee is looked for, relative to the saturation point.
_FINE = 0.005


@dataclass(frozen=True, slots=True)
class SaturationOutlook:
    """Where users alone, without batch tasks, saturate the server.

    Parameters
    ----------
    resource : str
        The one that does so, in the model that counts most or in most of them.
    users : Range, optional
        From which on queueing cannot be avoided; None where users arrive from outside.
        [customers]
    throughput : Range
        What all classes together cannot pass. [1/s]
    """

    resource: str
    users: Range | None
    throughput: Range


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


def saturation(configuration: Configuration) -> SaturationOutlook | None:
    """The saturation point, None where no resource limits the throughput."""
    return turning_points(configuration, with_knee=False)[1]


def knee(configuration: Configuration) -> Knee | None:
    """The knee; None where nothing limits the throughput."""
    return turning_points(configuration)[0]


def turning_points(
    configuration: Configuration, progress: Progress | None = None, *, with_knee: bool = True
) -> tuple[Knee | None, SaturationOutlook | None]:
    """The knee and the saturation point; see `knee` and `saturation`.

    Parameters
    ----------
    configuration : Configuration
        The server.
    progress : callable, optional
        Called with how many variants of the calibration are done, of how many.
    with_knee : bool
        Whether to look for the knee, which takes far longer.
    """
    ways = ways_of(configuration)
    points = [_point(configuration, way) for way in ways]
    turning = _knees(configuration, ways, points, progress) if with_knee else None
    return turning, _saturation(configuration, ways, points)


def _saturation(
    configuration: Configuration,
    ways: Sequence[Variant],
    points: Sequence[tuple[str, float, float] | None],
) -> SaturationOutlook | None:
    found = [each for each in points if each is not None]
    if len(found) < len(ways):
        return None
    names = [each[0] for each in found]
    # Of a calibration the first model is the one that counts most.
    resource = names[0] if ways[0].weight else max(dict.fromkeys(names), key=names.count)
    is_open = configuration.settings.workload.arrival_rate is not None
    return SaturationOutlook(
        resource,
        None if is_open else combine(ways, [each[1] for each in found]),
        combine(ways, [each[2] for each in found]),
    )


def _knees(
    configuration: Configuration,
    ways: Sequence[Variant],
    points: Sequence[tuple[str, float, float] | None],
    progress: Progress | None,
) -> Knee | None:
    by_rate = configuration.settings.workload.arrival_rate is not None
    found = []
    beside: dict[str, float] = {}
    for done, (way, point) in enumerate(zip(ways, points, strict=True)):
        if progress:
            progress(done, len(ways))
        if point is None:
            return None
        # Beside the same share of the saturation point as in the calibration itself.
        at = _knee_by_rate if by_rate else _knee
        most = point[2] if by_rate else point[1]
        found.append(at(configuration, way, most, most * beside.get(way.member, 0.8)))
        if way.axis == 0:
            beside[way.member] = found[-1][2 if by_rate else 0] / most
    if progress:
        progress(len(ways), len(ways))
    users, times, rates = zip(*found, strict=True)
    return Knee(
        None if by_rate else combine(ways, users), combine(ways, times), combine(ways, rates)
    )


def _point(configuration: Configuration, way: Variant) -> tuple[str, float, float] | None:
    """Resource, number of users and throughput at the saturation point of one variant."""
    at = configuration
    found = None
    for _ in range(_ROUNDS):
        found = _asymptotes(at, way)
        if found is None or at.settings.workload.arrival_rate is not None:
            break
        if way.service is not None and not any(way.service.growth):
            break  # its demands are the same under every load
        users = max(1, round(found[1]))
        if users == at.settings.workload.users:
            break
        at = configuration.with_users(users)  # a shared segment is as fast as they leave it
    return found


def _asymptotes(configuration: Configuration, way: Variant) -> tuple[str, float, float] | None:
    server = network_of(configuration, way)
    network = server.network
    if len(network.classes) == 1:
        weights = [1.0]
    else:
        rates: Sequence[float] = arrivals_of(network)
        if not any(rates):
            rates = solve_network(network).throughputs
        weights = [rate / sum(rates) for rate in rates]
    total, worst, where = 0.0, 0.0, ""
    for name, members in server.resources:
        if name == "admission":
            continue
        for k in members:
            station = network.stations[k]
            here = sum(w * row[k] for w, row in zip(weights, network.demand, strict=True))
            total += here
            if not isinstance(station, DelayStation) and here / station.max_rate > worst:
                worst, where = here / station.max_rate, name
    total += sum(
        w * c.think_time
        for w, c in zip(weights, network.classes, strict=True)
        if isinstance(c, ClosedClass)
    )
    return (where, max(1.0, total / worst), 1.0 / worst) if worst else None


def _knee(
    configuration: Configuration, way: Variant, near: float, guess: float
) -> tuple[float, float, float]:
    """Users, response time and throughput where power is largest."""

    @cache
    def at(users: int) -> tuple[float, float]:
        solution = solve_network(network_of(configuration.with_users(users), way).network)
        rate = sum(solution.throughputs)
        queue = sum(
            x * r for x, r in zip(solution.throughputs, solution.response_times, strict=True)
        )
        return queue / rate, rate

    best = _peak(lambda users: at(users)[1] / at(users)[0], guess, max(1, round(near * _FINE)))
    return float(best), *at(best)


def _knee_by_rate(
    configuration: Configuration, way: Variant, most: float, guess: float
) -> tuple[float, float, float]:
    """0, response time and arrivals where power is largest, in steps of `_FINE` of the most."""

    @cache
    def time(part: int) -> float:
        rate = part * _FINE * most
        solution = solve_network(network_of(configuration.with_rate(rate), way).network)
        times = zip(solution.throughputs, solution.response_times, strict=True)
        return sum(x * r for x, r in times) / sum(solution.throughputs)

    full = round(1.0 / _FINE)
    best = _peak(lambda i: i / time(i) if i < full else 0.0, guess / (_FINE * most))
    return 0.0, time(best), best * _FINE * most


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
