"""SCH001 batch-at-peak

What it does
    Names each batch task that runs while users work, and offers the off-peak hours for it.
Why it matters
    A task such as rebuilding a view takes all of a processor for as long as it runs. Beside
    twenty users it is one more customer that never thinks: every user waits behind it.
Threshold
    Any overlap of the task's window with the peak hours, if the task takes 5 % or more of some
    resource when it runs alone.
Example
    rebuild_view takes 100 % of the processor alone and runs 10:00-12:00: move it to 22:00.
Limits
    The 1995 shares are sustained highs, not means, and overstate the task's load. Moving a task
    needs hours long enough for it off-peak, which is checked where its duration is given.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.config import BatchTask
from advisor.rule import NothingToGoBy, Rule
from advisor.words import percent
from calibration.task import Task

LEAST_SHARE = 0.05


def check(case: Case) -> Iterator[Finding]:
    """Each batch task with hours at the peak."""
    if not case.settings.batch:
        raise NothingToGoBy("the configuration has no batch tasks")
    peak = case.settings.workload.peak
    for i, batch in enumerate(case.settings.batch):
        task = case.task(batch)
        if task is None or batch.window is None or not batch.window.overlaps(peak):
            continue
        resource, share = max(case.shares_alone(task).items(), key=lambda item: item[1])
        if share < LEAST_SHARE:
            continue
        yield Finding(
            level="warning",
            state="problem",
            message=f"{batch.name} runs at peak hours ({batch.window} within {peak}); alone it "
            f"keeps {resource} busy {percent(share)} of the time",
            key=("batch", i, "window"),
            evidence=(
                Evidence(
                    f"{batch.name} alone at {resource}",
                    share * 100,
                    "%",
                    "computed",
                    f"demands from {task.sources[0] if task.sources else f'batch[{i}]'}",
                    LEAST_SHARE * 100,
                ),
            ),
            options=tuple(_options(case, i, batch, task)),
        )


def _options(case: Case, i: int, batch: BatchTask, task: Task) -> Iterator[Option]:
    night = case.settings.workload.off_peak
    if batch.duration is not None and batch.duration > night.length * 60:
        return
    start, end = str(night).split("-")
    yield Option(
        Change(f"run {batch.name} off-peak, {night}", ((("batch", i, "window"), (start, end)),)),
        sources=task.sources,
        effort="schedule",
        side_effects=("its results are as old as the last night's run",),
        valid="the task finishes within the off-peak hours",
    )


RULE = Rule("SCH001", "batch-at-peak", "batch tasks run off-peak", __doc__, check)
