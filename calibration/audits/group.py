"""Runs of one task under one set of conditions: what the laws compare with one another.

Where a table does not state a think time it is whatever lets the rows agree best.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log, log1p
from statistics import median, stdev

from calibration.audits.contradiction import Silence
from calibration.audits.observation import Number, Observation, Series

#: Where every row is another configuration, three must agree before a fourth can stand out.
LEAST_CONFIGURATIONS = 4

#: Numbers that two tables must print alike before they are of one run.
LEAST_ALIKE = 3

#: A drive's share of busy time is of requests side by side where it varies so much over the
#: throughput, and what so many of them leave varies by no more than this part of it. [1]
VARIES, PART = 0.1, 0.25

#: Numbers with a larger standard deviation than this share of themselves say too little. [1]
COARSEST = 0.3


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that one set of demands should serve."""

    task: str
    #: In the order of the table.
    runs: tuple[Observation, ...]
    #: The rates that may be compared.
    series: tuple[Series, ...]
    #: Whether every run is another configuration, so that demands may scatter.
    labelled: bool
    #: Think time inferred where none is given [s]; None where it is known or not needed.
    think_time: float | None = None

    def number(self, run: int, series: int) -> Number | None:
        """A rate, None where it is missing or too coarse to compare."""
        number = self.runs[run].rate(self.series[series])
        return number if number is not None and number.relative <= COARSEST else None

    def measured(self, run: int, series: int) -> Number:
        """A rate that is known to be there: a direction was made from it."""
        return dict(self.runs[run].rates)[self.series[series]]

    def block(self, run: int) -> str:
        """The configuration whose demands a run shares."""
        return "" if self.labelled else self.runs[run].configuration or ""

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that the runs stand in, in order."""
        return tuple(dict.fromkeys(run.place.table for run in self.runs))


def groups(runs: Sequence[Observation]) -> tuple[tuple[Group, ...], tuple[Silence, ...]]:
    """Group runs by task and by shares of classes, and say what cannot be compared."""
    several = len({run.place.table for run in runs}) > 1
    by_task: dict[tuple[str, tuple[tuple[str, float], ...]], list[Observation]] = {}
    for run in runs:
        members = by_task.setdefault((run.task, run.shares), [])
        # One rate alone compares with nothing, and a run may be printed in several tables.
        compares = _has_throughput(run) or len(run.rates) > 1
        again = several and any(_is_printed_again(run, other) for other in members)
        if compares and not again:
            members.append(run)
    found, silent = [], []
    for (task, _), members in by_task.items():
        if not members:
            continue
        names = [run.configuration for run in members]
        distinct = len(set(names))
        labelled = None not in names and distinct == len(names) and distinct > 1
        series = dict.fromkeys(s for run in members for s, _ in run.rates)
        for each in filter(lambda s: _any_of_many(members, s), list(series)):
            reason = f"{each.title} is the time in which the drive serves any of several requests"
            silent.append(Silence("utilization law", task, f"{reason}, not one after the other"))
            del series[each]
        if labelled:
            timed = [run for run in members if _has_throughput(run)]
            if series and len(timed) < LEAST_CONFIGURATIONS:
                reason = (
                    f"{len(timed)} run{'' if len(timed) == 1 else 's'} with a throughput, each of "
                    "another configuration, whose demands may differ; needs "
                    f"{LEAST_CONFIGURATIONS} such runs, or two of one configuration"
                )
                silent.append(Silence("utilization law, forced flow", task, reason))
                series = {}
        found.append(Group(task, tuple(members), tuple(series), labelled))
    return tuple(found), tuple(silent)


def _is_printed_again(run: Observation, other: Observation) -> bool:
    """Whether two tables give one run, alike in all that both print."""
    if run.place.table == other.place.table:
        return False
    pairs = [
        (run.population, other.population), (run.throughput, other.throughput),
        (run.response_time, other.response_time),
        *((number, other.rate(series)) for series, number in run.rates),
    ]  # fmt: skip
    both = [(a.value, b.value) for a, b in pairs if a is not None and b is not None]
    return len(both) >= LEAST_ALIKE and all(a == b for a, b in both)


def _any_of_many(members: Sequence[Observation], series: Series) -> bool:
    """Whether -ln(1 - U), as of requests side by side, follows the throughput and U does not."""
    if series.quantity != "utilization" or "cpu" in series.station:
        return False
    pairs = [
        (number.value, run.throughput.value)
        for run in members
        if run.throughput and run.throughput.value > 0.0
        if (number := run.rate(series)) and 0.0 < number.value < 1.0
    ]
    if len(pairs) < LEAST_ALIKE:
        return False
    plain = stdev(log(busy / x) for busy, x in pairs)
    return plain > VARIES and stdev(log(-log1p(-busy) / x) for busy, x in pairs) < PART * plain


def _has_throughput(run: Observation) -> bool:
    known = run.throughput is not None or run.throughput_by_little is not None
    return known or (run.population is not None and run.response_time is not None)


#: Think times tried where no throughput was measured, over the median response time. [1]
_STEPS = (0.0, *(2.0 ** (exponent / 4.0) for exponent in range(-32, 41)))


def with_think_time(group: Group) -> Group:
    """The group with a think time, where one is needed and none is given.

    A law then speaks only of what no think time at all would allow. Where throughputs were
    measured it is the median of N / X - R, and not less than 0; otherwise the one at which the
    demands of a series lie closest around their median, so that a few wrong rows do not choose it.
    The fit refines either.
    """
    unknown = [
        (run.population.value, run.response_time.value, run.throughput)
        for run in group.runs
        if run.population and run.response_time and not (run.think_time or run.whole_cycle)
    ]
    if not unknown:
        return group
    differences = [n / x.value - time for n, time, x in unknown if x and x.value > 0.0]
    if differences:
        return replace(group, think_time=max(0.0, median(differences)))
    scale = median(time for _, time, _ in unknown)
    best = min((_scatter(group, scale * step), scale * step) for step in _STEPS)[1]
    return replace(group, think_time=best)


def _scatter(group: Group, think_time: float) -> float:
    """Median distance of logarithms of demands from their median, added up over the series."""
    total = 0.0
    for s in range(len(group.series)):
        demands: dict[str, list[float]] = {}
        for i, run in enumerate(group.runs):
            number = group.number(i, s)
            timed = run.response_time is not None and run.response_time.value > 0.0
            cycle = run.cycle(think_time) if timed else None
            if number is not None and cycle is not None and run.population is not None:
                demand = log(number.value * cycle / run.population.value)
                demands.setdefault(group.block(i), []).append(demand)
        distances = []
        for block in demands.values():
            middle = median(block)
            distances += [abs(demand - middle) for demand in block]
        total += median(distances) if distances else 0.0
    return total
