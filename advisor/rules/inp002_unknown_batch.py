"""The check of INP002, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import fit_the_night, moved

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Tasks at the peak without demands."""
    if not case.settings.batch:
        raise NothingToGoBy("the configuration has no batch tasks")
    peak, night = case.settings.workload.peak, case.settings.workload.off_peak
    for i, batch in enumerate(case.settings.batch):
        if case.task(batch) is not None or not batch.hours(night).overlaps(peak):
            continue
        options = []
        if fit_the_night(case, [i]):
            move = moved(case, [i])
            options.append(CARD.option("move", settings=move, name=batch.name, night=night))
        yield CARD.finding(
            "unknown", Evidence("demands that are known", 0.0, "1", "given", f"batch[{i}]", 1.0),
            key=("batch", i), options=options, name=batch.name, hours=batch.hours(night), peak=peak,
        )  # fmt: skip
