"""Fork-join of unequal branches: a customer is served by all, and waits for all; see THEORY.md."""

from collections.abc import Sequence
from itertools import combinations
from math import ceil, fsum, inf, log, sqrt
from typing import NamedTuple

from qmodel.errors import InvalidInput
from qmodel.single_station.arguments import check_stable, count, entries, not_negative, positive

#: States of a chain of two branches at most, and of more; branches; customers times 2^branches.
LARGEST, LARGER, BRANCHES, STEPS = 25_000, 6_000, 10, 200_000
#: Probability that an open chain may be cut off beyond.
SELDOM = 1e-12


class ForkJoin(NamedTuple):
    """Throughput [1/s] and response time [s] of a fork-join, and whether they are exact."""

    throughput: float
    response_time: float
    is_exact: bool


def fork_join(
    service_times: Sequence[float], arrival_rate: float | None = None, *,
    customers: int | None = None, think_time: float = 0.0,
) -> ForkJoin:  # fmt: skip
    """A fork-join of unequal branches, by itself or with customers who think.

    Raises `InvalidInput` if a value is out of range, or neither or both of ``arrival_rate`` and
    ``customers`` are given; `Unstable` if a branch cannot keep up with the arrivals.

    Parameters
    ----------
    service_times : sequence of float
        Mean time of a task at each branch. [s]
    arrival_rate : float, optional
        Of an open class. [1/s]
    customers : int, optional
        Of a closed class, N.
    think_time : float
        Mean time of these between two visits. [s]

    Examples
    --------
    Two equal branches, exact: R = (12 - rho) / 8 s / (1 - rho) [1].

    >>> round(fork_join([1.0, 1.0], arrival_rate=0.5).response_time, 6)
    2.875
    >>> found = fork_join([2.0, 1.0], customers=5, think_time=10.0)
    >>> round(found.throughput, 4), round(found.response_time, 4), found.is_exact
    (0.3514, 4.228, True)
    """
    times = [positive(t, "service time", "s") for t in entries(service_times, "service times")]
    if not 1 <= len(times) <= BRANCHES or (customers is None) == (arrival_rate is None):
        raise InvalidInput(
            f"{len(times)} branches, expected 1 to {BRANCHES} service times, and either "
            "arrival_rate or customers"
        )
    slowest, largest = max(times), LARGER if len(times) > 2 else LARGEST
    if arrival_rate is not None:
        rate = positive(arrival_rate, "arrival rate", "/s")
        use = [rate * t for t in times]
        check_stable(1.0 - max(use), rate, max(use), 1)
        most = ceil(log(SELDOM) / log(max(use)))
        if (most + 1) ** len(times) <= largest:
            return ForkJoin(rate, _chain(times, [rate] * most)[1], is_exact=True)
        apart = [t / (1.0 - u) for t, u in zip(times, use, strict=True)]
        return ForkJoin(rate, _last(apart, use), is_exact=len(times) == 1)
    n = count(customers, "number of customers", 1)
    think = not_negative(think_time, "think time", "s")
    if (n + 1) ** len(times) <= largest:
        found = _chain(times, [(n - there) / think if think else inf for there in range(n)])
        return ForkJoin(*found, is_exact=True)
    if n * 2 ** len(times) > STEPS:
        raise InvalidInput(
            f"{n} customers, expected at most {STEPS >> len(times)} at {len(times)} branches"
        )
    queues, throughput = [0.0] * len(times), 0.0
    for present in range(1, n + 1):
        apart = [t * (1.0 + queue) for t, queue in zip(times, queues, strict=True)]
        last = max(*apart, _last(apart, [throughput * t for t in times]))
        throughput = min(present / (think + last), 1.0 / slowest)
        queues = [throughput * t for t in apart]
    return ForkJoin(throughput, n / throughput - think, is_exact=len(times) == 1)


def _last(apart: Sequence[float], use: Sequence[float]) -> float:
    """Mean time until the last branch is done; see above. [s]"""
    independent = fsum(
        (-1) ** (size + 1) / fsum(1.0 / t for t in some)
        for size in range(1, len(apart) + 1)
        for some in combinations(apart, size)
    )
    ratio, squares = independent / max(apart), fsum(t * t for t in apart)
    rho = fsum(t * t * u for t, u in zip(apart, use, strict=True)) / squares
    alike = sqrt(min(1.0, max(0.0, 2.0 * ratio - 2.0)))
    more = 4.0 * rho / 11.0 * (1.0 - 1.5 / max(1.5, ratio))
    return independent * (1.0 - rho * alike / 12.0) * (1.0 - more)


def _chain(times: Sequence[float], births: Sequence[float]) -> tuple[float, float]:
    """Throughput and response time of the chain. [1/s], [s]"""
    import numpy as np

    from qmodel.numerics.ctmc import stationary

    shape = (len(births) + 1,) * len(times)
    tasks = np.indices(shape).reshape(len(times), -1)
    most, states = tasks.max(axis=0), np.arange(tasks.shape[1])
    steps = [shape[0] ** k for k in reversed(range(len(times)))]
    rate = np.array([*births, 0.0])[most]
    kept = np.isfinite(rate)  # where customers return at once, all are there
    room = kept & (most < len(births))
    moves = [(states[room], states[room] + sum(steps), rate[room])]
    done = np.zeros(len(states))  # [1/s]
    for own, step, time in zip(tasks, steps, times, strict=True):
        busy = states[kept & (own > 0)]
        after = busy - step
        done[busy] += (most[after] < most[busy]) / time
        moves.append((busy, after + sum(steps) * ~kept[after], np.full(len(busy), 1.0 / time)))
    source, target, rates = map(np.concatenate, zip(*moves, strict=True))
    place, probability = np.cumsum(kept) - 1, np.zeros(len(states))
    probability[kept] = stationary(place[-1] + 1, place[source], place[target], rates)
    throughput = float(probability @ done)
    return throughput, float(probability @ most) / throughput
