"""Where a calibrated system saturates: the number of users, and the throughput it cannot pass.

N* = (D + Z) / D_max, where the asymptotes of throughput meet, and X_max = 1 / D_max, D_max being
the largest demand per server [1]_. Background load takes its share of a station's capacity first.

References
----------
.. [1] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.estimation.data import NOT_MEASURED, Conditions
from calibration.estimation.interval import Range
from calibration.model_evaluation.model import Row, ServiceModel, load_of
from calibration.model_evaluation.network import BACKGROUND, network_of, stations_of
from qmodel import ClosedClass, DelayStation, Network, OpenClass

#: Rounds in which a saturation point that depends on itself settles, to this share of it. [1]
_REPETITIONS, _SETTLED = 40, 1e-9


@dataclass(frozen=True, slots=True)
class Saturation:
    """Where a system saturates."""

    #: The one that does so in the best model.
    station: str
    #: N*, at which queueing cannot be avoided any more; None where they are not what varies.
    #: [customers]
    users: Range | None
    #: What it cannot pass. [1/s]
    throughput: Range


@dataclass(frozen=True, slots=True)
class SaturationPoint:
    """The saturation point of one model."""

    station: str
    users: float
    throughput: float


def saturation_point(model: ServiceModel, run: Conditions) -> SaturationPoint | None:
    """N* and the largest throughput; None where no station limits it.

    Several classes are taken together as `asymptotes` has them.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from calibration.model_evaluation.model import blank
    >>> model = replace(blank(("users",), ("cpu", "disk")), demand=((0.5, 0.25),))
    >>> saturation_point(model, Conditions("", (1,), None, (2.0,), (1, 1)))
    SaturationPoint(station='cpu', users=5.5, throughput=2.0)
    """
    resources = [(name, (k,)) for k, name in enumerate(model.stations)]
    resources += [("", (len(resources),)), (NOT_MEASURED, (len(resources) + 1,))]
    think_times = [
        own if given is None else given
        for own, given in zip(model.think_time, run.think_time, strict=True)
    ]

    def at(load: float) -> SaturationPoint | None:
        stations = stations_of(model, run.servers, model.demand_at(load))
        classes: list[ClosedClass | OpenClass] = [
            ClosedClass(name, 1, think_time)
            if run.arrival_rate is None or run.population is not None
            else OpenClass(name, run.arrival_rate[c])
            for c, (name, think_time) in enumerate(zip(model.classes, think_times, strict=True))
        ]
        if not max(model.background) < 1.0:
            return None
        network = network_of(stations, classes, model.hidden_delay, model.hidden_queue)
        shares = run.population or run.arrival_rate or (1.0,)
        return asymptotes(network, resources, shares, exponents_of(model))

    if not any(model.growth):
        return at(load_of(run))
    return settled(at, load_of(run), counted=run.population is not None, varies=True)


def exponents_of(model: ServiceModel) -> Row:
    """Of each measured station, 0 where its speed does not depend on how many are there."""
    return tuple(
        [e if scv == 1.0 else 0.0 for e, scv in zip(model.exponent, model.scv, strict=True)]
    )


def settled(
    at: Callable[[float], SaturationPoint | None], load: float, *, counted: bool, varies: bool
) -> SaturationPoint | None:
    """The saturation point of demands that are those at this very point.

    Parameters
    ----------
    at : callable
        The point by the demands at some load.
    load : float
        Where to start.
    counted : bool
        Whether that is users, and not interactions per second.
    varies : bool
        Whether demands depend on the load, and steps are therefore half as long.
    """
    step = 0.5 if varies else 1.0
    found = None
    for _ in range(_REPETITIONS):
        found = at(load)
        if found is None:
            return None
        there = found.users if counted else found.throughput
        # On a scale of ratios: demands that grow fast would make longer steps swing.
        following = load ** (1.0 - step) * max(there, 1e-9) ** step
        if abs(following - load) <= _SETTLED * load:
            break
        load = following
    return found


def asymptotes(
    network: Network,
    resources: Sequence[tuple[str, Sequence[int]]],
    shares: Sequence[float],
    exponents: Sequence[float] = (),
) -> SaturationPoint | None:
    """Where the asymptotes of a network meet; None where nothing limits its throughput.

    Classes are taken together in the proportions of their light asymptotes, N_c / (D_c + Z_c), or
    of their arrivals.

    Parameters
    ----------
    network : Network
        Its users' classes first; background work is the last.
    resources : sequence of (str, sequence of int)
        Names of groups of stations.
    shares : sequence of float
        Parts of the users, or of the arrivals, that are in each class.
    exponents : sequence of float
        With which the speed of the first resources grows with the customers there: above 0 such a
        one never saturates, below 0 it has no largest throughput.
    """
    users = list(zip(shares, network.classes, network.demand, strict=False))
    least = [sum(row) + c.think_time if isinstance(c, ClosedClass) else 1.0 for _, c, row in users]
    rates = [
        share / time if time else 0.0 for (share, _, _), time in zip(users, least, strict=True)
    ]
    if not sum(rates):
        return None
    other = network.demand[-1] if network.class_names[-1] == BACKGROUND else None
    worst, where = 0.0, ""
    for i, (name, members) in enumerate(resources):
        power = exponents[i] if i < len(exponents) else 0.0
        for k in members:
            station = network.stations[k]
            if isinstance(station, DelayStation) or power > 0.0:
                continue
            left = station.max_rate - (other[k] if other else 0.0)
            if power < 0.0 or left <= 0.0:
                return None
            here = sum(x * row[k] for x, (_, _, row) in zip(rates, users, strict=True)) / left
            if here > worst:
                worst, where = here, name
    return SaturationPoint(where, sum(shares) / worst, sum(rates) / worst) if worst else None
