"""Percentiles of response times, for the targets that promise them; see THEORY.md."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from math import floor, inf, log
from typing import NamedTuple

from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import ABOVE_MEAN
from advisor.configuration.schema import BatchTask
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.outlook import VariantOutlook
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of_one, peak_sets, ways_of
from calibration.agreements.ensemble import Variant
from calibration.estimation.tail_shape import TailShape, corrected, shapes_of_class
from calibration.hardware.in_order import in_order
from qmodel import Network
from qmodel.errors import NotApplicable, Unstable

#: Models with a smaller share of the weight go by the likeliest.
LIKELY = 0.1
#: Loads between which a search interpolates, and customers below which it need not.
APART, FEW = 1.125, 24

Sets = Sequence[tuple[BatchTask, ...]]


class Tail(NamedTuple):
    """A percentile that is asked for."""

    name: str
    share: float
    #: [s]
    limit: float


def asked_tails(configuration: Configuration, shares: Sequence[float] = ()) -> tuple[Tail, ...]:
    """The percentiles that the targets promise of each class, and those of ``shares``."""
    targets, classes = configuration.settings.targets, configuration.settings.workload.classes
    return tuple(
        Tail(each.name, share, limit)
        for each in classes
        for share, limit in {
            **dict.fromkeys(shares, inf),
            **dict(targets.of(each.name).tails if targets else ()),
        }.items()
    )


def with_tails(
    asked: Sequence[Tail], configurations: Sequence[Configuration], ways: Sequence[Variant],
    seen: Sequence[VariantOutlook | None], sets: Sets | None = None,
) -> list[VariantOutlook | None]:  # fmt: skip
    """Variants with the percentiles asked for, each under a configuration of its own.

    ``sets`` are the batch tasks that run together; without them a search asks, and loads are
    interpolated.
    """
    if not asked:
        return list(seen)
    found: list[VariantOutlook | None] = []
    for configuration, way, each in zip(configurations, ways, seen, strict=True):
        if each is None:
            found.append(None)
            continue
        late = [t.share >= ABOVE_MEAN and each.times.get(t.name, 0.0) > t.limit for t in asked]
        if sets is None and all(late):
            # The mean is, and more so the percentile: how much does not matter to a search.
            found.append(replace(each, tails={tail[:2]: each.times[tail.name] for tail in asked}))
            continue
        try:
            known = _around(configuration, way, asked, sets)
        except NotApplicable:
            if sets is not None:
                raise
            found.append(None)  # to a search what is too near to saturation is beyond it
            continue
        ratios = [sum(part * each[i] for part, each in known if each) for i in range(len(asked))]
        tails = {
            tail[:2]: each.times[tail.name] * ratio
            for tail, ratio in zip(asked, ratios, strict=True)
            if tail.name in each.times
        }
        found.append(replace(each, tails=tails))
    return found


def _around(
    configuration: Configuration, way: Variant, asked: Sequence[Tail], sets: Sets | None
) -> list[tuple[float, list[float] | None]]:
    """Percentiles over means at loads of the grid around, and what part each of them has."""
    centre = centre_of(ways_of(configuration), way)
    near = [(1.0, configuration)] if sets is not None else [*_near(configuration)]
    known = [
        (part, _ratios(there, centre, asked, peak_sets(there) if sets is None else sets))
        for part, there in near
    ]
    if all(each is not None for _, each in known):
        return known
    peak = peak_sets(configuration)  # beyond saturation there is nothing between
    here = _ratios(configuration, centre, asked, peak) or _ratios(configuration, way, asked, peak)
    return [(1.0, here or [1.0] * len(asked))]


def centre_of(ways: Sequence[Variant], way: Variant) -> Variant:
    """The middle of a variant's model, or of the likeliest."""
    middles = [each for each in ways if each.axis == 0]
    own = next(each for each in middles if each.member == way.member)
    if own.weight is None or own.weight >= LIKELY * sum(each.weight or 0.0 for each in middles):
        return own
    return max(middles, key=lambda each: each.weight or 0.0)


def _near(configuration: Configuration) -> Iterator[tuple[float, Configuration]]:
    """Loads of the grid around that of a configuration, with their parts in it."""
    workload = configuration.settings.workload
    load = workload.arrival_rate or float(workload.users)
    step = floor(log(load) / log(APART))
    low, high = APART**step, APART ** (step + 1)
    if workload.arrival_rate is None:
        low, high = round(low), round(high)
        if load <= FEW or low == high:
            yield 1.0, configuration.with_users(int(load))
            return
    part = (load - low) / (high - low)
    for weight, at in ((1.0 - part, low), (part, high)):
        if weight > 0.0:
            rated = workload.arrival_rate is not None
            yield (
                weight,
                configuration.with_rate(at) if rated else configuration.with_users(int(at)),
            )


def _ratios(
    configuration: Configuration, way: Variant, asked: Sequence[Tail], sets: Sets
) -> list[float] | None:
    """Each percentile over the mean, both at their worst over the sets; None without a bound."""
    shares = tuple(sorted({tail.share for tail in asked}))
    worst, mean = dict.fromkeys(asked, 0.0), dict.fromkeys((t.name for t in asked), 0.0)
    shapes = shapes_of(configuration)
    for running in sets:
        server = network_of_one(configuration, way, running)
        names = tuple(name for name in mean if name in server.network.class_names)
        try:
            means, tails = _times(server.network, server.operations, shares, names, shapes)
        except Unstable:  # no time has a bound there
            return None
        for tail in asked:
            if tail.name in names:
                mean[tail.name] = max(mean[tail.name], means[tail.name])
                worst[tail] = max(worst[tail], tails[tail.name][tail.share])
    return [worst[t] / mean[t.name] if 0.0 < mean[t.name] < inf else 1.0 for t in asked]


@lru_cache(maxsize=4096)
def _times(
    network: Network, operations: tuple[tuple[float, ...], ...], shares: tuple[float, ...],
    names: tuple[str, ...], shapes: tuple[TailShape, ...],
) -> tuple[dict[str, float], dict[str, dict[float, float]]]:  # fmt: skip
    """Of each class of a network, the mean and the percentiles of its response time. [s]"""
    from qmodel import percentiles  # and numpy, only where a target asks

    solution = solve_network(network)
    with plain_refusal():
        asked = sorted({*shares, *(shape.share for shape in shapes)})
        found = {
            name: percentiles(
                in_order(solution, operations, name), asked, classes=(name,), visits=False
            )[name]
            for name in names
        }
    means = dict(zip(network.class_names, solution.response_times, strict=True))
    alone = dict(zip(network.class_names, network.demand, strict=True))
    own = {name: shapes_of_class(shapes, name) for name in names}
    return means, {n: corrected(own[n], means[n], found[n], alone[n], shares) for n in names}


def shapes_of(configuration: Configuration) -> tuple[TailShape, ...]:
    """How response times spread, where the calibration of a configuration has it measured."""
    found = calibration_of(configuration)
    return found.shapes if found else ()


@contextmanager
def plain_refusal() -> Iterator[None]:
    """What has no percentiles is refused in the words of who asked."""
    try:
        yield
    except NotApplicable as refusal:
        raise NotApplicable(f"percentiles cannot be predicted here: {refusal}") from None
