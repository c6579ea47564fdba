"""What the models of domino85 say of published numbers: response_time."""

from collections.abc import Sequence
from math import sqrt

from calibration.agreements.comparison import Comparison
from calibration.agreements.ensemble import widest
from calibration.estimation.interval import Range
from calibration.systems.domino85.response_time import INPUTS, STRUCTURES, fit_rest
from calibration.systems.domino85.runs import METRICS, Run, Runs


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


def response_range(
    runs: Sequence[Run], predicted: Run, load: float = 1.0
) -> tuple[Range, tuple[tuple[str, float], ...]]:
    """90 % interval of a run's response time from a fit to other runs, and each structure's own.

    Put in are the transactions, operations and utilization of that run, at a multiple of its load.
    """
    from scipy.special import stdtrit

    ranges = []
    alone = []
    for structure in STRUCTURES:
        found = fit_rest(structure, runs)
        weight = structure.weight(predicted)
        middle = structure.processor_time(predicted, load) + found.time * weight
        error = found.standard_error * weight
        half = float(stdtrit(found.degrees_of_freedom, 0.95)) * sqrt(
            error**2 + (found.scatter * middle) ** 2
        )
        ranges.append(Range(middle - half, middle, middle + half))
        alone.append((structure.name, middle))
    return widest(ranges), tuple(alone)
