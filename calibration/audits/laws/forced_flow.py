"""Forced flow law, X_k = V_k X: one task moves the same volume, by as many operations, each time.

P. J. Denning and J. P. Buzen, ACM Computing Surveys 10(3), 1978.
"""

from collections.abc import Iterator
from functools import partial

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.laws.utilization_law import rate_directions
from calibration.audits.measurements import little, throughput_column, usable
from calibration.audits.observation import Number
from calibration.audits.reconciliation import Direction, Shift
from calibration.audits.wording import change, either, others


def directions(group: Group) -> Iterator[Direction]:
    """Each volume and each number of operations, and the throughput where many rates deny it."""
    yield from rate_directions(group, LAW.name, {"volume", "operations"})
    for run, observation in enumerate(group.runs):
        throughput = observation.throughput
        rates = [group.number(run, s) for s in range(len(group.series))]
        alone = little(group, run) is None
        if usable(throughput) and alone and len([r for r in rates if r]) > 1:
            yield Direction(
                LAW.name, ((run, throughput_column(group), 1.0),), partial(explain, throughput)
            )


def explain(number: Number, shift: Shift) -> Contradiction:
    """A throughput that all rates of its run deny."""
    group, run = shift.group, shift.run
    implied = number.show(shift.expected[run, shift.column])
    return LAW.broken(
        shift, [number.place], number=number.show(), others=others(group, shift), implied=implied,
        change=change(shift.value), either=either(shift),
    )  # fmt: skip


LAW = Law.of(__file__, directions=directions)
