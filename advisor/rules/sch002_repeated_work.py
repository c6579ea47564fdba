"""SCH002 repeated-work: Offers to run a repeated task less often while users work.

What it does
    Names each batch task that comes again and again while users work, such as the update of an
    index or the rebuild of a view whose formula depends on the time, and offers to let it come
    half as often.
Why it matters
    Work that repeats is one more customer that thinks as long as its pause. Half as often is
    nearly half the load, and it is done before the night.
Threshold
    A task with a pause whose window meets the peak, and which takes 5 % or more of some resource
    on average when it alone is there.
Example
    index update comes again after 60 s and takes 25 % of the cpu: let it pause for twice as long.
Limits
    What comes half as often is twice as old: an index misses what came since. A task without a
    pause runs all the time, which is SCH001's. Each round is taken to be as long as before,
    although more has gathered by then; where the work grows with the pause nothing is gained, and
    avoiding it is better: a view that depends on the time of day is rebuilt at every opening.
"""

from collections.abc import Iterator
from dataclasses import replace

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent, seconds
from advisor.rule_support.rule import Case, NothingToGoBy, Rule

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
                Evidence(
                    f"{batch.name} with its pauses at {resource}",
                    share * 100.0,
                    "%",
                    "computed",
                    f"demands from {task.sources[0] if task.sources else f'batch[{i}]'}",
                    LEAST_SHARE * 100.0,
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


RULE = Rule.of(__name__, "nothing repeats too often at the peak", __doc__, check)
