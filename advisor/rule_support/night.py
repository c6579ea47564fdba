"""Moving batch tasks into the off-peak hours: whether they fit there, and what is then set."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.configuration.changes import Key, Settings
from advisor.rule_support.case import Case


def night_moves(case: Case) -> Settings:
    """Settings that move batch tasks out of the peak, as far as they may and fit off-peak."""
    return moved(case, [i for i, _ in case.batch_at_peak() if fit_the_night(case, [i])])


def fit_the_night(case: Case, tasks: Sequence[int]) -> bool:
    """Whether tasks, by their places in the file, may all run off-peak, one after the other."""
    night, peak = case.settings.workload.off_peak, case.settings.workload.peak
    batches = [case.settings.batch[i] for i in tasks]
    if night.overlaps(peak) or any(batch.fixed for batch in batches):
        return False
    return sum(batch.duration or batch.work or 0.0 for batch in batches) <= night.length * 60


def moved(case: Case, tasks: Sequence[int]) -> Settings:
    """Settings with which tasks run off-peak; a start of today goes, it says otherwise."""
    hours = tuple(str(case.settings.workload.off_peak).split("-"))
    windows: tuple[tuple[Key, object], ...] = tuple((("batch", i, "window"), hours) for i in tasks)
    starts: tuple[tuple[Key, object], ...] = tuple(
        (("batch", i, "start"), None) for i in tasks if case.settings.batch[i].start is not None
    )
    return (*windows, *starts)
