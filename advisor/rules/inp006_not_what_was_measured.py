"""The check of INP006, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.reproduced import WRONG, why_not_usable
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.predicting.reproduction import FAR, not_reproduced

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Runs that the calibration does not reproduce."""
    calibration = calibration_of(case.configuration)
    if calibration is None:
        raise NothingToGoBy("the workload refers to no calibration")
    source = f"{calibration.data.source}"
    if differing := not_reproduced(calibration):
        first = differing[0]
        what = f"{first.number.title} of {first.run}, measured against predicted"
        evidence = Evidence(what, first.errors, "standard errors", "computed", source, FAR)
    else:
        off = calibration.best.error
        evidence = Evidence("mean error of the runs", off, "1", "computed", source, WRONG)
    if why := why_not_usable(calibration):
        yield CARD.finding("differs", evidence, why=why)
