"""Where a calibrated system saturates: number of users and maximum throughput; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from calibration.estimation.data import NOT_MEASURED, Conditions
from calibration.estimation.interval import Range
from calibration.model_evaluation.model import ServiceModel
from calibration.model_evaluation.network import (
    BACKGROUND,
    classes_of,
    lasting_rate,
    network_of,
    stations_of,
)
from qmodel import ClosedClass, DelayStation, Network, solve

#: What a limit of customers inside is called; how busy a station is that fills before it. [1]
POOL, FULL = "pool", 0.99


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
    """N* and the largest throughput, as `asymptotes` has them; None where no station limits it."""
    if not max(model.background, default=0.0) < 1.0:
        return None
    resources = [(name, (k,)) for k, name in enumerate(model.stations)]
    resources += [("", (len(resources),)), (NOT_MEASURED, (len(resources) + 1,))]
    load, shares = model.load(run), run.population or run.arrival_rate or (1.0,)
    stations = stations_of(model, run.servers, model.demand_at(load))
    classes = classes_of(model, run)
    network = network_of(stations, classes, model.hidden_delay, model.hidden_queue)
    return asymptotes(network, resources, shares, model, model.to_saturation(load))


def asymptotes(
    network: Network, resources: Sequence[tuple[str, Sequence[int]]], shares: Sequence[float],
    model: ServiceModel | None = None, saturating: Sequence[Sequence[float]] = (),
) -> SaturationPoint | None:  # fmt: skip
    """Where the asymptotes of a network meet; None where nothing limits its throughput.

    Classes are taken together in the proportions of their light asymptotes, N_c / (D_c + Z_c), or
    of their arrivals. Demands that vary with load are those at saturation.

    ``resources`` are groups of stations, the measured ones first; ``shares`` the parts of users or
    arrivals in each class, the first of the network, whose demands at each resource are so many
    times as large when ``saturating``. A ``model`` may have a pool.
    """
    users = []
    for i, (share, each, row) in enumerate(
        zip(shares, network.classes, network.demand, strict=False)
    ):
        demands = [*row]
        for (_, members), ratio in zip(
            resources, saturating[i] if saturating else (), strict=False
        ):
            for k in members:
                demands[k] *= ratio
        users.append((share, each, demands))
    least = [sum(row) + c.think_time if isinstance(c, ClosedClass) else 1.0 for _, c, row in users]
    rates = [
        share / time if time else 0.0 for (share, _, _), time in zip(users, least, strict=True)
    ]
    if not sum(rates):
        return None
    other = network.demand[-1] if network.class_names[-1] == BACKGROUND else None
    worst, where = 0.0, ""
    for name, members in resources:
        for k in members:
            station = network.stations[k]
            if isinstance(station, DelayStation):
                continue
            left = lasting_rate(station) - (other[k] if other else 0.0)
            if left <= 0.0:
                return None
            here = sum(x * row[k] for x, (_, _, row) in zip(rates, users, strict=True)) / left
            if here > worst:
                worst, where = here, name
    places = model.places if model and model.pool[0] < inf else inf
    if network.limits:  # of equal copies one
        size = network.limits[0].customers
        places = size if places == inf else places * size / max(1, round(places))
    if places < inf:
        kept = {name for limit in network.limits[:1] for name in limit.stations}
        inside = [k for k, s in enumerate(network.stations) if not kept or s.name in kept]
        mean = [sum(x * row[k] for x, (_, _, row) in zip(rates, users, strict=True)) / sum(rates)
                for k in range(len(network.stations))]  # fmt: skip
        others, low = network.classes[len(users) :], max(1, int(places))
        rows = [[row[k] for k in inside] for row in (mean, *network.demand[len(users) :])]
        stations = [network.stations[k] for k in inside]
        most, more = (
            solve(Network(stations, [ClosedClass("in", n), *others], rows)).throughputs[0]
            for n in (low, low + 1)
        )
        most += (places - low) * (more - most)
        if worst < FULL * sum(rates) / most:  # else a station is full before all places are taken
            worst, where = sum(rates) / most, POOL
    return SaturationPoint(where, sum(shares) / worst, sum(rates) / worst) if worst else None
