"""Background load, U = U0 + X D: work that belongs to no user, and does not grow with them."""

from collections.abc import Iterator
from math import exp

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.measurements import usable
from calibration.audits.reconciliation import Direction, Shift

#: Loads must differ by this factor, over this many runs, before an effect of load can be seen.
SPREAD, LEAST_RUNS = 1.5, 4


def throughputs(group: Group, series: int) -> list[tuple[int, float]]:
    """Runs with a series and a throughput, and the throughput. [1/s]"""
    found = []
    for run, observation in enumerate(group.runs):
        if group.number(run, series) is None:
            continue
        if usable(observation.throughput) and observation.throughput is not None:
            found.append((run, observation.throughput.value))
        elif observation.throughput_by_little is not None:
            found.append((run, observation.throughput_by_little))
    return found


def directions(group: Group) -> Iterator[Direction]:
    """A part of each series that falls with throughput, over what one interaction takes."""
    if group.labelled:
        return
    for s in range(len(group.series)):
        loads = throughputs(group, s)
        values = sorted({load for _, load in loads})
        if len(loads) >= LEAST_RUNS and len(values) > 2 and values[-1] > SPREAD * values[0]:
            entries = tuple((run, s, values[0] / load) for run, load in loads)
            yield Direction(LAW.name, entries, explain, systematic=True, positive=True)


def explain(shift: Shift) -> Contradiction:
    """A series that does not vanish with its users."""
    group, s = shift.group, shift.column
    number = group.measured(max(shift.direction.entries, key=lambda entry: entry[2])[0], s)
    background = number.value * (1.0 - exp(-shift.value))
    return LAW.broken(
        shift, rows=shift.names, series=group.series[s].title, background=number.show(background),
        number=number.show(),
    )  # fmt: skip


LAW = Law.of(__file__, directions=directions)
