"""The check of DSK003, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import printed
from advisor.rule_support.rule import Case, NothingToGoBy

THRESHOLD = 0.06
GROWTH = "domino5_raid/file_growth"


def check(case: Case) -> Iterator[Finding]:
    """Several arrays, further apart than what was measured as even."""
    disk = case.settings.disk
    if disk.arrays == 1:
        raise NothingToGoBy("all drives are in one array")
    if disk.spread <= THRESHOLD:
        return
    even = printed(GROWTH, "2x5_4000", "difference", "growth of two arrays, highest over lowest")
    uneven = printed(GROWTH, "5x2_4000", "difference", "growth of five arrays, highest over lowest")
    yield Finding(
        level="warning" if case.outlook.bottleneck == "disk" else "note",
        state="problem" if case.outlook.bottleneck == "disk" else "symptom",
        message=f"the busiest of {disk.arrays} arrays gets {percent(disk.spread)} more than the "
        f"least busy one; {even.value:g} % was measured with arrays that were even enough",
        key=("disk", "spread"),
        evidence=(
            Evidence(
                "busiest array over the least busy one",
                disk.spread * 100,
                "%",
                "given",
                "disk.spread",
                THRESHOLD * 100,
            ),
            even,
            uneven,
            printed(
                "domino5_raid/study_two_claims",
                "transfer_difference",
                "value",
                "transfers each second, highest over lowest",
            ),
        ),
        options=(
            Option(
                Change.of("move files until the arrays are even", "disk.spread", 0.0),
                sources=(even.source,),
                effort="rebuild",
                side_effects=("users whose files move wait while they are moved",),
                valid="files that can be moved from one array to another",
            ),
        ),
    )
