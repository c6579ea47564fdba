"""The check of INP006, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.reproduced import what_differs
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.predicting.reproduction import FAR, not_reproduced

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Runs that the calibration does not reproduce."""
    calibration = calibration_of(case.configuration)
    if calibration is None:
        raise NothingToGoBy("the workload refers to no calibration")
    if differing := not_reproduced(calibration):
        first, source = differing[0], f"{calibration.data.source}"
        what = f"{first.number.title} of {first.run}, measured against predicted"
        evidence = Evidence(what, first.errors, "standard errors", "computed", source, FAR)
        yield CARD.finding("differs", evidence, differs=what_differs(differing))
