"""The highest load that meets a target: so many users, or so fast an arrival of them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp, inf, isfinite, log
from typing import Any, NamedTuple

from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import MEAN, tail_name, time_name
from advisor.predicting.outlook import VariantOutlook
from advisor.predicting.prediction import Question, question_of, worst_of, worst_of_many
from advisor.predicting.side_by_side import At, Search, remembered, side_by_side
from advisor.predicting.tails import asked_tails, shapes_of
from advisor.predicting.workload import ways_of
from calibration.agreements.ensemble import Variant
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.tail_shape import shapes_of_class, spread

#: Utilization that is not to be passed where nothing is promised; a convention. [1]
USUAL = 0.80
#: Growth beyond so many times the present load is never, and below so few there is none.
MOST, NONE = 100.0, 1e-9
#: How finely a crossing is looked for before it is interpolated, relative to the load.
_FINE = 0.02
#: Below so many users the slope between two loads depends on which they are.
FEW = 100.0
#: Customers up to which growth is followed at least.
_SOME = 10_000.0
#: Parts of the present rate of arrivals in which it grows.
_ARRIVALS = 1000

#: Name and limit of each target; the name says which number of an outlook it limits.
Limits = tuple[tuple[str, float], ...]


class Found(NamedTuple):
    """The highest load that meets a target."""

    #: 0 if none does, infinite if all do.
    load: float
    #: The nearest load that was asked about.
    asked: int
    #: What is lost to the target with each more; 0 where it is not known.
    slope: float = 0.0


class Loads(NamedTuple):
    """The highest load of each variant that meets a target, times the present one."""

    of_ways: tuple[float, ...]
    #: How much less it is, and more, if percentiles are as far off as they may be; logarithms.
    below: float = 0.0
    above: float = 0.0


def log_load(load: float) -> float:
    """Logarithm of a load; of none and of one without limit, that of next to none and the most."""
    return log(min(max(load, NONE), MOST))


def limits_of(configuration: Configuration, busy: float | None = None) -> Limits:
    """The targets of a configuration, one for each class and each resource.

    ``busy`` is a utilization not to be passed where the configuration promises none. Of what was
    not measured a calibration alone knows enough to be held to it.
    """
    targets = configuration.settings.targets
    found: list[tuple[str, float]] = []
    for each in configuration.settings.workload.classes:
        limits = targets.of(each.name).limits if targets else ()
        found += [(f"{time_name(share)} of {each.name}", limit) for share, limit in limits]
    utilization = busy
    if targets is not None and targets.utilization is not None:
        utilization = targets.utilization
    if utilization is not None:
        settings = configuration.settings
        now = worst_of(at_load(configuration, 1), ways_of(configuration)[0])
        calibrated = settings.workload.calibration is not None
        known = {name for name in ("disk", "lan") if settings.describes(name)}
        hidden = set() if calibrated else {"disk", "lan", NOT_MEASURED} - known
        found += [(f"utilization of {n}", utilization) for n in now.utilizations if n not in hidden]
    return tuple(found)


def _value(found: VariantOutlook, name: str) -> float:
    what, _, of = name.partition(" of ")
    if what == "utilization":
        return found.utilizations.get(of, 0.0)
    # A class without users has no response time.
    if what == MEAN:
        return found.times.get(of, 0.0)
    return next((t for (c, p), t in found.tails.items() if c == of and tail_name(p) == what), 0.0)


def _held(configuration: Configuration, limits: Limits) -> Limits:
    """Limits less what percentiles may be off by: the upper end of each is to meet its own."""
    shapes = shapes_of(configuration)
    off = {
        f"{time_name(tail.share)} of {tail.name}": spread(
            shapes_of_class(shapes, tail.name), tail.share
        )
        for tail in asked_tails(configuration)
    }
    return tuple((name, limit * exp(-off.get(name, 0.0))) for name, limit in limits)


def at_load(configuration: Configuration, load: int) -> Configuration:
    """The configuration at another load: so many users, or thousandths of the present arrivals."""
    workload = configuration.settings.workload
    if workload.arrival_rate is None:
        return configuration.with_users(load)
    return configuration.with_rate(workload.arrival_rate * load / _ARRIVALS)


def _most(configuration: Configuration) -> float:
    """The load beyond which a target is never missed."""
    most = MOST * _present(configuration)
    return most if configuration.settings.workload.arrival_rate else max(most, _SOME)


def _present(configuration: Configuration) -> int:
    workload = configuration.settings.workload
    return workload.users if workload.arrival_rate is None else _ARRIVALS


def highest_loads(
    configuration: Configuration, limits: Limits, told: Callable[[int], object] | None = None
) -> list[Loads]:
    """For each target, the largest load of each variant that meets it, times the present one.

    ``told`` is called with how many variants are done.
    A target that no load meets has 0. Where arrivals come faster than a station can serve, every
    response time misses its target, and of the utilizations only that of the station.
    """
    middles = _highest(configuration, limits, ways_of(configuration), told)
    apart = percentiles_apart(configuration, limits)
    result = []
    for (name, _), loads in zip(limits, middles, strict=True):
        mid = log_load(loads[0])
        low, high = apart.get(name, (mid, mid))
        result.append(Loads(loads, mid - low, high - mid))
    return result


def percentiles_apart(
    configuration: Configuration, limits: Limits
) -> dict[str, tuple[float, float]]:
    """Logarithms of the least and largest load that targets of percentiles may allow.

    How far off percentiles may be is asked of one model, and taken to be alike in all.
    """
    held = dict(_held(configuration, limits))
    off = {name: limit for name, limit in limits if held[name] < limit}
    ends = [(name, end) for name, at in off.items() for end in (held[name], at * at / held[name])]
    found = _highest(configuration, tuple(ends), ways_of(configuration)[:1]) if ends else []
    logs = [log_load(load) for (load,) in found]
    return dict(zip(off, zip(logs[::2], logs[1::2], strict=True), strict=True))


def _highest(
    configuration: Configuration, limits: Limits, ways: Sequence[Variant],
    told: Callable[[int], object] | None = None,
) -> list[tuple[float, ...]]:  # fmt: skip
    now = _present(configuration)

    def search(at: At, centres: Sequence[Found] | None) -> Search[tuple[Any, ...]]:
        found = []
        for j, (name, limit) in enumerate(limits):

            def left(load: int, name: str = name, limit: float = limit) -> Search[float]:
                outlook = yield from at(load)
                return -inf if outlook is None else limit - _value(outlook, name)

            centre = centres[j] if centres else None
            one = yield from _largest(left, float(now), _most(configuration), centre)
            found.append(one._replace(load=(yield from _told(one, name, at))))
        return tuple(found)

    found = _searched(configuration, ways, search, told)
    return [tuple([each[j].load / now for _, each in found]) for j in range(len(limits))]


def first_crossings(
    configuration: Configuration, limits: Limits
) -> tuple[tuple[Variant, float, int], ...]:
    """For each variant, the largest load that meets all targets, and which the next one misses.

    Loads are times the present one; infinite where no target is ever missed.
    """
    return _first_crossings(question_of(configuration), limits)


@lru_cache(maxsize=256)
def _first_crossings(question: Question, limits: Limits) -> tuple[tuple[Variant, float, int], ...]:
    configuration = question.configuration
    now = _present(configuration)
    workload = configuration.settings.workload
    rated = workload.arrival_rate is not None
    several = len(workload.classes) > 1

    def shares(outlook: VariantOutlook) -> list[float]:
        return [_value(outlook, name) / limit for name, limit in limits]

    def search(at: At, centres: Sequence[Any] | None) -> Search[tuple[Any, ...]]:
        def left(load: int) -> Search[float]:
            outlook = yield from at(load)
            return -inf if outlook is None else 1.0 - max(shares(outlook))

        centre = centres[0] if centres else None
        found = yield from _largest(left, float(now), _most(configuration), centre)
        if not centres and FEW <= found.load < inf:
            found = found._replace(load=(yield from _whole(left, int(found.load))))
        outlook = yield from at(found.asked if found.load < inf else now)
        taken = [0.0] if outlook is None else shares(outlook)
        if outlook is not None and several and 0.0 < found.load < inf:
            # A class whose first user is already too slow meets its target only without users.
            there = yield from at(int(found.load) + 1)
            late = [] if there is None else shares(there)
            for j, (name, _) in enumerate(limits[: len(late)]):
                kind, _, of = name.partition(" of ")
                if kind != "utilization" and of not in outlook.times and late[j] > 1.0:
                    return found._replace(load=0.0), j
        if not 1.0 <= found.load < inf or (centres and found.load >= FEW):
            return found, taken.index(max(taken))
        # Each target has a crossing of its own; the first of them counts.
        low = int(found.load)
        here, there = (yield from at(low)), (yield from at(low + 1))
        if here is None or there is None or max(shares(here)) > 1.0:
            return found, taken.index(max(taken))
        crossed = [
            (low + (1.0 - a) / (b - a), j)
            for j, (a, b) in enumerate(zip(shares(here), shares(there), strict=True))
            if b > 1.0 >= a
        ]
        load, first = min(crossed, default=(found.load, taken.index(max(taken))))
        kept = load if rated or found.load < FEW else found.load  # of many users, whole ones
        return found._replace(load=kept), first

    found = _searched(configuration, ways_of(configuration), search)
    return tuple((way, one.load / now, first) for way, (one, first) in found)


def _searched(
    configuration: Configuration,
    ways: Sequence[Variant],
    search: Callable[[At, Any], Search[tuple[Any, ...]]],
    told: Callable[[int], object] | None = None,
) -> list[tuple[Variant, tuple[Any, ...]]]:
    """What a search finds for each way: for the models themselves first, then beside what they say.

    All ways take their steps together.
    """
    found: dict[int, Any] = {}
    centres: dict[str, Any] = {}
    for some in (
        [i for i, way in enumerate(ways) if way.axis == 0],
        [i for i, way in enumerate(ways) if way.axis],
    ):

        def ask(asked: Sequence[tuple[int, int]], some: list[int] = some) -> Sequence[Any]:
            if told is not None:
                told(len(found) + len(some) - len(asked))
            changed = [at_load(configuration, load) for _, load in asked]
            return worst_of_many(changed, [ways[some[j]] for j, _ in asked])

        searches = [search(remembered({}), centres.get(ways[i].member)) for i in some]
        for i, result in zip(some, side_by_side(searches, ask), strict=True):
            found[i] = result
            if ways[i].axis == 0:
                centres[ways[i].member] = result
    return [(way, found[i]) for i, way in enumerate(ways)]


def _told(found: Found, name: str, at: At) -> Search[float]:
    """The load at which a target is crossed, unless it is not this target that is crossed there."""
    load = found.load
    if not 0.0 < load < inf:
        return load
    what, _, of = name.partition(" of ")
    here = yield from at(found.asked)
    if here is None:
        return load
    if what != "utilization":
        # A class whose first user is already too slow meets the target only without users.
        return load if of in here.times else 0.0
    busiest = max(here.utilizations, key=lambda each: here.utilizations[each])
    if of == busiest:
        return load
    return inf if (yield from at(int(load) + 1)) is None else load


def _largest(
    left: Callable[[int], Search[float]], guess: float, most: float, centre: Found | None = None
) -> Search[Found]:
    """The load at which a target has nothing left; 0 if it never has, infinite if always.

    What is ``left`` to the target falls as the load rises; the search starts at a ``guess``, and
    loads beyond ``most`` are as good as never. Near the ``centre``, found for the model of which
    this is a variant, two loads are asked for instead of five.
    """
    first_step = 0.2
    if centre is not None:
        near, guess = yield from _beside(left, centre)
        if near is not None:
            return near
        first_step = 0.02
    low = max(1, round(min(guess, most)))
    step = max(1, round(low * first_step))
    if (yield from left(low)) >= 0.0:
        while (yield from left(high := low + step)) >= 0.0:
            if high > most:
                return Found(inf, high)
            low, step = high, 2 * step
    else:
        high = low
        while True:
            if high == 1:
                return Found(0.0, 1)
            low = max(1, high - step)
            if (yield from left(low)) >= 0.0:
                break
            high, step = low, 2 * step
    # Beyond saturation there is nothing to interpolate to.
    while high - low > (1 if (yield from left(high)) == -inf else max(1, _FINE * low)):
        middle = (low + high) // 2
        low, high = (middle, high) if (yield from left(middle)) >= 0.0 else (low, middle)
    here, there = (yield from left(low)), (yield from left(high))
    if not isfinite(there):
        return Found(float(low), low)
    return Found(low + (high - low) * here / (here - there), low, (here - there) / (high - low))


def _whole(left: Callable[[int], Search[float]], load: int) -> Search[float]:
    """The whole number near a load beyond which the next one is too many.

    Classes have whole numbers of users as well, so that between two loads there are steps.
    """
    step = -1 if (yield from left(load)) < 0.0 else 1
    while load + step > 1 and ((yield from left(load + step)) < 0.0) == (step < 0):
        load, step = load + step, 2 * step
    low, high = sorted((load, max(1, load + step)))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if (yield from left(middle)) >= 0.0 else (low, middle)
    return float(low)


def _beside(
    left: Callable[[int], Search[float]], centre: Found
) -> Search[tuple[Found | None, float]]:
    """What is found near a centre, by its slope and a secant; where to look if nothing is."""
    if not 0.0 < centre.load < inf:
        room = yield from left(centre.asked)
        alike = room >= 0.0 if centre.load else room < 0.0
        return (centre if alike else None), float(centre.asked)
    if not centre.slope:
        return None, centre.load
    first = max(1, round(centre.load))
    room = yield from left(first)
    if not isfinite(room):
        return None, centre.load
    second = max(1, round(min(max(first + room / centre.slope, 0.5 * first), 2.0 * first)))
    load, slope = first + room / centre.slope, centre.slope
    if second != first:
        then = yield from left(second)
        if not isfinite(then) or (then - room) * (second - first) >= 0.0:
            return None, centre.load
        slope = (room - then) / (second - first)
        load = second + then / slope
        if abs(load - second) > max(1.0, _FINE * second):
            return None, max(1.0, load)
    if 1.0 <= load < FEW:  # between neighbours: wherever a search began, it ends alike
        low = int(load)
        here, there = (yield from left(low)), (yield from left(low + 1))
        if not here >= 0.0 > there > -inf:
            return None, load
        return Found(low + here / (here - there), low, here - there), load
    return Found(load, second, slope), load
