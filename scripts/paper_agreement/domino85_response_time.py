"""What the models of domino85 say of published numbers: response_time."""

from calibration.agreements.comparison import Comparison
from calibration.systems.domino85.response_time import INPUTS, response_range
from calibration.systems.domino85.runs import METRICS, Runs


def compare_response_times(runs: Runs) -> tuple[Comparison, ...]:
    """Leave each fitted run out in turn; the baseline is the mean of the others."""
    found = []
    for run in runs.fitted:
        others = [other for other in runs.fitted if other is not run]
        predicted, alone = response_range(others, run)
        metric, _ = METRICS["response_time"]
        found.append(
            Comparison(
                published=run.numbers["response_time"],
                subject="transaction",
                metric=metric,
                case="from the run's own demands",
                status="left out",
                model="processor and the rest",
                predicted=predicted,
                fitted_on=(
                    *(cell for other in others for cell in other.cells("response_time", *INPUTS)),
                    *run.cells(*INPUTS),
                ),
                by_model=alone,
                baselines=(
                    ("constant", sum(o.value("response_time") for o in others) / len(others)),
                ),
                note=run.title,
            )
        )
    return tuple(found)
