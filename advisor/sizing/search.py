"""Sizing: the cheapest configuration within targets, and what more cost brings; see THEORY.md."""

from collections.abc import Callable, Sequence
from math import ceil, inf
from os import PathLike
from typing import Any

from advisor.configuration.changes import Change, Settings
from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import Promise
from advisor.configuration.schema import Targets
from advisor.findings import targets as goals
from advisor.findings.records import Missed
from advisor.findings.unmeasured import unmeasured
from advisor.predicting.calibrated import places_of
from advisor.predicting.prediction import predict, worst_of
from advisor.predicting.tails import asked_tails
from advisor.predicting.workload import loads_of, ways_of
from advisor.sizing import estimates
from advisor.sizing.candidates import Choice, choices, groups_of, rest, values_to_vary
from advisor.sizing.one_by_one import PLACES, REPLICAS, TIMES, best_of_all, check
from advisor.sizing.prices import Prices, prices_of
from advisor.sizing.record import Candidate, Sizing, candidate_of, missed_by_all
from calibration.agreements.ensemble import Variant
from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.hardware import station_kind
from calibration.hardware.task import Load
from calibration.predicting.saturation import POOL
from qmodel.errors import InvalidInput, Unstable

Progress = Callable[[int, int], object]

#: Points of the front that are solved in full.
FRONT = 12
#: Points closer than this in response time are one. [1]
APART = 0.01
#: The front is traced from this many times the target on: who waits longer need not choose.
SLOWEST = 10.0
#: More users than these are not bounded one by one.
MOST_USERS = 10_000
#: The middle of all models is at most so many times the time of the one that counts most. [1]
MIDDLE = 1.25
_ROUNDING = 1.0 + 1e-9


def size(
    configuration: Configuration, *, users: int | None = None, rate: float | None = None,
    response_time: float | Promise | None = None, utilization: float | None = None,
    vary: Sequence[str] = (), prices: Prices | str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Sizing:  # fmt: skip
    """Find the cheapest configuration that meets the targets.

    Parameters
    ----------
    configuration : Configuration
        The present one, whose parts that are not varied stay.
    users : int, optional
        For how many; those of the configuration if not given. [customers]
    rate : float, optional
        For how many requests per second, instead of users. [1/s]
    response_time, utilization : float, optional
        Targets; one that is not given is the configuration's own, if it has one. [s], [1]
    vary : sequence of str
        ``KEY=VALUE,VALUE`` or ``KEY``; what is usual if empty.
    prices : Prices or path, optional
        What parts cost.
    progress : callable, optional
        Called with how many candidates are done, of how many. An interrupt from the keyboard
        ends the search, and what was found is returned.

    Raises
    ------
    qmodel.InvalidInput
        If there is no target, or nothing to choose from.
    """
    base = goals.with_targets(configuration, users, response_time, utilization, rate=rate)
    known = prices if isinstance(prices, Prices) else prices_of(configuration, prices)
    values = values_to_vary(configuration, vary)
    kept = goals.kept_targets(configuration, response_time, utilization)
    if not vary and goals.full_at(base)[1] == goals.FULL_POOL and (places := places_of(base)):
        values[PLACES] = tuple(sorted({ceil(places * each) for each in TIMES}))
    if {REPLICAS, PLACES} <= {*values}:
        raise InvalidInput(f"--vary {PLACES}: leave it out, or {REPLICAS}: not modelled together")
    key = REPLICAS if REPLICAS in values else PLACES
    counts = values.pop(key, None)
    if counts is None:
        return _sized(base, values, known, kept, progress)
    check(key, counts)
    survive = goals.targets_of(base).survive if key == REPLICAS else 0
    each = [(n, Change.of("", key, n).apply(base)) for n in counts if n > survive]
    return best_of_all(key, [(n, _sized(at, values, known, kept, progress)) for n, at in each])


def _sized(
    base: Configuration, values: dict[str, tuple[Any, ...]], known: Prices, kept: tuple[str, ...],
    progress: Progress | None,
) -> Sizing:  # fmt: skip
    targets = goals.targets_of(base)
    search = _Search(base, targets, values, known, progress)
    try:
        doubt = len(ways_of(base)) > 1 or asked_tails(base)
        if not search.find() and doubt:
            search.find(sure=False)
        search.trace_front()
        complete = True
    except KeyboardInterrupt:
        complete = False
    workload = base.settings.workload
    return Sizing(
        workload.users, workload.arrival_rate, goals.promised_times(base), targets.utilization,
        kept, search.best, search.front(), search.count, len(search.tried), search.impossible,
        known.note, known.currency, search.without_price, complete, *search.always_missed(),
        search.unmeasured(),
    )  # fmt: skip


def cheapest(configuration: Configuration) -> Settings:
    """Settings of the cheapest that fits the configuration's own targets; none if none does.

    Raises
    ------
    qmodel.InvalidInput
        If there is no target, or nothing to choose from.
    """
    values, prices = values_to_vary(configuration, ()), prices_of(configuration)
    search = _Search(configuration, goals.targets_of(configuration), values, prices, None)
    search.find()
    return next((search.settings(i) for i, each in search.tried.items() if each is search.best), ())


class _Search:
    """The candidates, and what is known of them so far."""

    def __init__(
        self, base: Configuration, targets: Targets, values: dict[str, tuple[Any, ...]],
        prices: Prices, progress: Progress | None,
    ) -> None:  # fmt: skip
        import numpy as np

        self.base, self.prices, self.progress = base, prices, progress
        self.tried: dict[int, Candidate | None] = {}
        #: What each of them misses by the middle of its interval.
        self.late: list[list[Missed]] = []
        #: How their response times alone stand, and the worst of them over its limit.
        self.slow: dict[int, goals.Standing] = {}
        self.excess: dict[int, float] = {}
        self.cost: Any
        self.times: Any
        #: Those that cannot fit, and those that cannot even be at risk.
        self.hopeless: Any
        self.beyond: Any
        self.best: Candidate | None = None
        #: Most that users may wait, and that a station may be busy. [s], [1]
        names = [each.name for each in base.settings.workload.classes]
        self.limits = (targets.mean_limit(names) or inf, targets.utilization or 1.0)
        self.ways = _telling(base)
        groups: list[tuple[Choice, ...]] = []
        #: Resources that a varied key makes faster.
        self.varied: set[str] = set()
        self.impossible = 0
        self.without_price: tuple[str, ...] = ()
        self.count = 1
        for group, (keys, resources) in groups_of(base).items():
            self.varied.update(resources if values.keys() & keys else ())
            found, impossible, unpriced = choices(base, group, values, self.ways, prices)
            self.impossible += impossible
            self.without_price += unpriced
            self.count *= len(found)
            groups.append(estimates.worth_it(found))
        self.groups = groups
        self.worse = [estimates.no_better(group) for group in groups]
        shape = tuple(len(group) for group in groups)
        self.index = np.unravel_index(np.arange(np.prod(shape)), shape)
        self.cost = sum(
            np.array([c.cost for c in group])[at]
            for group, at in zip(groups, self.index, strict=True)
        )
        others = rest(base, self.ways)
        self.times = np.zeros(len(self.cost))
        self.hopeless = np.zeros(len(self.cost), dtype=bool)
        self.beyond = np.ones(len(self.cost), dtype=bool)
        for i, way in enumerate(self.ways):
            loads = [load for load, is_batch in loads_of(base, way, ()) if not is_batch]
            chosen, every = self._arrays(i, others[i])
            limit, busiest = self.limits
            # What was not measured has no target of its own.
            told = 1.0 if way.service is not None else busiest  # which monitors see otherwise
            self.hopeless |= estimates.certainly_missed(chosen, loads, limit, told)
            self.hopeless |= estimates.certainly_missed(every, loads, limit)
            if way.axis == 0:
                self.beyond &= estimates.certainly_missed(every, loads, MIDDLE * limit)
            self.times = np.maximum(self.times, estimates.estimated_times(every, loads).max(axis=1))
            if way is self.ways[-1] and self._alone(loads):
                open_ = np.flatnonzero(~self.hopeless)
                self.hopeless[open_] = (
                    estimates.least_times(every[open_], loads[0]) > limit * _ROUNDING
                )

    def _alone(self, loads: Sequence[Load]) -> bool:
        """Whether users of one class, not too many, are all there is."""
        return (
            len(loads) == 1
            and loads[0].arrival_rate is None
            and loads[0].population <= MOST_USERS
            and not self.base.settings.batch
            and self.limits[0] < inf
        )

    def _arrays(self, way: int, others: Any) -> tuple[Any, Any]:
        """Stations that were chosen, and all."""
        import numpy as np

        chosen = np.concatenate(
            [
                estimates.arrays([choice.stations[way] for choice in group])[at]
                for group, at in zip(self.groups, self.index, strict=True)
            ],
            axis=-1,
        )
        same = np.repeat(estimates.arrays([others]), len(chosen), axis=0)
        return chosen, np.concatenate([chosen, same], axis=-1)

    def find(self, *, sure: bool = True) -> bool:
        """Whether any fits, or is at risk unless ``sure``: one that does, then cheaper ones."""
        import numpy as np

        order = np.lexsort((self.times, self.cost))
        open_ = ~(self.hopeless if sure else self.beyond)
        slowest = self.limits[0]
        if open_.any() and asked_tails(self.base):  # where the fastest misses, nearly all do
            self._meets(int(np.flatnonzero(open_)[np.argmin(self.times[open_])]), open_, sure=sure)
        for i in order:
            if open_[i] and self.times[i] <= slowest:
                if self._meets(int(i), open_, sure=sure):
                    break
                # Those that are estimated to be as much too slow come later, if at all.
                slowest = min(slowest, self.times[i] / self.excess.get(i, 1.0))
        while True:
            left = np.flatnonzero(open_ & (self.cost < (self.best.cost if self.best else inf)))
            if self.progress:
                self.progress(len(order) - len(left), len(order))
            if not len(left):
                break
            # The fastest of the cheaper half: where even that misses, so do all with no better
            # part; where it meets, half of what is left is dearer.
            cheaper = left[self.cost[left] <= np.median(self.cost[left])]
            i = int(cheaper[np.argmin(self.times[cheaper])])
            self._meets(i, open_, sure=sure)
            open_[i] = False
        return self.best is not None

    def _meets(self, i: int, open_: Any, *, sure: bool) -> bool:
        if sure and i not in self.tried and len(self.ways) > 1:
            slow, busy = self._misses_in_worst(i)
            if slow:
                self._leave_out(i, open_)
            if slow or busy:
                return False
        enough = ("FITS",) if sure else ("FITS", "AT RISK")
        found = self._solve(i)
        if found is not None and found.state in enough:
            if self.best is None or found.cost < self.best.cost:
                self.best = found
            return True
        if self.slow[i] not in enough:
            self._leave_out(i, open_)
        return False

    def _leave_out(self, i: int, open_: Any) -> None:
        """It, and all that have no part better than it."""
        left = None
        for worse, at in zip(self.worse, self.index, strict=True):
            mine = worse[at[i]][at]
            left = mine if left is None else left & mine
        open_[left] = False
        open_[i] = False

    def _misses_in_worst(self, i: int) -> tuple[bool, bool]:
        """Whether users wait too long, and whether something is too busy, in one variant alone.

        The interval of the full model reaches at least as far.
        """
        limit, busiest = self.limits
        changed = self._configuration(i)
        try:
            found = worst_of(changed, self.ways[-1])
        except Unstable:
            return True, True
        users = {each.name for each in changed.settings.workload.classes}
        return (
            any(time > limit for name, time in found.times.items() if name in users),
            any(u > busiest for name, u in found.utilizations.items() if name != NOT_MEASURED),
        )

    def _solve(self, i: int) -> Candidate | None:
        """A candidate by the full model; None without a steady state."""
        if i not in self.tried:
            changed = self._configuration(i)
            then = predict(changed)
            late = goals.missed(changed, then.outlook)
            slow = [each for each in late if each.unit == "s"]
            self.slow[i] = goals.standing(slow)
            over = max((each.predicted.mid / each.limit for each in slow), default=1.0)
            self.excess[i] = over if 1.0 < over < inf else 1.0
            self.late.append([m for m in late if m.predicted.mid > m.limit])
            settings = Change("", self.settings(i)).diff(self.base.data)
            cost = float(self.cost[i])
            self.tried[i] = (
                None if then.unstable else candidate_of(settings, cost, then.outlook, late)
            )
        return self.tried[i]

    def settings(self, i: int) -> Settings:
        """What a candidate sets."""
        return tuple(
            setting
            for group, at in zip(self.groups, self.index, strict=True)
            for setting in group[at[i]].settings
        )

    def _configuration(self, i: int) -> Configuration:
        return Change("", self.settings(i)).apply(self.base)

    def trace_front(self) -> None:
        """Solve the candidates that are fastest at their cost, as far as can be told roughly."""
        import numpy as np

        chosen: list[int] = []
        fastest, slowest = inf, max(SLOWEST * self.limits[0], self.times.min() * SLOWEST)
        for i in np.lexsort((self.times, self.cost)):
            if self.times[i] < min(fastest * (1.0 - APART), slowest):
                fastest = self.times[i]
                chosen.append(int(i))
        if not chosen:  # none has a steady state: the dearest shows why
            chosen = [int(self.cost.argmax())]
        step = max(1, -(-len(chosen) // FRONT))
        for done, i in enumerate(chosen[::-1][::step][::-1]):
            if self.progress:
                self.progress(done, FRONT)
            self._solve(i)
        if self.progress:
            self.progress(FRONT, FRONT)

    def always_missed(self) -> tuple[tuple[Missed, ...], tuple[str, ...]]:
        """What every candidate solved misses, and resources of it that no varied key touches."""
        if self.best or not self.late:
            return (), ()
        found = missed_by_all(self.late)
        names = [m.of for m in found if m.unit == "1" and m.of not in {POOL, "admission"}]
        same = [name for name in names if not {name, station_kind(name)} & self.varied]
        return found, tuple(same)

    def unmeasured(self) -> str:
        """What was not measured and yet makes users wait, of the cheapest or else as it is."""
        best = [i for i, each in self.tried.items() if each is not None and each is self.best]
        return unmeasured(self._configuration(best[0]) if best else self.base)

    def front(self) -> tuple[Candidate, ...]:
        """Those solved that no other beats in cost and response time both."""
        found: list[Candidate] = []
        solved = [each for each in self.tried.values() if each is not None]
        for each in sorted(solved, key=lambda c: (c.cost, c.response_time.mid)):
            if (
                not found
                or each.response_time.mid < found[-1].response_time.mid * (1.0 - APART)
                or each is self.best
            ):
                found.append(each)
        return tuple(found)


def _telling(base: Configuration) -> tuple[Variant, ...]:
    """Each member itself, and last the variant in which users now wait longest.

    Of a calibration the model that counts most: its answer lies within the interval of all.
    """
    ways = ways_of(base)
    if ways[0].weight is not None:
        return (max((w for w in ways if w.axis == 0), key=lambda w: w.weight or 0.0),)
    times = [max(each.values()) for each in predict(base).times]
    worst = ways[max(range(len(ways)), key=lambda i: times[i])]
    return (*(way for way in ways if way.axis == 0 and way is not worst), worst)
