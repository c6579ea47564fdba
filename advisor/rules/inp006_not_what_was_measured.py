"""The check of INP006, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.reproduced import what_differs
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.predicting.reproduction import FAR, not_reproduced


def check(case: Case) -> Iterator[Finding]:
    """Runs that the calibration does not reproduce."""
    calibration = calibration_of(case.configuration)
    if calibration is None:
        raise NothingToGoBy("the workload refers to no calibration")
    differing = not_reproduced(calibration)
    if not differing:
        return
    first = differing[0]
    yield Finding(
        level="error",
        state="problem",
        message=f"the calibration does not say what was measured: {what_differs(differing)}; "
        "calibrate the table again",
        key=("workload", "calibration"),
        evidence=(
            Evidence(
                f"{first.number.title} of {first.run}, measured against predicted",
                first.errors,
                "standard errors",
                "computed",
                f"{calibration.data.source}",
                FAR,
            ),
        ),
    )
