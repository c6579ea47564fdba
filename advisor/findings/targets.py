"""Targets: what was promised, held against what is predicted."""

from collections.abc import Iterable, Iterator
from math import inf, nextafter
from typing import Any, Literal

from advisor.configuration.changes import Change, Key
from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import Promise, time_name
from advisor.configuration.schema import Targets
from advisor.findings.records import Missed
from advisor.findings.words import resource_name
from advisor.predicting.calibrated import calibration_of, places_of
from advisor.predicting.outlook import ClassOutlook, Outlook, ResourceOutlook
from advisor.predicting.saturation import never_seen_full, saturation
from advisor.predicting.workload import asked_by_rate
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range
from calibration.predicting.saturation import POOL
from qmodel.errors import InvalidInput

#: Whether targets are met for certain, by the middle of every interval, or not.
Standing = Literal["FITS", "AT RISK", "MISSED"]

#: What is missed where as many requests as a calibrated pool holds are inside, and where a quota
#: that calibration found is used up, though the processor is not.
FULL_POOL, FULL_QUOTA = f"utilization of {POOL}", "utilization of quota"
#: After the name of a station that is full before its monitor says so.
SHOWN_LESS = " (its monitor shows less)"


def unseen(what: str) -> bool:
    """Whether it is a limit that no utilization shows."""
    return what in {FULL_POOL, FULL_QUOTA} or what.endswith(SHOWN_LESS)


def promised(configuration: Configuration) -> bool:
    """Whether the configuration has a target at all."""
    targets = configuration.settings.targets
    return targets is not None and (targets.has_times or targets.utilization is not None)


def targets_of(configuration: Configuration) -> Targets:
    """The configuration's targets; InvalidInput if it has none."""
    targets = configuration.settings.targets
    if targets is None or not promised(configuration):
        raise InvalidInput(
            "no target: give --response 2s or --utilization 80%, or [targets] in the configuration"
        )
    return targets


def missed(configuration: Configuration, outlook: Outlook) -> tuple[Missed, ...]:
    """The targets that are or may be missed: the upper end of an interval is beyond them."""
    targets = configuration.settings.targets
    if targets is None:
        return ()
    found: list[Missed] = []
    for users, share, limit in held_times(configuration, outlook):
        time = users.within(share)
        if time.high > limit:
            what = f"{time_name(share)} of {users.name}"
            key = _key(targets, users.name, share)
            found.append(Missed(what, users.name, "s", key, time, limit, share))
    if targets.utilization is not None:
        limit = targets.utilization
        for resource in _held(configuration, outlook):
            busy = resource.utilization
            if busy.high > limit:
                what = f"utilization of {resource_name(resource.name)}"
                found.append(Missed(what, resource.name, "1", "utilization", busy, limit))
        load, (full, what) = configuration.settings.workload.load, full_at(configuration)
        if full is not None and load > full.mid:
            taken = Range(load / full.high, load / full.mid, load / full.low)
            of = what.removeprefix("utilization of ")
            found.append(Missed(what, of, "1", "utilization", taken, 1.0))
    return tuple(found)


def full_at(configuration: Configuration) -> tuple[Range | None, str]:
    """Users, or arrivals, at which a pool or a calibrated quota is full, and which of them.

    None if something else fills first. [customers], [1/s]
    """
    calibration = calibration_of(configuration)
    models = [*map(calibration.service, calibration.admissible)] if calibration else []
    given = configuration.settings.server.most_active is not None
    if not given and not any(m.pool[0] < inf or never_seen_full([m]) for m in models):
        return None, ""
    point = saturation(configuration)
    # The station that fills first is that of the likeliest model, which comes first.
    quota = never_seen_full(models[:1])
    if point is None or point.station not in {POOL, *quota}:
        return None, ""
    what = FULL_POOL
    if point.station in quota:
        of = f"{point.station}{SHOWN_LESS}"
        what = FULL_QUOTA if quota[point.station] else f"utilization of {of}"
    return point.throughput if point.users is None else point.users, what


def limiting_pool(configuration: Configuration) -> tuple[str, Range] | None:
    """The pool that fills first, and how much of it is taken; None where none does."""
    full, what = full_at(configuration)
    if what != FULL_POOL or not full or not full.low:
        return None
    load = configuration.settings.workload.load
    low, mid, high = (min(1.0, load / each) for each in (full.high, full.mid, full.low))
    return f"pool of {places_of(configuration)}", Range(low, mid, high)


def bottleneck_of(configuration: Configuration, outlook: Outlook) -> tuple[str, Range]:
    """What is called the bottleneck, and how busy it is: such a pool, else a resource."""
    name = outlook.bottleneck
    return limiting_pool(configuration) or (name, outlook.resource(name).utilization)


def standing(late: Iterable[Missed]) -> Standing:
    """How what is or may be missed stands: at risk where the middle of every interval keeps."""
    beyond = [each.predicted.mid > each.limit for each in late]
    return "MISSED" if any(beyond) else "AT RISK" if beyond else "FITS"


def held_times(
    configuration: Configuration, outlook: Outlook
) -> Iterator[tuple[ClassOutlook, float | None, float]]:
    """Each class of users with every limit of its times; a share of None is the mean."""
    targets = configuration.settings.targets
    for users in outlook.classes if targets else ():
        if targets and not users.batch:
            for share, limit in targets.of(users.name).limits:
                yield users, share, limit


def _key(targets: Targets, name: str, share: float | None) -> str:
    """The key of the file that says so."""
    if any(of == share for of, _ in dict(targets.classes).get(name, Promise()).limits):
        return "class"
    if any(of == share for of, _ in (targets.slo or Promise()).limits):
        return "slo"
    return "response_time"


def _held(configuration: Configuration, outlook: Outlook) -> list[ResourceOutlook]:
    """Resources that a target of utilization holds for.

    Of what was not measured a calibration alone knows enough.
    """
    calibrated = configuration.settings.workload.calibration is not None
    return [r for r in outlook.resources if calibrated or r.name != NOT_MEASURED]


def most_missed(configuration: Configuration, outlook: Outlook) -> str:
    """The class that misses its response time by most, empty if none does.

    Its response time is what options and plans are shown by.
    """
    late = [m for m in missed(configuration, outlook) if m.unit == "s"]
    worst = max(late, key=lambda m: m.predicted.mid / m.limit if m.limit else inf, default=None)
    return worst.of if worst else ""


def share_of_targets(configuration: Configuration, outlook: Outlook) -> float:
    """How much of its target the worst metric takes: none is missed up to 1. [1]

    0 without targets. Exactly then above 1 when `missed` names one.
    """
    targets = configuration.settings.targets
    if targets is None:
        return 0.0
    held = held_times(configuration, outlook)
    taken = [0.0, *(_share(users.within(share).high, limit) for users, share, limit in held)]
    if targets.utilization is not None:
        busy = [r.utilization.high for r in _held(configuration, outlook)]
        taken += [_share(each, targets.utilization) for each in busy]
        if (full := full_at(configuration)[0]) is not None:
            load = float(outlook.users) if outlook.arrival_rate is None else outlook.arrival_rate
            taken.append(_share(load, full.mid))
    return max(taken)


def _share(value: float, limit: float) -> float:
    """Value over limit, beyond 1 exactly if the value is beyond the limit."""
    share = value / limit if limit > 0.0 else inf
    if value > limit:
        return max(share, nextafter(1.0, inf))
    return min(share, 1.0)


def promised_times(configuration: Configuration) -> tuple[tuple[str, float], ...]:
    """Each limit of a response time, once where it is of all classes. [s]"""
    targets = targets_of(configuration)
    found = [(time_name(share), limit) for share, limit in targets.common.limits]
    for name, promise in targets.classes:
        found += [(f"{time_name(share)} of {name}", limit) for share, limit in promise.limits]
    return tuple(found)


def kept_targets(
    configuration: Configuration, response_time: object, utilization: float | None
) -> tuple[str, ...]:
    """The keys of the configuration's own targets that `with_targets` keeps beside given ones."""
    targets = configuration.settings.targets
    if targets is None:
        return ()
    own = {
        "response_time": response_time is None and targets.has_times,
        "utilization": utilization is None and targets.utilization is not None,
        "survived_loss": targets.survive > 0,
    }
    return tuple(key for key, kept in own.items() if kept)


def for_users(configuration: Configuration, users: int) -> Configuration:
    """The configuration as if its file gave so many users; InvalidInput if they arrive by a rate.

    Unlike `Configuration.with_users`, changes of it keep them.
    """
    if configuration.settings.workload.arrival_rate is not None:
        problem = "workload.arrival_rate says how many arrive; predict and size take --rate"
        raise InvalidInput(f"--users: {problem}")
    return Change("", ((("workload", "users"), users),)).apply(configuration)


def with_targets(
    configuration: Configuration, users: int | None = None,
    response_time: float | Promise | None = None, utilization: float | None = None, *,
    rate: float | None = None,
) -> Configuration:  # fmt: skip
    """The configuration with another load and targets; it keeps those that are not given.

    The times promised replace all of its own [s], the utilization its own alone [1]. InvalidInput
    if there is no target then, or users arrive at a rate of their own.
    """
    settings: list[tuple[Key, Any]] = []
    if rate is not None:
        if users is not None:
            raise InvalidInput("give --users or --rate, not both")
        settings.append((("workload", "arrival_rate"), f"{rate!r} /s"))
        if configuration.settings.workload.arrival_rate is None:
            parts = enumerate(asked_by_rate(configuration))
            settings += [(("workload", "class", i, "share"), part) for i, part in parts]
    if users is not None:
        configuration = for_users(configuration, users)
    if response_time is not None:
        promise = response_time if isinstance(response_time, Promise) else Promise(response_time)
        settings.append((("targets", "response_time"), promise.written))
        settings += [(("targets", key), None) for key in ("slo", "class")]
    if utilization is not None:
        settings.append((("targets", "utilization"), utilization))
    found = Change("", tuple(settings)).apply(configuration) if settings else configuration
    targets_of(found)  # refuses one that has none
    return found
