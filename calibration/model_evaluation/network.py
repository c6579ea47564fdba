"""A service model as a queueing network: measured stations, and what a fit added to them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, inf

import qmodel as qm
from calibration.estimation.data import NOT_MEASURED, Conditions
from calibration.model_evaluation.model import DEPTH, Row, ServiceModel
from qmodel.kernels.effective_rates import effective_rates

#: Period of a quota of processor time, as the kernel has it unless told otherwise [s], and the part
#: of what it allows in one that is under way before it is felt, by simulation [1]; customers beyond
#: the servers with whom it is felt, however short their services: no average passes it. So many
#: times as many have 1e-13 left of what is above it, which is taken for nothing.
PERIOD, PATIENCE, FELT, ALL_FELT = 0.1, 0.2, 8.0, 30.0

#: Names of what is added to the measured stations.
HIDDEN_DELAY, BACKGROUND = "hidden delay", "background"


def classes_of(model: ServiceModel, run: Conditions) -> list[qm.ClosedClass | qm.OpenClass]:
    """The classes of a run, which think as long as it states, or else as the model has it."""
    loads = run.population or run.arrival_rate or (1.0,)
    return [
        qm.OpenClass(name, load)
        if run.population is None
        else qm.ClosedClass(name, round(load), own if given is None else given)
        for name, load, own, given in zip(
            model.classes, loads, model.think_time, run.think_time, strict=True
        )
    ]


@dataclass(frozen=True, slots=True)
class MeasuredStation:
    """A station as it was measured, or as a change of hardware leaves it."""

    #: As the table called it.
    name: str
    #: [servers]
    servers: int
    #: Service demand of each class, as customers feel it. [s] Length C.
    demand: Row
    #: What a monitor shows of the demand, over that. [1]
    shown: float = 1.0
    #: Squared coefficient of variation of service; other than 1 under first come first served.
    scv: float = 1.0
    #: Part of its capacity that other work takes, as a monitor shows it, and that customers lose to
    #: it. [1]
    background: float = 0.0
    lost: float = 0.0
    #: Part of its capacity that customers may use. [1]
    quota: float = 1.0
    #: How far a single server serves requests side by side. [1]
    parallel: float = 0.0

    @property
    def shared(self) -> bool:
        """Whether other work is at some of several servers."""
        limited = self.quota < 1.0 or self.parallel > 0.0
        return self.servers > 1 and self.lost > 0.0 and not limited

    def rates(self) -> Row | None:
        """Its speeds with 1, 2 ... customers, where they are not those of its servers."""
        if self.quota < 1.0:
            return under_quota(self.servers, self.quota, self.demand[0], self.lost)
        return side_by_side(self.parallel, self.servers) if self.parallel else None

    def monitored(self, utilization: float) -> float:
        """What a monitor shows where the network's station has this utilization. [1]

        Of one that serves in parallel what it does of what it could, which no monitor shows.
        """
        taken, lost = self.background, self.lost
        if self.servers == 1:  # where customers feel it as service that takes longer
            return taken + (1.0 - lost) * self.shown * utilization
        return taken + self.shown * (utilization - lost)


def under_quota(servers: int, quota: float, demand: float, background: float = 0.0) -> Row:
    """Speeds where a quota stops customers who have used it up before its period is over.

    Until what it allows in a part of a period is under way they are served at full speed, or at
    what other work leaves of it: of a single server, in parts of that. The last speed is the quota,
    or what is left if that is less. ``demand`` is that of one request. [s]
    """
    cap = quota * servers
    spare = min(FELT, PATIENCE * PERIOD * cap / demand) if demand else 1.0
    whole: Row = tuple([float(j) for j in range(1, servers + 1)])
    if servers == 1:
        cap /= 1.0 - background
    elif background:
        whole = effective_rates(servers, *_divided(servers, background), servers)
    over, cap = max(0.0, whole[-1] - cap), min(cap, whole[-1])
    felt = range(1, ceil(ALL_FELT * spare))
    return (*whole, *[cap + over * exp(-j / spare) for j in felt], cap)


def within_pool(network: qm.Network, places: float) -> qm.Network:
    """The network with no more than so many customers inside; the others wait, in order."""
    limit = qm.PopulationLimit("pool", max(1, round(places)), network.station_names)
    return replace(network, limits=(limit,))


def lasting_rate(station: qm.Station) -> float:
    """The speed of a station with ever more customers: what arrivals must stay below."""
    return station.rates[-1] if isinstance(station, qm.LoadDependentStation) else station.max_rate


def _divided(servers: int, background: float) -> tuple[float, float]:
    """What other work takes of several servers, and what it leaves."""
    taken = background * servers
    return taken, servers - taken


def side_by_side(parallel: float, servers: int = 1) -> Row:
    """Speeds of a device that works on several requests at once, the last going on."""
    there = range(1, max(servers, DEPTH) + 2)
    return tuple([min(j, servers) + parallel * max(0.0, j - servers) for j in there])


def any_there(work: float, parallel: float) -> float:
    """Share of time in which a device `side_by_side` has any request, as monitors show it. [1]

    ``work`` is X D. Requests that come as a Poisson process are taken for those of a closed
    network: alone it is X D, and where all are served at once 1 - exp(-X D).
    """
    if not parallel:
        return work
    term = total = speed = 1.0
    for speed in side_by_side(parallel):
        term *= work / speed
        total += term
    if work >= speed:
        return 1.0
    return 1.0 - 1.0 / (total + term * work / (speed - work))


def stations_of(
    model: ServiceModel, servers: Sequence[int], demand: Sequence[Row], load: float = inf
) -> list[MeasuredStation]:
    """The stations of a model with so many servers each, at demands of some load.

    The ``load`` counts for what background load takes; without it that is what it does when full.
    """
    return [
        MeasuredStation(
            name, servers[k], tuple([row[k] * model.scale[k] for row in demand]),
            1.0 / model.scale[k], model.scv[k], model.background[k], model.lost(k, load),
            model.quota[k], model.parallel[k],
        )
        for k, name in enumerate(model.stations)
    ]  # fmt: skip


def network_of(
    stations: Sequence[MeasuredStation], classes: Sequence[qm.ClosedClass | qm.OpenClass],
    hidden_delay: Row, hidden_queue: Row | None, *, slowed: bool = False,
) -> qm.Network:  # fmt: skip
    """The network of measured stations, then the hidden delay, then the hidden queue if any.

    Background load at a single server stretches what customers need there; at several servers it
    is an open class of its own, the last, or under a quota and with ``slowed`` what it leaves of
    the station, which is the same to customers and all that networks with a limit can have.

    Raises
    ------
    qmodel.Unstable
        If background load takes all of a station.
    """
    made: list[qm.Station] = []
    columns: list[Row] = []
    scv, background = [], []
    for each in stations:
        if not each.lost < 1.0:
            raise qm.Unstable(f"other work takes all of {each.name}")
        single = each.servers == 1
        left = slowed and each.shared
        apart = not (single or left or each.quota < 1.0)
        stretch = 1.0 - each.lost if single else 1.0
        columns.append(tuple([d / stretch for d in each.demand]))
        background.append(each.lost * each.servers if apart else 0.0)
        scv.append(each.scv)
        if left:
            parts = _divided(each.servers, each.lost)
            rates = effective_rates(each.servers, *parts, each.servers)
            made.append(qm.LoadDependentStation(each.name, rates))
        elif (speed := each.rates()) is not None:
            made.append(qm.LoadDependentStation(each.name, speed))
        else:
            kind = "any" if each.scv == 1.0 else "fcfs"
            made.append(qm.QueueingStation(each.name, each.servers, kind))
    for station, extra in (
        (qm.DelayStation(HIDDEN_DELAY), hidden_delay),
        (qm.QueueingStation(NOT_MEASURED), hidden_queue),
    ):
        if extra is not None:
            made.append(station)
            columns.append(extra)
            scv.append(1.0)
            background.append(0.0)
    rows = [list(row) for row in zip(*columns, strict=True)]
    every: list[qm.ClosedClass | qm.OpenClass] = list(classes)
    if any(background):
        every.append(qm.OpenClass(BACKGROUND, 1.0))
        rows.append(background)
    varied = any(value != 1.0 for value in scv)
    return qm.Network(made, every, rows, scv=[scv] * len(every) if varied else None)
