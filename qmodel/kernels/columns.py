"""Mean value analysis of many networks of one kind at once, as columns of arrays; see THEORY.md."""

from typing import Any

import numpy as np

from qmodel.kernels.saturation import NEGLIGIBLE
from qmodel.numerics.arrays import Array, Flags, Whole

#: Networks handled at a time.
COLUMNS = 8192
#: Relative change of a response time at which `bard_schweitzer` stops, and iterations at most.
SETTLED, ITERATIONS = 1e-4, 200


def mean_values(
    population: Any, delay: Any, demand: Any, column: Any = None, count: Any = None
) -> tuple[Array, Array]:
    """Exact throughput and residence times of B points, each a network and a population of it.

    ``delay`` is think time and the demands at delay stations of M networks, (M,) [s], ``demand``
    those at single servers, (K, M) [s], and ``count``, (K, M), how many such stations there are, by
    default one of each. ``population`` and ``column`` are that of each point, at least 0, and its
    network, (B,); by default point b is network b. The answers have shapes (B,) [1/s] and, at one
    station of each kind, (K, B) [s].
    """
    customers, thinking = np.asarray(population, np.int64), np.asarray(delay, float)
    by_station = np.ascontiguousarray(np.asarray(demand, float))
    throughput = np.zeros(len(customers))
    residence = np.zeros((len(by_station), len(customers)))
    points = np.flatnonzero(customers)
    at = np.arange(len(customers)) if column is None else np.asarray(column, np.int64)
    if column is None and count is None and len(by_station) and len(points):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            done, throughput[points], residence[:, points] = _saturated(
                customers[points], thinking[points], by_station.take(points, axis=1)
            )
        points = points[~done]
    last = np.zeros(len(thinking), np.int64)
    np.maximum.at(last, at[points], customers[points])
    order = np.argsort(-last, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    points = order[: len(points)] if column is None else points[np.argsort(place[at[points]])]
    places = place[at[points]]
    for start in range(0, int(np.count_nonzero(last)), COLUMNS):
        low, high = np.searchsorted(places, [start, start + COLUMNS])
        part, some = order[start : start + COLUMNS], points[low:high]
        throughput[some], residence[:, some] = _recursion(
            thinking[part], by_station.take(part, axis=1),
            None if count is None else np.asarray(count, float)[:, part], last[part],
            places[low:high] - start, customers[some],
        )  # fmt: skip
    return throughput, residence


def _recursion(
    thinking: Array, demand: Array, count: Array | None, last: Whole, column: Whole, sizes: Whole
) -> tuple[Array, Array]:
    """The recursion itself; the networks are sorted, the largest population ``last`` first."""
    seen, times, rate = np.ones_like(demand), demand.copy(), np.zeros(len(thinking))
    throughput, residence = np.zeros(len(sizes)), np.zeros((len(demand), len(sizes)))
    # Points that the recursion passes on the way to the largest of their network.
    final = sizes == last[column]
    passed = np.flatnonzero(~final)
    passed = passed[np.argsort(sizes[passed], kind="stable")]
    where = column[passed]
    steps = np.arange(1, int(last[0]) + 1)
    ends = np.searchsorted(-last, -steps, side="right").tolist()
    stops = np.searchsorted(sizes[passed], steps, side="right").tolist()
    active, first = -1, 0
    for n, (end, stop) in enumerate(zip(ends, stops, strict=True), 1):
        if end != active:
            active = end
            # Views of those that still grow.
            d, p, r = demand[:, :end], seen[:, :end], times[:, :end]
            z, x = thinking[:end], rate[:end]
            c = None if count is None else count[:, :end]
            cycle = np.empty(end)
        np.multiply(d, p, out=r)
        np.add.reduce(r if c is None else r * c, axis=0, out=cycle)
        cycle += z
        np.divide(n, cycle, out=x)
        if stop > first:
            some, there = passed[first:stop], where[first:stop]
            throughput[some], residence[:, some] = x[there], r.take(there, axis=1)
            first = stop
        np.multiply(r, x, out=p)
        p += 1.0
    if not len(passed):
        return rate[column], times.take(column, axis=1)
    throughput[final], residence[:, final] = rate[column[final]], times[:, column[final]]
    return throughput, residence


def _saturated(customers: Whole, delay: Array, demand: Array) -> tuple[Flags, Array, Array]:
    """Which networks are saturated, and the throughput and residence times of those."""
    every = np.arange(len(customers))
    bottleneck = demand.argmax(axis=0)
    slowest = demand[bottleneck, every]
    ratio = demand / slowest
    ratio[bottleneck, every] = 0.0
    second = ratio.max(axis=0)
    thinking = delay / slowest
    # The radius of `saturation._radius`, and the bound there.
    a = thinking / second
    b = a + 1.0 + customers
    radius = 2.0 * customers / (b + np.sqrt(b * b - 4.0 * a * customers)) / second
    radius = np.where(second > 0.0, radius, np.where(delay > 0.0, customers / thinking, 2.0))
    radius = np.where(radius > 1.0, radius, np.nan)
    distance = thinking * (radius - 1.0) - (customers - 1) * np.log(radius) - np.log(radius - 1.0)
    growth = (1.0 - ratio) / (1.0 - ratio * radius)
    distance += np.log(growth.prod(axis=0)) + np.log(growth.max(axis=0))
    alone = (second == 0.0) & (delay == 0.0)
    done = ((second < 1.0) & (distance <= NEGLIGIBLE)) | alone
    residence = demand / (1.0 - ratio)
    residence[bottleneck, every] = 0.0
    residence[bottleneck, every] = customers * slowest - delay - residence.sum(axis=0)
    return done, 1.0 / slowest, residence


def bard_schweitzer(population: Any, think_time: Any, delay: Any, demand: Any, count: Any) -> Any:
    """Approximate response times of B networks that differ in their stations alone, (B, C). [s]

    ``population`` and ``think_time`` are those of each class, (C,), ``delay`` the time inside
    without queueing, (B, C), ``demand`` that at a single server of each kind, (B, C, K), and
    ``count`` how many such stations there are, (B, K).
    """
    n = np.asarray(population, float)[None, :, None]
    think, many = np.asarray(think_time, float)[None, :], count[:, None, :]
    stations = np.maximum(many.sum(axis=2, keepdims=True), 1.0)
    queue = np.where(many > 0.0, n / stations, 0.0) + 0.0 * demand
    times = np.zeros_like(delay)
    for _ in range(ITERATIONS):
        residence = demand * (1.0 + queue.sum(axis=1, keepdims=True) - queue / n)
        before, times = times, delay + (many * residence).sum(axis=2)
        if np.all(np.abs(times - before) <= SETTLED * np.maximum(times, 1e-300)):
            break
        queue = (n[:, :, 0] / np.maximum(think + times, 1e-300))[:, :, None] * residence
    return times
