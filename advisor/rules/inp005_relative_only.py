"""The check of INP005, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import seconds
from advisor.rule_support.rule import Case, NothingToGoBy


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
