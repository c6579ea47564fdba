"""INP006 not-what-was-measured: Checks that the model reproduces the measured runs.

What it does
    Predicts every run of the calibration again and says which come out otherwise.
Why it matters
    A model that does not reproduce the runs it was fitted to says nothing of any other load. The
    file may have been edited, or the runs may be of more than one system.
Threshold
    Differences above 3.8 standard errors of one run: one of seven thousand by chance.
Example
    150 users took 161 ms, the calibration says 136 ms.
Limits
    Runs are compared that were fitted; what was not measured cannot be.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.reproduced import what_differs
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
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


RULE = Rule.of(__name__, "the runs are reproduced", __doc__, check)
