"""MEM003 admission-limit: Offers to admit more requests at a time where they wait to be admitted.

What it does
    Where the server works on so many interactions at a time only, by its memory, threads or
    connections, and is full most of the time, offers room for twice as many.
Why it matters
    Whoever finds the server full waits outside while processor and drives may be idle. More
    memory then shortens response times; where the limit is not reached it brings nothing.
Threshold
    On average 80 % or more of the places are taken at the peak: a planner's convention. At 95 %
    an error.
Example
    9 of 10 places taken: 20 places, if memory allows.
Limits
    The limit is server.most_active as given. The model holds it fixed: no paper measured how many
    more a server lets in with more memory, or how much more the drives work when programs are
    paged out. Every interaction counts the same.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
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
        evidence=(
            Evidence(
                "places taken",
                taken * 100,
                "%",
                "computed",
                "queueing network at the worst peak hour",
                THRESHOLD * 100,
            ),
        ),
        options=(
            Option(
                Change(
                    f"make room for {2 * places} at a time",
                    ((("server", "most_active"), 2 * places),),
                ),
                sources=(THEORY,),
                effort="part",
                side_effects=("memory, threads or connections for as many",),
                valid="processor and drives do not slow down with more inside: no paging",
            ),
        ),
    )


RULE = Rule.of(__name__, "no request waits to be admitted", __doc__, check)
