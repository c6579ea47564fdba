"""The check of SCH002, whose words are the card beside it."""

from collections.abc import Iterator
from dataclasses import replace

from advisor.findings.records import Finding
from advisor.findings.words import percent, seconds
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
LEAST_SHARE = 0.05
LONGER = 2


def check(case: Case) -> Iterator[Finding]:
    """Each task that repeats at the peak."""
    repeated = [each for each in case.batch_at_peak() if case.settings.batch[each[0]].pause]
    if not repeated:
        raise NothingToGoBy("no batch task repeats with a pause at the peak")
    for i, task in repeated:
        batch = case.settings.batch[i]
        resource, share = max(case.shares_alone(i).items(), key=lambda item: item[1])
        if share < LEAST_SHARE:
            continue
        source = f"demands from {task.sources[0] if task.sources else f'batch[{i}]'}"
        key, pause = ("batch", i, "pause"), LONGER * batch.pause
        setting = ((key, f"{pause:.10g} s"),)
        option = CARD.option("longer", settings=setting, name=batch.name, pause=seconds(pause))
        yield CARD.finding(
            "repeated",
            percentage(f"{batch.name} with its pauses at {resource}", share, LEAST_SHARE, source),
            key=key, options=[replace(option, sources=task.sources or (f"batch[{i}] as given",))],
            name=batch.name, pause=seconds(batch.pause),
            hours=batch.hours(case.settings.workload.off_peak), share=percent(share),
            resource=resource,
        )  # fmt: skip
