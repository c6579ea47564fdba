"""Demands that change with load: what one interaction takes grows or falls with the users."""

from collections.abc import Iterator
from functools import partial
from math import log

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.laws.background_load import LEAST_RUNS, SPREAD
from calibration.audits.reconciliation import Direction, Shift
from calibration.audits.wording import change


def directions(group: Group) -> Iterator[Direction]:
    """A trend of each series with the logarithm of the population."""
    if group.labelled:
        return
    for s in range(len(group.series)):
        loads = [
            (run, observation.population.value)
            for run, observation in enumerate(group.runs)
            if observation.population is not None and group.number(run, s) is not None
        ]
        values = sorted({users for _, users in loads})
        if len(loads) >= LEAST_RUNS and len(values) > 2 and values[-1] > SPREAD * values[0]:
            span = log(values[-1] / values[0])
            entries = tuple((run, s, log(users / values[0]) / span) for run, users in loads)
            yield Direction(
                LAW.name, entries, partial(explain, values[0], values[-1]), systematic=True
            )


def explain(fewest: float, most: float, shift: Shift) -> Contradiction:
    """A demand that is not one number."""
    group, s = shift.group, shift.column
    series, more = group.series[s].title, change(shift.value)
    return LAW.broken(shift, rows=shift.names, series=series, change=more, most=most, fewest=fewest)


LAW = Law.of(__file__, directions=directions)
