"""No users on local replicas, predicted from the run that had a fifth of them.

If users add up, a share ``l`` of users on local replicas who ask for a fraction ``f`` of what the
others do makes the load proportional to ``1 - l (1 - f)``. The source gives ``f`` for the network
only, "approximately 50 percent"; here it stands for every resource, and is taken as nearer to a
half than to nothing or all: 0.25 to 0.75. Even ``f = 0`` cannot raise a load by more than a
quarter, so the measured rise of the processor by 35 % is beyond any such model (erratum
E-D09-03); it is shown, and so is the response time that follows from it.
"""

from calibration.agreements.comparison import Comparison
from calibration.estimation.interval import Range
from calibration.systems.domino85.response_time import INPUTS
from calibration.systems.domino85.runs import LOCAL, METRICS, Runs
from scripts.paper_agreement.domino85_response_time import response_range
from scripts.paper_agreement.shared import compared

#: Half the way from a half to none and to all.
NEARER_TO_A_HALF = 0.25

#: What users ask of the servers, proportional to the load.
LOADS = (
    "transactions", "processor", "disk_ios", "disk_reads", "disk_writes", "disk_volume",
    "disk_volume_read", "disk_volume_written",
)  # fmt: skip


def growth(runs: Runs) -> Range:
    """Load without local replicas over that with the measured share of them. [1]"""
    share = runs.daos.share_local
    middle = runs.local_fraction
    low, mid, high = (
        1.0 / (1.0 - share * (1.0 - fraction))
        for fraction in (middle + NEARER_TO_A_HALF, middle, middle - NEARER_TO_A_HALF)
    )
    return Range(low, mid, high)


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
