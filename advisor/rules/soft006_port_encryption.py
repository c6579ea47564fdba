"""The check of SOFT006, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.agreements.published import published

TESTED = 0.60


def check(case: Case) -> Iterator[Finding]:
    """Encryption on busy processors."""
    share = case.settings.server.encryption
    if not share:
        raise NothingToGoBy("server.encryption is not given or 0: nothing is encrypted")
    busy = case.alone.resource("cpu").utilization.mid
    if busy <= TESTED:
        return
    measured = case.system_name == "domino46"
    rise = published("domino46/encryption_claims", "cpu_rise_relative", "value")
    source = rise.source.partition(", column")[0]
    evidence = [busy_evidence(case, "cpu", TESTED, alone=True)]
    if measured:
        evidence.append(Evidence("rise by encryption", rise.low, "%", "measured", source))
    yield Finding(
        level="warning",
        state="symptom",
        message=f"cpu is busy {percent(busy)} with {percent(share)} more work for encryption"
        + (f"; it was found affordable up to {percent(TESTED)}" if measured else ""),
        key=("server", "encryption"),
        evidence=tuple(evidence),
        options=(
            Option(
                Change.of("encrypt outside this server's processors", "server.encryption", 0.0),
                sources=(source,) if measured else ("server.encryption as given",),
                effort="part",
                side_effects=("traffic between here and there has to be safe by other means",),
                valid="the surcharge is the same share at every load",
            ),
        ),
    )
