"""Editing on another processor, against the percentages that the text quotes from Figure 4-3.

The speeds are those of rebuilding a view, a task of nothing but processor. The text does not say
how many workstations were editing: from 1 to 20, the most of the laboratory; the prediction's
middle is at 10, its interval holds them all.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.ensemble import Member, Variant, combine, variants
from calibration.agreements.published import Published, published
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.printed_tables.run import REPLICATE_NOISE
from calibration.systems.notes31.laboratory import REFERENCE
from qmodel import solve
from scripts.paper_agreement.shared import by_member, with_ends

TABLE = "notes31/cpu_upgrade"


#: Row, old processor, new processor, and what is known to be wrong with the CPU saving.
PAIRS = (
    ("edit_p66", "Pentium/66", "Pentium/100", ""),
    (
        "edit_486",
        "486DX/50",
        "Pentium/100",
        "the pair contradicts itself: 44 % sooner and 58 % less CPU would be a processor 3.4 times "
        "as fast, rebuilding a view says 2.56 (E-N95-14)",
    ),
)


#: Workstations: the middle, and the ends of what it may have been.
WORKSTATIONS = (10, (1, 20))


def compare_upgrades(
    members: Sequence[Member], speeds: dict[str, float], fitted_on: tuple[str, ...]
) -> tuple[Comparison, ...]:
    """How much sooner editing is done on the new processor, and what the utilization becomes.

    Both as ratios: old time over new, new utilization over old. The baselines are that nothing
    changes and that both change as the speed does.
    """
    middle, ends = WORKSTATIONS
    questions = with_ends(variants(members, ["edit"]), middle, ends)
    ways = [way for way, _ in questions]
    found = []
    for row, old, new, failure in PAIRS:
        ratios = [_ratios(way, speeds[old], speeds[new], users) for way, users in questions]
        rests_on = (
            *fitted_on,
            *(f"{TABLE}:{each}:faster_response" for each in ("rebuild_p66", "rebuild_486")),
        )
        for i, (metric, noise, number) in enumerate(_metrics(row)):
            values = [ratio[i] for ratio in ratios]
            predicted = combine(ways, values)
            speed = speeds[new] / speeds[old]
            found.append(
                Comparison(
                    published=number,
                    subject="edit",
                    metric=metric,
                    case=f"{new} for {old}",
                    status="held out",
                    model="ensemble",
                    predicted=for_one_more(
                        predicted,
                        sqrt(number.half_unit**2 / 3.0 + 2.0 * (noise * predicted.mid) ** 2),
                    ),
                    fitted_on=rests_on,
                    by_model=by_member(ways, values),
                    baselines=(("nothing", 1.0), ("speed", (speed, 1.0 / speed)[i])),
                    known_failure=failure if i == 1 else "",
                    note="number of workstations not printed, 1 to 20",
                )
            )
    return tuple(found)


def _metrics(row: str) -> tuple[tuple[str, float, Published], ...]:
    return (
        (
            "time, old over new",
            REPLICATE_NOISE["response_time"],
            published(TABLE, row, "faster_response").converted("1", lambda p: 1.0 + p / 100.0),
        ),
        (
            "utilization, new over old",
            REPLICATE_NOISE["utilization"],
            published(TABLE, row, "cpu_reduction").converted("1", lambda p: 1.0 - p / 100.0),
        ),
    )


def _ratios(way: Variant, old: float, new: float, users: int) -> tuple[float, float]:
    time = []
    busy = []
    for speed in (old, new):
        server = server_network(
            replace(REFERENCE, speed=speed),
            [Load("edit", way.tasks["edit"], users)],
            way.write_share,
        )
        solution = solve(server.network)
        time.append(solution.response_times[0])
        busy.append(solution.station_utilizations[0])
    return time[0] / time[1], busy[1] / busy[0]
