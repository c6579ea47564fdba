"""The verdict: whether the users fit, how many would, and what stops the next one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import Literal

from advisor.configuration.configuration import Configuration
from advisor.findings.targets import full_at, missed, promised, unseen
from advisor.findings.words import percent, resource_name, seconds
from advisor.predicting.highest_load import (
    MOST,
    USUAL,
    first_crossings,
    limits_of,
    log_load,
    percentiles_apart,
)
from advisor.predicting.outlook import Outlook
from advisor.predicting.reproduced import caveat
from calibration.agreements.ensemble import combine
from calibration.estimation.interval import Range

State = Literal["FITS", "AT RISK", "TOO SLOW", "OVERLOADED", "NOT KNOWN"]

#: From this utilization on a server has nothing left. [1]
FULL = 0.99


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a server does what it is for."""

    #: "FITS"; "AT RISK" where an interval straddles a target; "TOO SLOW" where a response time is
    #: beyond its target; "OVERLOADED" where a utilization is, nothing is left, or more arrives
    #: than can be served; "NOT KNOWN" where the model knows of nothing that could limit the load.
    state: State
    #: Users, or interactions per second where they arrive. [customers], [1/s]
    load: float
    #: The largest load that fits; None where nothing limits it. [customers], [1/s]
    most: Range | None
    #: What reaches its limit then, as "utilization of cpu".
    limited_by: str
    #: That limit. [s], [1]
    limit: float
    #: Whether the configuration has targets; else the limit is a convention.
    promised: bool
    #: Whether the load is a number of users.
    counted: bool = True

    @property
    def fits(self) -> bool:
        """Whether no target is missed, by the middle of every interval."""
        return self.state in ("FITS", "AT RISK")

    def would(self) -> str:
        """How many would fit, with the interval where it has a width."""
        if self.most is None:
            return "any number would"
        unit = "" if self.counted else " /s"
        low, mid, high = map(self.loaded, (self.most.low, self.most.mid, self.most.high))
        if mid == "0":
            return "not even one would" if self.counted else "no rate would"
        return f"{mid}{unit} would" if low == high else f"{mid}{unit} would ({low}-{high})"

    @property
    def estimated(self) -> str:
        """How many fit by the middle of every interval; empty where those are too few."""
        if self.most is None or self.most.mid + 1e-6 < self.load:
            return ""
        low, mid, high = map(self.loaded, (self.most.low, self.most.mid, self.most.high))
        unit, fit = "" if self.counted else " /s", "fits" if mid == "1" else "fit"
        width = "" if low == high else f" ({low} to {high})"
        return f"by the best estimate up to {mid}{unit} {fit}{width}"

    def loaded(self, value: float) -> str:
        """A load: whole users, or arrivals per second."""
        return f"{int(value + 1e-6)}" if self.counted else f"{value:.4g}"

    def limited(self, verb: str = "reaches") -> str:
        """What reaches its limit with one user more, or is above it."""
        what, _, of = self.limited_by.partition(" of ")
        is_time = what != "utilization"
        limit = seconds(self.limit) if is_time else percent(self.limit)
        whose = f"the {self.limited_by}" if is_time else resource_name(of)
        return f"{whose} {verb} {limit}{'' if self.promised else ', a convention'}"


def verdict_of(configuration: Configuration, outlook: Outlook) -> Verdict:
    """The verdict on a configuration, whose outlook at the worst hour of the peak is known."""
    workload = configuration.settings.workload
    load = workload.load
    limits = limits_of(configuration, None if promised(configuration) else USUAL)
    most, by = _most(configuration, limits, load)
    name, limit = limits[by] if by is not None else ("", 0.0)
    busy = any(each.startswith("utilization") for each, _ in limits)
    full, what = full_at(configuration) if busy else (None, "")
    if full is not None and (most is None or full.mid < most.mid):
        most, name, limit = full, what, 1.0
    state = _state(configuration, outlook, most, load, by_limit=unseen(name))
    if state == "FITS" and most is not None:
        most = Range(*(max(end, load) for end in (most.low, most.mid, most.high)))
    return Verdict(
        state, load, most, name, limit, promised(configuration), workload.arrival_rate is None
    )


def _most(
    configuration: Configuration, limits: Sequence[tuple[str, float]], load: float
) -> tuple[Range | None, int | None]:
    """The largest load that meets all limits, and which of them the next one misses."""
    if not limits:
        return None, None
    crossed = first_crossings(configuration, tuple(limits))
    weights: dict[int, float] = {}
    for way, share, first in crossed:
        if way.axis == 0 and share < inf:
            weights[first] = weights.get(first, 0.0) + (way.weight or 1.0)
    if not weights:
        return None, None
    most = max([MOST, *(share for _, share, _ in crossed if share < inf)])
    found = combine(
        [way for way, _, _ in crossed], [min(share, most) * load for _, share, _ in crossed]
    )
    by = max(weights, key=lambda j: weights[j])
    # A percentile may be off besides, by which its target allows less or more.
    mid = log_load(next(share for way, share, _ in crossed if way.axis == 0))
    for low, high in percentiles_apart(configuration, (limits[by],)).values():
        ends = found.low * exp(min(0.0, low - mid)), found.high * exp(max(0.0, high - mid))
        found = Range(ends[0], found.mid, ends[1])
    return found, by


def _state(
    configuration: Configuration, outlook: Outlook, most: Range | None, load: float, *,
    by_limit: bool,
) -> State:  # fmt: skip
    late = missed(configuration, outlook)
    if any(each.response_time.mid == inf for each in outlook.classes if not each.batch):
        return "OVERLOADED"
    beyond = [each for each in late if each.predicted.mid > each.limit]
    if any(each.unit == "s" for each in beyond):
        return "TOO SLOW"
    busiest = max((r.utilization.mid for r in outlook.resources), default=0.0)
    if beyond or (busiest >= FULL and not promised(configuration)):
        return "OVERLOADED"
    if busiest == 0.0 or most is None:
        return "NOT KNOWN" if not promised(configuration) or busiest == 0.0 else "FITS"
    if most.mid < load and (by_limit or not promised(configuration)):
        return "OVERLOADED"
    # Of targets the load itself tells; how many fit is found for the mix of many users.
    short = most.low < load and (by_limit or not promised(configuration))
    unsure = late or short or caveat(configuration)
    return "AT RISK" if unsure else "FITS"
