"""One workstation editing or searching, against the profile of Tables 3-2 to 3-4.

The profile gives "high averages": the mean over the highest flat part of a run. Searching is flat
(a standard deviation of 1.3 % of the CPU), so its high average is its mean. Editing is not; its
high averages are limits that the mean of a whole run keeps below.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, sqrt

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.ensemble import Member, Variant, combine, variants
from calibration.agreements.published import published
from calibration.agreements.run_comparison import Measured
from calibration.hardware.server import Hardware, server_network
from calibration.hardware.task import Load
from calibration.printed_tables.run import REPLICATE_NOISE, Run
from calibration.systems.notes31.laboratory import BLOCKS, hardware
from qmodel import solve
from scripts.paper_agreement.shared import by_member, with_ends

#: Task, its row, and whether a high average is the mean.
TASKS = (("edit", "Edit", False), ("search", "N Indx Srch", True))


#: Metric, table and column, unit, and the noise of one run. The captions of Tables 3-3 and 3-4 are
#: exchanged (E-N95-01). Searching puts nothing but the channel's own chatter on the LAN.
METRICS = (
    ("utilization", "3_2", "cpu", "%", REPLICATE_NOISE["utilization"]),
    ("LAN rate", "3_3", "throughput", "KB/s", REPLICATE_NOISE["volume_rate"]),
    ("disk rate", "3_4", "throughput", "KB/s", REPLICATE_NOISE["volume_rate"]),
)


def compare_alone(
    members: Sequence[Member],
    fitted: Sequence[Measured],
    fitted_on: dict[str, tuple[str, ...]],
    scatter: float,
) -> tuple[Comparison, ...]:
    """Utilization and channel rates of one workstation.

    The baseline is that all of them are proportional to the workstations. ``scatter`` is the
    relative standard deviation of disk volumes about their law. [1]
    """
    found = []
    for task, row, flat in TASKS:
        arrays = [hardware(block) for block in BLOCKS[task]]
        questions = with_ends(variants(members, [task]), arrays[1], (arrays[0], arrays[2]))
        ways = [way for way, _ in questions]
        base = _proportional([m.run for m in fitted if m.task == task])
        answers = [_alone(task, way, array) for way, array in questions]
        for i, (metric, table, column, unit, noise) in enumerate(METRICS):
            if task == "search" and metric == "LAN rate":
                continue
            number = published(f"notes31/table_{table}", row, column, unit)
            if not flat:
                number = replace(number, low=-inf)
            values = [answer[i] for answer in answers]
            predicted = combine(ways, values)
            relative = sqrt(noise**2 + (scatter**2 if metric == "disk rate" else 0.0))
            found.append(
                Comparison(
                    published=number,
                    subject=task,
                    metric=metric,
                    case="one workstation",
                    status="fitted" if number.cell in fitted_on[task] else "held out",
                    model="ensemble",
                    predicted=for_one_more(
                        predicted, sqrt(number.half_unit**2 / 3.0 + (relative * predicted.mid) ** 2)
                    ),
                    fitted_on=fitted_on[task],
                    by_model=by_member(ways, values),
                    baselines=(("proportional", base[i]),),
                    extrapolated="" if flat else "1 workstation, fitted at 10",
                    note="sustained high, not below the mean" if not flat else "",
                )
            )
    return tuple(found)


def _alone(task: str, way: Variant, array: Hardware) -> tuple[float, float, float]:
    load = Load(task, way.tasks[task], 1)
    solution = solve(server_network(array, [load], way.write_share).network)
    rate = solution.throughputs[0] * 1e-3
    volume = load.task.disk_volume_at(array.disk.block)
    return (solution.station_utilizations[0] * 100.0, rate * load.task.lan_volume, rate * volume)


def _proportional(runs: Sequence[Run]) -> tuple[float, float, float]:
    """What the fitted runs have for each workstation."""
    return (
        sum(100.0 * run.utilization.value / run.population for run in runs) / len(runs),
        sum(1e-3 * run.lan_rate.value / run.population for run in runs) / len(runs),
        sum(1e-3 * run.disk_rate.value / run.population for run in runs) / len(runs),
    )
