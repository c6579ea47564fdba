"""The check of SCH002, whose manual is the card beside it."""

from collections.abc import Iterator
from dataclasses import replace

from advisor.configuration.changes import Change
from advisor.findings.records import Finding, Option
from advisor.findings.words import percent, seconds
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy

LEAST_SHARE = 0.05
LONGER = 2


def check(case: Case) -> Iterator[Finding]:
    """Each task that repeats at the peak."""
    repeated = [each for each in case.batch_at_peak() if case.settings.batch[each[0]].pause]
    if not repeated:
        raise NothingToGoBy("no batch task repeats with a pause at the peak")
    for i, task in repeated:
        batch = case.settings.batch[i]
        between = replace(task, client=task.client + batch.pause)
        resource, share = max(case.shares_alone(between).items(), key=lambda item: item[1])
        if share < LEAST_SHARE:
            continue
        yield Finding(
            level="note",
            state="problem",
            message=f"{batch.name} comes again after {seconds(batch.pause)} in {batch.hours} and "
            f"takes {percent(share)} of {resource} on average when alone",
            key=("batch", i, "pause"),
            evidence=(
                percentage(
                    f"{batch.name} with its pauses at {resource}",
                    share,
                    LEAST_SHARE,
                    f"demands from {task.sources[0] if task.sources else f'batch[{i}]'}",
                ),
            ),
            options=(
                Option(
                    Change(
                        f"let {batch.name} pause for {seconds(LONGER * batch.pause)}",
                        ((("batch", i, "pause"), f"{LONGER * batch.pause:.10g} s"),),
                    ),
                    sources=task.sources or (f"batch[{i}] as given",),
                    effort="schedule",
                    side_effects=("its result is older, up to twice as old",),
                    valid="a round takes as long as before",
                ),
            ),
        )
