"""SOFT006 port-encryption: Warns of encrypted ports on a server with a busy processor.

What it does
    Where network ports are encrypted and the processor is busy beyond what was tested, says so
    and lets the model say what the server would be without it.
Why it matters
    Encryption takes processor time for every interaction. With idle processors it does not show;
    near saturation the same surcharge lengthens every queue.
Threshold
    60 % of the processors without batch tasks: below it the Domino 4.6 article found 5 to 10 %
    more utilization and response times under 0.20 s. It has not tested beyond 85 %.
Example
    cpu is busy 70 %, beyond the 60 % up to which encryption was tested.
Limits
    The surcharge is a share of the processor's work, the same at every load: the article prints
    one range for 500, 800 and 1,000 users. It calls the effect on response time incremental and
    also no matter for worry (erratum E-I46-06); the model agrees with the latter at 60 % and
    below, not beyond.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
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
                Change(
                    "encrypt outside this server's processors",
                    ((("server", "encryption"), 0.0),),
                ),
                sources=(source,) if measured else ("server.encryption as given",),
                effort="part",
                side_effects=("traffic between here and there has to be safe by other means",),
                valid="the surcharge is the same share at every load",
            ),
        ),
    )


RULE = Rule.of(__name__, "encryption finds idle processors", __doc__, check)
