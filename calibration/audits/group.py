"""Runs of one task under one set of conditions: what the laws compare with one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.audits.contradiction import Silence
from calibration.audits.observation import Number, Observation, Series

#: Where every row is another configuration, three must agree before a fourth can stand out.
LEAST_CONFIGURATIONS = 4

#: Numbers that two tables must print alike before they are of one run.
LEAST_ALIKE = 3

#: Numbers with a larger standard deviation than this share of themselves say too little. [1]
COARSEST = 0.3


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that one set of demands should serve.

    Parameters
    ----------
    task : str
        What the runs are of.
    runs : tuple of Observation
        In the order of the table.
    series : tuple of Series
        The rates that may be compared.
    labelled : bool
        Whether every run is another configuration, so that demands may scatter.
    think_time : float, optional
        Think time inferred where none is given [s]; None where it is known or not needed.
    """

    task: str
    runs: tuple[Observation, ...]
    series: tuple[Series, ...]
    labelled: bool
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
        if labelled:
            timed = [run for run in members if _has_throughput(run)]
            if series and len(timed) < LEAST_CONFIGURATIONS:
                silent.append(_too_few(task, len(timed)))
                series = {}
        found.append(Group(task, tuple(members), tuple(series), labelled))
    return tuple(found), tuple(silent)


def _is_printed_again(run: Observation, other: Observation) -> bool:
    """Whether two tables give one run, alike in all that both print."""
    if run.place.table == other.place.table:
        return False
    pairs = [
        (run.population, other.population),
        (run.throughput, other.throughput),
        (run.response_time, other.response_time),
        *((number, other.rate(series)) for series, number in run.rates),
    ]
    both = [(a.value, b.value) for a, b in pairs if a is not None and b is not None]
    return len(both) >= LEAST_ALIKE and all(a == b for a, b in both)


def _has_throughput(run: Observation) -> bool:
    known = run.throughput is not None or run.throughput_by_little is not None
    return known or (run.population is not None and run.response_time is not None)


def _too_few(task: str, count: int) -> Silence:
    reason = (
        f"{count} run{'' if count == 1 else 's'} with a throughput, each of another "
        f"configuration: demands may differ; {LEAST_CONFIGURATIONS} such runs, or two of one "
        "configuration, could be compared"
    )
    return Silence("utilization law, forced flow", task, reason)
