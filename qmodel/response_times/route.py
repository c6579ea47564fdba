"""The route of a class through a solved network, and its passage of each station; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, prod
from typing import cast

from scipy.special import gammainc

from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution, total
from qmodel.model.stations import DelayStation, QueueingStation, Station
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.numerics.arrays import Complex
from qmodel.numerics.laplace import BENDS, FEWEST, mean
from qmodel.numerics.phase_type import ServiceTime
from qmodel.response_times.arrival_states import ArrivalStates
from qmodel.response_times.central_server import cycles_alike
from qmodel.response_times.class_groups import MOST, MOST_EXACT, TOO_MANY, class_groups, load_shares
from qmodel.response_times.ctmc_station import CtmcPassage, CtmcStations
from qmodel.response_times.processor_sharing import SharedPassage, shared_passage
from qmodel.response_times.station_passage import DelayPassage, FcfsPassage, StationPassage
from qmodel.single_station.waiting_mixture import WaitingMixture
from qmodel.solvers.decomposition.sojourn_times import OpenSojournTimes
from qmodel.solvers.solve import METHODS

#: Service times this near to one another are equal.
EQUAL = 1e-9
#: More servers, all of which are busy with a smaller probability, are as good as without end.
MANY_SERVERS, NEVER = 8, 1e-13

#: What a method knows of times at stations beyond their means.
StationTimes = OpenSojournTimes | CtmcStations | None


def station_times(solution: Solution) -> StationTimes:
    """What the method of a solution knows of times at stations beyond their means."""
    for method in METHODS:
        if method.name == solution.method and method.response_times is not None:
            known = method.response_times(solution)
            if known is None or isinstance(known, OpenSojournTimes):
                return known
            return CtmcStations.of(solution, known)
    return None


def _as_arrivals(solution: Solution) -> Solution:
    """With classes that arrive as often as the closed ones ask."""
    pairs = zip(solution.network.class_names, solution.throughputs, strict=True)
    classes = tuple(OpenClass(name, rate) for name, rate in pairs)
    return replace(solution, network=replace(solution.network, classes=classes), details=None)


@dataclass(frozen=True, slots=True)
class Route:
    """How one class passes the network."""

    #: The network on arrival.
    states: ArrivalStates
    #: The stations of a cycle before the last, and of the last, with the probability of a visit.
    again: tuple[tuple[int, float], ...]
    last: tuple[tuple[int, float], ...]
    #: Mean number of cycles, at least 1.
    cycles: float
    #: Mean waiting time in the solution over that of the states on arrival. [1]
    scaling: tuple[float, ...]
    #: The central server of the cycles, if there is one.
    centre: int | None
    #: How many cycles about it find the same state; infinite where it alone is the same.
    alike: float
    #: Constant service times, which are no part of a sojourn's transform. [s]
    constant: tuple[float, ...]
    #: Stations passed once and by all, whose constant part is none of the response's either.
    apart: tuple[int, ...]
    #: Names of classes that are aggregated.
    aggregated: tuple[str, ...]
    #: Where a decomposition knows the stations' times.
    decomposed: OpenSojournTimes | None
    #: Whether the number of cycles is always the same, else it is geometric.
    fixed: bool = False

    @property
    def shift(self) -> float:
        """What is left out of the transform of the response time. [s]"""
        return total(self.constant[k] for k in self.apart)

    @property
    def terms(self) -> int:
        """Of the series of the Laplace inversion; more where service is nearly constant."""
        stations = self.states.stations
        others = (getattr(at, "others_service", at.service) for at in stations)
        return BENDS if any(service.nearly_constant for service in others) else FEWEST

    def response(self, s: Complex) -> Complex:
        """Transform of the response time less its `shift`.

        A distribution with a jump has percentiles that its transform hardly determines; so a
        constant service after a wait that may be 0 is left out.
        """
        if self.centre is not None and self.alike:
            return self._about_the_centre(s, self.centre)
        last = self._without_constant(self.apart).transform(s, self.last)
        if self.cycles == 1.0:
            return last
        again = self.states.transform(s, self.again)
        if self.fixed:
            return last * again ** round(self.cycles - 1.0)
        return last / (self.cycles - (self.cycles - 1.0) * again)

    def _about_the_centre(self, s: Complex, centre: int) -> Complex:
        """Cycles about a central server, so many in turn finding the same state."""
        stay, more = 1.0 - 1.0 / self.cycles, self.cycles - 1.0
        others = [(k, p) for k, p in self.again if k != centre]
        once = [(k, p) for k, p in self.last if k != centre]
        after = self.states.transform(s, once) if once else 1.0
        if self.alike == inf:
            away = self.states.visit_elsewhere(s, others)

            def visits(one: Complex) -> Complex:
                if self.fixed:
                    return one * (away * one) ** round(more)
                return one / (self.cycles - more * away * one)

            return after * self.states.visits_alike(s, centre, visits)
        alike = int(self.alike)
        several, all_of_them = self.states.cycles(s, centre, others, alike)
        if self.fixed:
            full, left = divmod(round(more), alike)
            fixed: Complex = several[left] * all_of_them**full * after
            return fixed
        ends = 0.0 * s
        for k, transform in enumerate(several):
            ends = ends + stay**k / self.cycles * transform
        return ends * after / (1.0 - stay**alike * all_of_them)

    def sojourn(self, station: int) -> Callable[[Complex], Complex]:
        """Transform of the time of one visit to a station, less its constant part."""
        states = self._without_constant((station,))
        elsewhere = states.weights_elsewhere(station)
        return lambda s: states.sojourn(s, station, elsewhere)

    def _without_constant(self, some: Sequence[int]) -> ArrivalStates:
        """The states with no service time at some stations where it is constant."""
        stations = list(self.states.stations)
        for k in some:
            at = stations[k]
            if self.constant[k] and isinstance(
                at, FcfsPassage | WaitingMixture | DelayPassage | CtmcPassage
            ):
                stations[k] = replace(at, service=replace(at.service, mean=0.0))
        return replace(self.states, stations=tuple(stations))


def route_of(
    solution: Solution, c: int, orders: Sequence[str], known: StationTimes = None
) -> Route:
    """The route of class ``c``; ``orders`` by `service_order`, ``known`` by `station_times`."""
    network = solution.network
    flows, others = _on_arrival(solution, c)
    in_order = "ps" not in orders and network.product_form_violation() is None
    most = MOST_EXACT if in_order else MOST
    groups = class_groups(solution, others, flows, most)
    populations = tuple(sum(others[i] for i in group) for group in groups)
    work = prod(n + 1 for n in populations) * len(network.stations)
    if work > TOO_MANY:  # one more of so many changes nothing: they arrive as from outside
        return route_of(_as_arrivals(solution), c, orders, known)
    chains = known if isinstance(known, CtmcStations) else None
    if any(len(group) > 1 for group in groups):
        chains = None
    decomposed = known if isinstance(known, OpenSojournTimes) else None
    stations: list[StationPassage] = []
    free: list[int] = []
    for k, station in enumerate(network.stations):
        service = ServiceTime(network.service_time_at(c, k), network.scv_at(c, k))
        if isinstance(station, DelayStation):
            stations.append(DelayPassage(service))
            free.append(k)
        elif decomposed is not None and orders[k] == "fcfs":
            stations.append(cast("WaitingMixture", decomposed.queues[c][k]))
        elif chains is not None and k in chains.waits and orders[k] == "fcfs":
            stations.append(chains.passage(k, service, others, flows))
        else:
            loads = _loads(network, k, flows)
            if _never_full(station, loads):
                stations.append(DelayPassage(service))
                free.append(k)
            elif orders[k] == "fcfs":
                assert isinstance(station, QueueingStation)
                all_classes = _service_of_all(network, k, flows, service)
                stations.append(FcfsPassage(service, all_classes, *loads, station.servers))
            else:
                shared = shared_passage(network, k, flows, service, loads, sum(others))
                stations.append(shared)
    # At terminals and at stations that are never full. [s]
    away = [
        z + total(d[k] for k in free)
        for z, d in zip(network.think_time, network.demand, strict=True)
    ]
    delay = tuple(total(flows[i] * away[i] for i in group) for group in groups)
    shares = tuple(load_shares(network, k, groups, flows) for k in range(len(stations)))
    states = ArrivalStates(populations, delay, tuple(stations), shares).without_the_rare()
    for k, at in enumerate(stations):
        if isinstance(at, SharedPassage):
            elsewhere = states.weights_elsewhere(k)[:, None]
            weights = at.weights[: len(elsewhere)]
            stations[k] = replace(at, weights=weights, on_arrival=weights * elsewhere)
    states = replace(states, stations=tuple(stations))
    visits = [network.visits_at(c, k) for k in range(len(stations))]
    rounds = ImpliedRouting.of(visits)
    scv = 1.0 if rounds.central is None else network.scv_at(c, rounds.central)
    sharing = isinstance(stations[rounds.central or 0], SharedPassage)
    scaled, scaling = [], []
    for k, at in enumerate(stations):
        time = solution.residence_times[c][k] / visits[k] if visits[k] else 0.0
        passage, factor = _scaled(at, states, k, time)
        scaled.append(passage)
        scaling.append(factor)
    constant = tuple(_constant(at) for at in stations)
    last = tuple((k, p) for k, p in enumerate(rounds.last) if p)
    return Route(
        replace(states, stations=tuple(scaled)),
        tuple((k, p) for k, p in enumerate(rounds.earlier) if p), last, rounds.passes,
        tuple(scaling), rounds.central,
        1 if decomposed is not None else cycles_alike(rounds, work, scv, shared=sharing), constant,
        tuple(k for k, p in last if p == rounds.passes == 1.0 and constant[k]),
        tuple(", ".join(network.class_names[i] for i in each) for each in groups if len(each) > 1),
        decomposed,
    )  # fmt: skip


def _constant(at: StationPassage) -> float:
    """The service time where it is constant, whatever the state. [s]"""
    constant = at.service.scv == 0.0 and not isinstance(at, SharedPassage)
    return at.service.mean if constant else 0.0


def _loads(network: Network, k: int, flows: Sequence[float]) -> tuple[float, float]:
    """Load of the closed and of the open classes at a station on arrival. [servers]"""
    closed = opened = 0.0
    for customer_class, row, flow in zip(network.classes, network.demand, flows, strict=True):
        if isinstance(customer_class, ClosedClass):
            closed += flow * row[k]
        else:
            opened += flow * row[k]
    return closed, opened


def _on_arrival(solution: Solution, c: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Flow of each class, and customers of the closed ones, at arrivals of class ``c``."""
    flows, others = [], []
    for i, (customer_class, flow) in enumerate(
        zip(solution.network.classes, solution.throughputs, strict=True)
    ):
        seen, left = flow, 0
        if isinstance(customer_class, ClosedClass):
            n = customer_class.population
            left = n - (i == c and n > 0)
            seen = flow * left / n if n else 0.0
        flows.append(seen)
        others.append(left)
    return tuple(flows), tuple(others)


def _never_full(station: Station, loads: tuple[float, float]) -> bool:
    """Whether a queue has so many servers that all are hardly ever busy, as if they had no end."""
    servers = getattr(station, "servers", 1)
    return servers > MANY_SERVERS and float(gammainc(servers, sum(loads))) < NEVER


def _service_of_all(
    network: Network, k: int, flows: Sequence[float], own: ServiceTime
) -> ServiceTime:
    """Service time at a station first come, first served, of all classes together."""
    times = [
        (flow * network.visits_at(i, k), network.service_time_at(i, k), network.scv_at(i, k))
        for i, flow in enumerate(flows)
        if flow and network.demand[i][k]
    ]
    rates = first = second = 0.0
    for rate, time, scv in times:
        rates += rate
        first += rate * time
        second += rate * (1.0 + scv) * time * time
    if rates == 0.0:
        return own
    time = first / rates
    if all(scv == own.scv and abs(t - own.mean) <= EQUAL * t for _, t, scv in times):
        return own
    return ServiceTime(time, max(0.0, second / rates / (time * time) - 1.0))


def _scaled(
    at: StationPassage, states: ArrivalStates, k: int, time: float
) -> tuple[StationPassage, float]:
    """The station with the mean time of the solution, and the factor of its waits or times."""
    if time <= 0.0 or not isinstance(at, FcfsPassage | SharedPassage):
        return at, 1.0
    elsewhere = states.weights_elsewhere(k)
    computed = mean(lambda s: states.sojourn(s, k, elsewhere), time)
    if isinstance(at, SharedPassage):
        factor = time / computed
        service = replace(at.service, mean=at.service.mean * factor)
        return replace(at, service=service, others_mean=at.others_mean * factor), factor
    wait, computed_wait = time - at.service.mean, computed - at.service.mean
    if not computed_wait > EQUAL * at.service.mean:
        return at, 1.0
    factor = max(0.0, wait / computed_wait)
    if abs(factor - 1.0) <= EQUAL:
        return at, 1.0
    others = replace(at.others_service, mean=at.others_service.mean * factor)
    return replace(at, others_service=others), factor
