"""The check of MEM003, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.hardware.server import INSIDE

THRESHOLD = 0.80
ERROR = 0.95
THEORY = (
    "passive resource: Lazowska, Zahorjan, Graham and Sevcik, Quantitative System Performance, "
    "1984, chapter 9"
)


def check(case: Case) -> Iterator[Finding]:
    """A limit that is reached most of the time."""
    places = case.settings.server.most_active
    if places is None:
        raise NothingToGoBy("server.most_active is not given, so no limit on admission is known")
    inside = [r.queue_length.mid for r in case.outlook.resources if r.name in INSIDE]
    taken = sum(inside) / places
    if taken < THRESHOLD:
        return
    yield Finding(
        level="error" if taken >= ERROR else "warning",
        state="problem",
        message=f"{percent(min(taken, 1.0))} of the {places} places of server.most_active are "
        "taken at the peak: others wait outside",
        key=("server", "most_active"),
        evidence=(percentage("places taken", taken, THRESHOLD),),
        options=(
            Option(
                Change.of(
                    f"make room for {2 * places} at a time", "server.most_active", 2 * places
                ),
                sources=(THEORY,),
                effort="part",
                side_effects=("memory, threads or connections for as many",),
                valid="processor and drives do not slow down with more inside: no paging",
            ),
        ),
    )
