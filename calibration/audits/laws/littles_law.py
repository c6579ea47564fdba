"""Little's law, N = X (R + Z), within each run.

J. D. C. Little, "A proof for the queuing formula L = lambda W," Operations Research 9, 1961.
"""

from collections.abc import Iterator
from functools import partial

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.measurements import little, little_column, throughput_column, usable
from calibration.audits.observation import Number
from calibration.audits.reconciliation import Direction, Shift
from calibration.audits.wording import change


def directions(group: Group) -> Iterator[Direction]:
    """Throughput, and what N, R and Z say of it, where both are known."""
    for run, observation in enumerate(group.runs):
        throughput, population = observation.throughput, observation.population
        response = observation.response_time
        if not usable(throughput) or little(group, run) is None:
            continue
        if population is not None and response is not None:  # as Little's law has both
            because = partial(explain, population, response, throughput)
            yield Direction(LAW.name, ((run, little_column(group), 1.0),), because)
            yield Direction(LAW.name, ((run, throughput_column(group), 1.0),), because)


def explain(
    population: Number, response: Number, throughput: Number, shift: Shift
) -> Contradiction:
    """A run whose users are not where its throughput says they are."""
    group, run = shift.group, shift.run
    observation = group.runs[run]
    known = observation.think_time
    think = known.value if known else 0.0 if observation.whole_cycle else group.think_time or 0.0
    inside = throughput.value * (response.value + think)
    thinking = "" if observation.whole_cycle else f" + {think:.4g} s"
    fits = " at the think time that fits all rows (users at a fixed pace have no such one)"
    guessed = fits if group.think_time else ""
    culprit = "the throughput" if shift.column == throughput_column(group) else "N / (R + Z)"
    sides = ", although the other rates of the run agree with it" if group.series else ""
    numbers = (population, observation.think_time, response, throughput)
    return LAW.broken(
        shift, [number.place for number in numbers if number is not None], users=population.value,
        throughput=throughput.show(), cycle=f"{response.show()}{thinking}", inside=inside,
        guessed=guessed, culprit=culprit, change=change(shift.value), sides=sides,
    )  # fmt: skip


LAW = Law.of(__file__, directions=directions)
