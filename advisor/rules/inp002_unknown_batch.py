"""The check of INP002, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, documented
from advisor.rule_support.shared_options import fit_the_night, moved


def check(case: Case) -> Iterator[Finding]:
    """Tasks at the peak without demands."""
    if not case.settings.batch:
        raise NothingToGoBy("the configuration has no batch tasks")
    peak, night = case.settings.workload.peak, case.settings.workload.off_peak
    for i, batch in enumerate(case.settings.batch):
        if case.task(batch) is not None or batch.hours is None or not batch.hours.overlaps(peak):
            continue
        yield Finding(
            level="warning",
            state="no-evidence",
            message=f"{batch.name} ({batch.hours}) overlaps the peak ({peak}) and its demands are "
            "not known: every prediction leaves it out; give cpu, disk_kb and lan_kb",
            key=("batch", i),
            evidence=(Evidence("demands that are known", 0.0, "1", "given", f"batch[{i}]", 1.0),),
            options=(
                Option(
                    Change(f"run {batch.name} off-peak, {night}", moved(case, [i])),
                    sources=("what is predicted has no such work in it",),
                    effort="schedule",
                    side_effects=("results are as old as the last run",),
                    valid="the task finishes within the off-peak hours",
                    benefit=documented("the peak is as predicted"),
                ),
            )
            if fit_the_night(case, [i])
            else (),
        )
