"""A stated population against the one that volumes and utilizations imply.

Where a throughput was not measured it is N / (R + Z). Divided by what one interaction takes in
other runs, each rate then says how many users there were.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import exp

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.measurements import little, little_column, usable
from calibration.audits.observation import Number
from calibration.audits.reconciliation import Direction, Shift
from calibration.audits.wording import either, others


def directions(group: Group) -> Iterator[Direction]:
    """The population of a row with two rates or more, and the one a table states for all rows."""
    stated: dict[str, list[tuple[int, Callable[[Shift], Contradiction]]]] = {}
    column = little_column(group)
    for run, observation in enumerate(group.runs):
        population, response = observation.population, observation.response_time
        if population is None or response is None or little(group, run) is None:
            continue
        if usable(observation.throughput):
            continue
        rates = [group.number(run, s) for s in range(len(group.series))]
        because = partial(explain, population, response)
        if population.place.condition is not None:
            stated.setdefault(population.place.table, []).append((run, because))
        if len([rate for rate in rates if rate is not None]) > 1:
            yield Direction(LAW.name, ((run, column, 1.0),), because)
    for runs in stated.values():
        if len(runs) > 1 and len(stated) > 1:
            yield Direction(LAW.name, tuple((run, column, 1.0) for run, _ in runs), runs[0][1])


def explain(population: Number, response: Number, shift: Shift) -> Contradiction:
    """A number of users that the rates deny."""
    group = shift.group
    implied = [
        f"{_implied(shift, s):.1f} by {series.title}"
        for s, series in enumerate(group.series)
        if any(group.number(run, s) is not None for run, _, _ in shift.direction.entries)
    ]
    of_all = population.place.condition is not None and len(shift.direction.entries) > 1
    return LAW.broken(
        shift,
        [population.place] if of_all else [population.place, response.place],
        stated=population.value, users=population.value * exp(-shift.value),
        others=others(group, shift), implied=", ".join(implied), either=either(shift),
    )  # fmt: skip


def _implied(shift: Shift, series: int) -> float:
    """Users that one rate implies, on average over the rows: N of the fit, times its residual."""
    group, logs = shift.group, []
    for run, column, _ in shift.direction.entries:
        number, population = group.number(run, series), group.runs[run].population
        by_little = little(group, run)
        if number is None or population is None or by_little is None:
            continue
        fitted = shift.expected[run, column] / exp(by_little[0]) * population.value
        logs.append(fitted * number.value / shift.expected[run, series])
    return sum(logs) / len(logs)


LAW = Law.of(__file__, directions=directions)
