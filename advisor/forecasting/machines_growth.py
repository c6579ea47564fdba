"""Growth on several machines: when targets are missed, and what a plan brings; see THEORY.md."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, isfinite, log

from advisor.configuration.promises import time_name
from advisor.forecasting.forecast import SEED, Growth, Upgrade, crossing_of, gained, quantiles_of
from advisor.forecasting.user_growth import UserGrowth
from advisor.forecasting.worlds import WORLDS, draw_worlds
from advisor.machines.crossing import NEAR, narrowed
from advisor.machines.outlook import RATE_ERROR, TINY, Outlook, busy_limit, outlook
from advisor.machines.review import review_machines
from advisor.machines.settings import with_settings, with_value
from advisor.machines.tables import Machines
from advisor.predicting.highest_load import Loads
from calibration.agreements.ensemble import Variant
from calibration.estimation.interval import Range

#: A world is the method's answer, or times that are longer or shorter by its error.
WAYS = tuple(Variant("layers", axis, {}) for axis in (0, 1, 1))
#: Times the users of today that are tried. [1]
MOST = 100.0
#: A target: its name, its value, and how far above it something is, as a logarithm and its range.
Target = tuple[str, float, Callable[[Outlook], Range]]


def machines_growth(
    machines: Machines, users_growth: UserGrowth, changes: Sequence[tuple[str, list[str]]] = (),
    seed: int = SEED, progress: Callable[[int, int], object] | None = None,
) -> Growth:  # fmt: skip
    """When targets are missed, and how many months changes gain; without any, those of a plan.

    The plan is that of a load a tenth above the one at which the first target is missed.

    Raises
    ------
    InvalidInput
        If a change names no setting.
    """
    import numpy as np

    now = machines.file.workload.users
    targets = list(_targets(machines))
    loads = [_loads(machines, targets, progress)]
    first = min((each.of_ways[0] for each in loads[0]), default=inf)
    after = [(title or ", ".join(some), with_settings(machines, some, "--alternative"))
             for title, some in changes]  # fmt: skip
    if not changes and isfinite(first):
        after = list(_planned(machines, max(now, round(1.1 * first * now))))
    for _, each in after:  # which may have other devices
        loads.append(_loads(each, list(_targets(each)), progress))
    worlds = draw_worlds(float(now), users_growth, WAYS, seed, by_rate=False)
    months = [[worlds.months(WAYS, found) for found in each] for each in loads]
    firsts = [np.min(each, axis=0) for each in months]
    crossings = [crossing_of(name, limit, WAYS, found, drawn) for (name, limit, _), found, drawn
                 in zip(targets, loads[0], months[0], strict=True)]  # fmt: skip
    earliest = Loads(tuple(map(min, zip(*(each.of_ways for each in loads[0]), strict=True))))
    upgrades = [Upgrade(title, (), quantiles_of(gained(firsts[0], drawn)), quantiles_of(drawn))
                for (title, _), drawn in zip(after, firsts[1:], strict=True)]  # fmt: skip
    return Growth(
        now, None, users_growth.per_month, users_growth.source,
        tuple(sorted(crossings, key=lambda c: c.months.mid)),
        crossing_of("the first of them", 0.0, WAYS, earliest, firsts[0]),
        tuple(sorted(upgrades, key=lambda u: (-u.bought.mid, -u.bought.low))),
        (), "", None, WORLDS, seed,
    )  # fmt: skip


def _planned(machines: Machines, users: int) -> Iterator[tuple[str, Machines]]:
    """The plan of so many users: its first step, its first two and so on."""
    titles, changed = [], machines
    for step in review_machines(with_value(machines, ("workload", "users"), users)).plan:
        titles.append(step.title)
        changed = with_value(changed, step.key, step.value)
        yield "; ".join(titles), changed


def _targets(machines: Machines) -> Iterator[Target]:
    """Promised times of each class, and utilizations of devices."""
    now = outlook(machines, machines.file.workload.users)
    for name, share, limit in now.limits(machines):
        if limit is not None:
            yield f"{time_name(share)} of {name}", limit, _lateness(name, share, limit)
    busy = busy_limit(machines)
    if busy is not None:
        for row in now.rows:
            if not row.resource.is_pool:
                yield f"utilization of {row.resource.name}", busy, _load(row.resource.name, busy)


def _lateness(name: str, share: float | None, limit: float) -> Callable[[Outlook], Range]:
    def found(each: Outlook) -> Range:
        if name not in each.response_times:  # so few users have none of the class
            return Range(log(TINY), log(TINY), log(TINY))
        time = each.within(name, share)
        return Range(*(log(max(TINY, t) / limit) for t in (time.low, time.mid, time.high)))

    return found


def _load(name: str, limit: float) -> Callable[[Outlook], Range]:
    def found(each: Outlook) -> Range:
        off = log(max(TINY, each.row(name).utilization) / limit)
        return Range(off - RATE_ERROR, off, off + RATE_ERROR)

    return found


def _loads(
    machines: Machines, targets: Sequence[Target], progress: Callable[[int, int], object] | None
) -> list[Loads]:
    """By target the load at which it is missed: in the middle, with times longer, and shorter."""
    now = machines.file.workload.users
    at = cache(lambda users: outlook(machines, users))
    found = []
    for i, (name, _, above) in enumerate(targets):
        if progress:
            progress(i, len(targets))
        search = _Search(above, at, now, bounded=name.startswith("utilization"))
        middle = search.crossing("mid")
        ends = search.crossing("high", middle), search.crossing("low", middle)
        found.append(Loads((middle, *ends)))
    return found


@dataclass(frozen=True)
class _Search:
    """For the load from which on something is above its target."""

    above: Callable[[Outlook], Range]
    at: Callable[[int], Outlook]
    now: int
    #: Whether it may stay as it is however many users there are.
    bounded: bool

    def crossing(self, end: str, near: float = inf) -> float:
        """That load of one end of a range, infinite where it never is above. [1]"""

        def off(users: int) -> float:
            value: float = getattr(self.above(self.at(users)), end)
            return value

        low, high, now = 1, max(2, self.now), self.now
        if near not in {0.0, inf}:
            low, high = max(1, int(0.8 * near * now)), int(1.25 * near * now) + 2
        if off(low) > 0.0:
            if low == 1 or off(1) > 0.0:
                return 0.0
            low, high = 1, low
        while off(high) <= 0.0:
            if high > MOST * now or (self.bounded and off(high) - off(low) < NEAR):
                return inf
            low, high = high, 2 * high
        # The ends of an interval need less.
        low, high = narrowed(off, low, high, NEAR if end == "mid" else 4.0 * NEAR)
        return (low - off(low) / (off(high) - off(low)) * (high - low)) / now
