"""What the models of domino85 say of published numbers: local_replicas."""

from calibration.agreements.comparison import Comparison
from calibration.estimation.interval import Range
from calibration.systems.domino85.local_replicas import LOADS, growth
from calibration.systems.domino85.response_time import INPUTS, response_range
from calibration.systems.domino85.runs import LOCAL, METRICS, Runs, compared

BEYOND = "35 % more processor is beyond any mix of users, who can add 25 % at most (E-D09-03)"


def compare_local_replicas(runs: Runs) -> tuple[Comparison, ...]:
    """Loads, memory and response time without local replicas.

    The baselines are that nothing changes, and that users on local replicas ask for nothing.
    """
    local = ":".join(LOCAL)
    found = []
    factor = growth(runs)
    before, after = runs.daos, runs.server_based
    none = 1.0 / (1.0 - before.share_local)
    for metric in LOADS:
        base = before.value(metric)
        found.append(
            compared(
                after.numbers[metric],
                metric,
                Range(base * factor.low, base * factor.mid, base * factor.high),
                case="no local replicas",
                status="held out",
                model="users add up",
                fitted_on=(*before.cells(metric), local),
                by_model=(("users add up", base * factor.mid),),
                baselines=(("nothing", base), ("local users cost nothing", base * none)),
                known_failure=BEYOND if metric == "processor" else "",
            )
        )
    return (*found, _memory(runs, factor, local), _response(runs, factor, local))


def _memory(runs: Runs, factor: Range, local: str) -> Comparison:
    """Memory of the server is between fixed and proportional to the load."""
    base = runs.daos.value("virtual_memory")
    return compared(
        runs.server_based.numbers["virtual_memory"],
        "virtual_memory",
        Range(base, base * (1.0 + factor.mid) / 2.0, base * factor.mid),
        case="no local replicas",
        status="held out",
        model="users add up",
        fitted_on=(*runs.daos.cells("virtual_memory"), local),
        by_model=(("fixed", base), ("proportional to the load", base * factor.mid)),
        baselines=(("nothing", base),),
        note="between fixed and proportional to the load",
    )


def _response(runs: Runs, factor: Range, local: str) -> Comparison:
    """Response time with the processor that users would need if they added up."""
    predicted, alone = response_range(runs.fitted, runs.daos, factor.mid)
    name, _ = METRICS["response_time"]
    return Comparison(
        published=runs.server_based.numbers["response_time"],
        subject="transaction",
        metric=name,
        case="no local replicas",
        status="held out",
        model="users add up, processor and the rest",
        predicted=predicted,
        fitted_on=(*(c for run in runs.fitted for c in run.cells("response_time", *INPUTS)), local),
        by_model=alone,
        baselines=(("nothing", runs.daos.value("response_time")),),
        known_failure="it follows from the processor: " + BEYOND,
    )
