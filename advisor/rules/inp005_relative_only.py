"""INP005 relative-only: Warns of a promise in seconds that rests on relative numbers.

What it does
    Says where a promise in seconds rests on a source that wants its numbers used for comparison
    only.
Why it matters
    A benchmark's users are not yours. What changes between two of its runs carries over better
    than how long one of them took.
Threshold
    A target of response time on the system of the Domino 8.5 article, whose note says so.
Example
    the target of 50 ms is held against a benchmark's response times.
Limits
    The calibration has the article's response times in it, to the interval it prints; whether
    they hold elsewhere no calibration can tell but one's own.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import seconds
from advisor.rule_support.rule import Case, NothingToGoBy, Rule


def check(case: Case) -> Iterator[Finding]:
    """A target in seconds."""
    targets = case.settings.targets
    if targets is None or targets.response_time is None:
        raise NothingToGoBy("no response time is promised")
    yield Finding(
        level="note",
        state="no-evidence",
        message=f"the target of {seconds(targets.response_time)} is held against a benchmark's "
        "response times, which its source wants used for comparison only: measure your own",
        key=("targets", "response_time"),
        evidence=(
            Evidence("target", targets.response_time, "s", "given", "targets.response_time"),
        ),
    )


RULE = Rule.of(__name__, "promises rest on own measurements", __doc__, check, ("domino85",))
