"""Utilization law, U = X D / m: one task asks the same of a processor in every run.

P. J. Denning and J. P. Buzen, ACM Computing Surveys 10(3), 1978.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.reconciliation import Direction, Shift
from calibration.audits.wording import change, either, others, per_interaction


def directions(group: Group) -> Iterator[Direction]:
    """Each utilization by itself."""
    yield from rate_directions(group, LAW.name, {"utilization"})


def rate_directions(group: Group, law: str, quantities: set[str]) -> Iterator[Direction]:
    """Each rate of some quantities by itself, told by what one interaction takes."""
    for s, series in enumerate(group.series):
        if series.quantity in quantities:
            for run in range(len(group.runs)):
                if group.number(run, s) is not None:
                    yield Direction(law, ((run, s, 1.0),), partial(explain, law))


def explain(law: str, shift: Shift) -> Contradiction:
    """One rate that the other numbers do not allow."""
    group, run, s = shift.group, shift.run, shift.column
    series, number = group.series[s], group.measured(run, s)
    told = per_interaction(shift, series, number)
    because = f"; one interaction would take {told}, {change(shift.value)}" if told else ""
    implied = number.show(shift.expected[run, s])
    where = (
        f"throughout {group.runs[run].place.table}: " if len(shift.direction.entries) > 1 else ""
    )
    found = LAW.broken(
        shift,
        [found.place for each in shift.runs if (found := group.number(each, s)) is not None],
        where=where, series=series.title, number=number.show(), others=others(group, shift),
        implied=implied, because=because, either=either(shift),
    )  # fmt: skip
    return replace(found, law=law)


LAW = Law.of(__file__, directions=directions)
