"""The path of one class through a solved network, and how it passes each station.

The customers an arrival finds are those of the network with one customer less of its class; their
distribution is that of product form. Where the closed classes have too many populations to pass by
them all, the classes whose customers spend their time most alike are taken together as one that
holds as many customers, each in proportion to its flow in the solution. At every station the
waiting time is stretched so that its mean is that of the solution, unless it follows from the
station's own chain.

The stations are passed in the rounds of `qmodel.model.visit_routing`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from qmodel.errors import NotApplicable
from qmodel.matrix_analytic.mmap_ph_queue import MarkedStation
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.stations import DelayStation, QueueingStation
from qmodel.model.visit_routing import Rounds
from qmodel.numerics.laplace import BENDS, FEWEST, mean
from qmodel.numerics.service_time import ServiceTime
from qmodel.response_times.arrival_states import States
from qmodel.response_times.central_server import alike
from qmodel.response_times.class_groups import MOST, grouped, shares_of, total
from qmodel.response_times.ctmc_station import Isolated, isolated
from qmodel.response_times.open_station import by_mmap, by_qna
from qmodel.response_times.overtake_free import LARGEST, Server, Tandem, size
from qmodel.response_times.processor_sharing import Shared
from qmodel.response_times.shared_station import shared
from qmodel.response_times.stage import InOrder, Pause, poisson_weights
from qmodel.single_station.waiting_mixture import OpenQueue
from qmodel.solvers.decomposition.mmap import stations as stations_of
from qmodel.solvers.decomposition.qna import Flow
from qmodel.solvers.decomposition.qna import flows as flows_of
from qmodel.solvers.marie.marie import why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from qmodel.model.network import Network
    from qmodel.model.solution import Solution
    from qmodel.numerics.service_time import Complex
    from qmodel.response_times.stage import Stage

#: Service times this near to one another are equal.
EQUAL = 1e-9
#: Methods that know a station's chain, or all of the network's: what is found at a station is then
#: that of its own chain.
BY_CHAINS = ("isolation", "global_balance")


@dataclass(frozen=True, slots=True)
class Path:
    """How one class passes the network.

    Parameters
    ----------
    states : States
        What it finds.
    again, last : tuple of (int, float)
        The stations of a round before the last, and of the last, with the chance of a visit.
    rounds : float
        Mean number of rounds, at least 1.
    stretch : tuple of float, length K
        Mean waiting time in the solution over that of the states found. [1]
    centre : int or None
        The central server of the rounds, if there is one.
    alike : int
        How many rounds about it find the same, before the customers found are others.
    constant : tuple of float, length K
        Service that takes everybody the same time; it is no part of a sojourn's transform. [s]
    apart : tuple of int
        Stations passed once and by all, whose constant part is none of the response's either.
    groups_of_several : tuple of str
        Names of classes that are taken together.
    tandem : Tandem or None
        Those ahead, followed through all stations, where nobody overtakes.
    """

    states: States
    again: tuple[tuple[int, float], ...]
    last: tuple[tuple[int, float], ...]
    rounds: float
    stretch: tuple[float, ...]
    centre: int | None = None
    alike: int = 0
    constant: tuple[float, ...] = ()
    apart: tuple[int, ...] = ()
    groups_of_several: tuple[str, ...] = ()
    tandem: Tandem | None = None

    @property
    def shift(self) -> float:
        """What is left out of the transform of the response time. [s]"""
        if self.tandem is not None:
            return 0.0
        return total(self.constant[k] for k in self.apart)

    @property
    def terms(self) -> int:
        """Of the series that gives a probability; more where service hardly varies."""
        bends = any(getattr(stage, "ahead", stage.own).bends for stage in self.states.stages)
        return BENDS if bends else FEWEST

    def response(self, s: Complex) -> Complex:
        """Transform of the response time less what everybody takes.

        A distribution that jumps has percentiles that its transform hardly tells; so what makes it
        jump, a constant service after a wait that may be none, is left out.
        """
        if self.tandem is not None:
            return self.tandem.transform(s)
        if self.centre is not None and self.alike:
            return self._about_the_centre(s, self.centre)
        last = self._without(self.apart).transform(s, self.last)
        if self.rounds == 1.0:
            return last
        again = self.states.transform(s, self.again)
        return last / (self.rounds - (self.rounds - 1.0) * again)

    def _about_the_centre(self, s: Complex, centre: int) -> Complex:
        """Rounds about a central server: so many one after the other find the same."""
        stay = 1.0 - 1.0 / self.rounds
        others = [(k, p) for k, p in self.again if k != centre]
        several, all_of_them = self.states.rounds(s, centre, others, self.alike)
        ends = 0.0 * s
        for k, found in enumerate(several):
            ends = ends + stay**k / self.rounds * found
        return ends / (1.0 - stay**self.alike * all_of_them)

    def sojourn(self, station: int) -> Callable[[Complex], Complex]:
        """Transform of the time of one visit to a station, less its constant part."""
        states = self._without((station,))
        ways = states.ways(station)
        return lambda s: states.visit(s, station, ways)

    def _without(self, stations: Sequence[int]) -> States:
        """The states where service takes no time at some stations where it is constant."""
        stages = list(self.states.stages)
        for k in stations:
            stage = stages[k]
            if self.constant[k] and isinstance(stage, InOrder | OpenQueue | Pause | Isolated):
                stages[k] = replace(stage, own=replace(stage.own, mean=0.0))
        return replace(self.states, stages=tuple(stages))


def path(solution: Solution, c: int, orders: Sequence[str]) -> Path:
    """The path of class ``c``; ``orders`` are those of `service_order`, by station."""
    network = solution.network
    customer_class = network.classes[c]
    flows, others = _found(solution, c)
    groups = grouped(solution, others, flows, MOST)
    populations = tuple(sum(others[i] for i in group) for group in groups)
    work = prod(n + 1 for n in populations) * len(network.stations)
    if work > 10 * MOST:
        raise NotApplicable(
            f"percentiles of class {customer_class.name!r} among {sum(others)} other customers: "
            f"{work} numbers for each point of a distribution, at most {10 * MOST}"
        )
    delay = tuple(total(flows[i] * _pause(network, i) for i in group) for group in groups)
    by_moments = _by_moments(solution)
    apart = {}
    chains = solution.method in BY_CHAINS and why_not(network) is None
    if chains and all(len(group) < 2 for group in groups):
        apart = isolated(network, others, flows)
    stages: list[Stage] = []
    for k, station in enumerate(network.stations):
        own = ServiceTime(network.service_time_at(c, k), network.scv_at(c, k))
        if isinstance(station, DelayStation):
            stages.append(Pause(own))
            continue
        if by_moments is not None:
            assert isinstance(station, QueueingStation)
            at = by_moments[k]
            if isinstance(at, Flow):
                stages.append(by_qna(own, at, station.servers))
            else:
                stages.append(by_mmap(own, at, c))
            continue
        if k in apart and orders[k] == "fcfs":
            stages.append(Isolated(own, *apart[k]))
            continue
        loads = _Loads.of(network, k, flows)
        if orders[k] == "fcfs":
            assert isinstance(station, QueueingStation)
            ahead = _ahead(network, k, flows, own)
            stages.append(InOrder(own, ahead, loads.closed, loads.opened, station.servers))
        else:
            stages.append(shared(network, k, flows, own, (loads.closed, loads.opened), sum(others)))
    shares = tuple(shares_of(network, k, groups, flows) for k in range(len(stages)))
    stages = _with_what_is_found(States(populations, delay, tuple(stages), shares))
    visit = [network.visits_at(c, k) for k in range(len(stages))]
    rounds = Rounds.of(visit)
    scv = 1.0 if rounds.centre is None else network.scv_at(c, rounds.centre)
    last = [(k, p) for k, p in enumerate(rounds.last) if p]
    states = States(populations, delay, tuple(stages), shares)
    stretched, stretch = [], []
    for k, stage in enumerate(stages):
        time = solution.residence_times[c][k] / visit[k] if visit[k] else 0.0
        known = time > 0.0 and isinstance(stage, InOrder | Shared)
        as_solved, factor = _stretched(stage, states, k, time) if known else (stage, 1.0)
        stretched.append(as_solved)
        stretch.append(factor)
    return Path(
        replace(states, stages=tuple(stretched)),
        tuple((k, p) for k, p in enumerate(rounds.again) if p),
        tuple(last),
        rounds.mean,
        tuple(stretch),
        rounds.centre,
        alike(rounds, work, scv) if by_moments is None else 1,
        tuple(constant_part(stage) for stage in stages),
        tuple(k for k, p in last if p == rounds.mean == 1.0 and constant_part(stages[k])),
        tuple(
            ", ".join(network.class_names[i] for i in group) for group in groups if len(group) > 1
        ),
        _tandem(stages, rounds, populations, delay) if apart else None,
    )


def _tandem(
    stages: Sequence[Stage],
    rounds: Rounds,
    populations: Sequence[int],
    delay: Sequence[float],
) -> Tandem | None:
    """Those ahead, where one class passes single servers in turn; None where that is not so."""
    passed = [k for k, p in enumerate(rounds.last) if p]
    alone = (
        len(populations) == 1 and rounds.mean == 1.0 and all(rounds.last[k] == 1.0 for k in passed)
    )
    if not alone or len(passed) < 2 or any(getattr(stages[k], "times", 1) != 1 for k in passed):
        return None
    servers = [server for k in passed if (server := Server.of(stages[k], populations[0]))]
    if len(servers) < len(passed) or size(servers, populations[0]) > LARGEST:
        return None
    return Tandem.of(servers, poisson_weights(delay[0], populations[0]))


def _by_moments(solution: Solution) -> tuple[Flow | MarkedStation | None, ...] | None:
    """What a decomposition knows of each station, or None for another method."""
    if solution.method == "qna":
        return flows_of(solution.network)
    return stations_of(solution.network) if solution.method == "marked_flows" else None


def constant_part(stage: Stage) -> float:
    """What everybody takes there, whoever else is there. [s]"""
    return stage.own.mean if stage.own.scv == 0.0 and not isinstance(stage, Shared) else 0.0


@dataclass(frozen=True, slots=True)
class _Loads:
    """Load of the closed and of the open classes at a station, as an arrival finds them."""

    closed: float
    opened: float

    @classmethod
    def of(cls, network: Network, k: int, flows: Sequence[float]) -> _Loads:
        closed = opened = 0.0
        for customer_class, row, flow in zip(network.classes, network.demand, flows, strict=True):
            if isinstance(customer_class, ClosedClass):
                closed += flow * row[k]
            else:
                opened += flow * row[k]
        return cls(closed, opened)


def _found(solution: Solution, c: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Flow of each class, and customers of the closed ones, that an arrival of class c finds."""
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


def _pause(network: Network, i: int) -> float:
    """Time of class i at its terminals and delay stations. [s]"""
    time = network.think_time[i]
    for station, demand in zip(network.stations, network.demand[i], strict=True):
        if isinstance(station, DelayStation):
            time += demand
    return time


def _ahead(network: Network, k: int, flows: Sequence[float], own: ServiceTime) -> ServiceTime:
    """Service time of those found at a station first come, first served, of all classes."""
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


def _with_what_is_found(states: States) -> list[Stage]:
    """Tell stations that share their speed how many customers an arrival finds."""
    return [
        replace(stage, found=stage.weights * states.ways(k)[:, None])
        if isinstance(stage, Shared)
        else stage
        for k, stage in enumerate(states.stages)
    ]


def _stretched(stage: Stage, states: States, k: int, time: float) -> tuple[Stage, float]:
    """The stage with the mean time of the solution, and by how much it was changed."""
    ways = states.ways(k)
    here = mean(lambda s: states.visit(s, k, ways), time)
    if isinstance(stage, InOrder):
        waits, waited = time - stage.own.mean, here - stage.own.mean
        if not waited > EQUAL * stage.own.mean:
            return stage, 1.0
        factor = max(0.0, waits / waited)
        if abs(factor - 1.0) <= EQUAL:
            return stage, 1.0
        ahead = replace(stage.ahead, mean=stage.ahead.mean * factor)
        return replace(stage, ahead=ahead), factor
    assert isinstance(stage, Shared)
    factor = time / here
    return replace(
        stage,
        own=replace(stage.own, mean=stage.own.mean * factor),
        others=stage.others * factor,
    ), factor
