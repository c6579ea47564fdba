"""Approximate mean value analysis where the order of service matters, any number of customers.

Linearizer (Chandy and Neuse, CACM 25(2), 1982) with the rules of `residence_rules`.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/extended_amva.
"""

import numpy as np

from qmodel.errors import Unstable
from qmodel.model import stations as kinds
from qmodel.model.closed_network import empty_solution, solution_of
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import NotConverged, Solution
from qmodel.numerics.arrays import Array, Flags
from qmodel.solvers.amva.preemptive_multiserver import Visits, delays
from qmodel.solvers.amva.residence_rules import Sight, Station, residence
from qmodel.solvers.fork_join import fork_speeds
from qmodel.solvers.method import Method
from qmodel.solvers.open_load import check_served, open_loads

#: Rounds of correction, as in Linearizer.
ROUNDS = 3
#: Relative change of a residence time at which a round stops, and steps at most.
TOLERANCE, STEPS = 1e-9, 5_000
#: Part of each step that is taken, up to so many: less and less where it goes to and fro.
STRIDES = ((20, 1.0), (200, 0.5), (1_000, 0.2), (5_000, 0.05))
#: Steps after which a station that is full has to have room for its open classes.
PATIENCE = 300
#: Throughput, over that without any waiting, that is none.
HARDLY = 1e-7

#: Seconds for each station and population.
EACH = 5e-3


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if network.product_form_violation() is None:
        return "nothing in the network breaks product form"
    for customer_class in network.classes:
        if isinstance(customer_class, OpenClass) and customer_class.arrival_scv != 1.0:
            return f"class {customer_class.name!r} arrives with SCV {customer_class.arrival_scv:g}"
    for k, station in enumerate(network.stations):
        if isinstance(station, kinds.LoadDependentStation):
            return f"station {station.name!r} is load-dependent"
        if (reason := fork_speeds.why_not(network, k)) is not None:
            return reason
    if network.limits:
        return f"limit {network.limits[0].name!r} keeps customers outside"
    return None


def solve(network: Network) -> Solution:
    """Approximate throughput and residence times.

    Raises `NotConverged` if residence times still change after so many steps; the last iterate is
    in the error; `Unstable` if a station cannot keep up with the open classes, or classes of higher
    priority keep another from being served at all.
    """
    open_loads(network)  # raises where open classes are too much
    # Of open classes also those without arrivals: a lone one waits for the others.
    present = [c for c, x in enumerate(network.classes) if isinstance(x, OpenClass) or x.population]
    if not present:
        return empty_solution(network, "extended-amva")
    model = _Model(network, present)
    x, times, used, change = model.solve()
    reason = "exact for M/G/1" * model.is_one_queue(network, present)
    solution = solution_of(
        network, "extended-amva", present, x.tolist(), times.tolist(),
        iterations=used, residual=change, reason=reason,
    )  # fmt: skip
    if (shut_out := model.shut_out(x)).any():
        c, k = np.argwhere(shut_out)[0].tolist()
        raise Unstable(
            f"class {network.class_names[present[c]]!r} at station {network.station_names[k]!r}: "
            "closed classes of higher priority leave it less than it needs; unstable"
        )
    check_served(network, dict(enumerate(solution.throughputs)), HARDLY)
    if not np.isfinite(change) or change > TOLERANCE:
        raise NotConverged(solution, TOLERANCE)
    return solution


class _Model:
    """The classes with customers, as arrays; the first network of all is the one asked for."""

    def __init__(self, network: Network, present: list[int]) -> None:
        classes = [network.classes[c] for c in present]
        self.stations = [_rule(network, present, k) for k in range(len(network.stations))]
        self.demand = np.array([network.demand[c] for c in present])
        self.think = np.array([network.think_time[c] for c in present])
        self.rate = np.array([getattr(c, "arrival_rate", 0.0) for c in classes])
        self.closed = np.array([isinstance(c, ClosedClass) for c in classes])
        whole = np.array([float(getattr(c, "population", 0)) for c in classes])
        fewer = [whole - np.eye(len(classes))[c] for c in np.flatnonzero(self.closed)]
        self.rank = np.array([c.priority for c in classes])
        self.servers = np.array([np.inf if s.kind == "delay" else s.servers for s in self.stations])
        #: Residence times that do not depend on the others, (C,), by station.
        self.known = {
            k: self._of_open_classes(rule, self.demand[:, k])
            for k, rule in enumerate(self.stations)
            if rule.kind not in {"delay", "fork"} and not self.demand[self.closed, k].any()
        }
        #: Populations of the network and of those with one customer less, (B, C).
        self.population = np.array([whole, *fewer])
        self.less = {int(c): b for b, c in enumerate(np.flatnonzero(self.closed), 1)}

    def is_one_queue(self, network: Network, present: list[int]) -> bool:
        """Whether all there is is one server that Poisson arrivals visit once."""
        poisson = {*map(network.distribution_at, present)} <= {None, "phase-type"}
        alone = self.servers.tolist() == [1.0] and network.visit_ratio is None
        return poisson and alone and 0 in self.known

    def _of_open_classes(self, rule: Station, demand: Array) -> Array:
        """Residence times at a station that only open classes visit: Cobham, or Kleinrock. [s]"""
        if rule.kind == "preemptive":
            columns = self.rate * rule.visits, rule.service, rule.residual, rule.rank
            visits = [Visits(*each) for each in zip(*map(np.ndarray.tolist, columns), strict=True)]
            return demand + rule.visits * delays(visits, rule.servers)
        rank = rule.rank * (rule.kind == "priority")
        seen = np.tile(self.rate * demand, (1, len(demand), 1))
        alike = np.ones_like(seen)
        sight = Sight(seen, seen, alike[:, 0], alike[:, 0], alike[0])
        kind = "any" if rule.kind == "any" else "fcfs"
        wait = residence(rule._replace(kind=kind), sight)[0] - demand  # for those in service
        busy = seen[0] / rule.servers
        for before in (rank <= rank[:, None], rank < rank[:, None]):
            wait = wait / (1.0 - (busy * before).sum(axis=1))
        return np.asarray(demand + wait)

    def solve(self) -> tuple[Array, Array, int, float]:
        """Throughputs (C,), residence times (C, K), steps, and the last change."""
        classes, stations = self.demand.shape
        whole = self.population[0]
        size = np.where(self.closed, np.maximum(whole, 1.0), 1.0)
        shift = np.zeros((classes, classes, stations))  # [who is less, class, station]
        pace = np.ones((classes, classes))  # throughput with one less of the first, over that with
        for c in self.less:
            pace[c, c] = (whole[c] - 1.0) / whole[c]
        queue = np.repeat(self.demand[None], len(self.population), axis=0)
        total = queue.sum(axis=2, keepdims=True)
        queue = queue / np.where(total > 0.0, total, 1.0) * self.population[:, :, None] * 0.5
        x = self.population / (self.think + self.demand.sum(axis=1) + 1e-300)
        used, change = 0, 0.0
        for done in range(ROUNDS + 1):
            queue, x, times, more, change = self._settle(queue, x, shift, pace)
            used += more
            if done == ROUNDS:
                break
            for c, b in self.less.items():
                there = self.population[b]
                many = np.where(self.closed, np.maximum(there, 1.0), 1.0)
                shift[c] = queue[b] / many[:, None] - queue[0] / size[:, None]
                # Of a class that has no customer left there is no share to correct.
                shift[c][self.closed & (there == 0.0)] = 0.0
                pace[c] = np.divide(x[b], x[0], out=np.ones(classes), where=x[0] > 0.0)
        return x[0], times[0], used, change

    def _settle(
        self, queue: Array, x: Array, shift: Array, pace: Array
    ) -> tuple[Array, Array, Array, int, float]:
        """The fixed point of all networks at once, with given corrections."""
        networks = len(self.population)
        classes, stations = self.demand.shape
        size = np.where(self.closed, np.maximum(self.population, 1.0), 1.0)
        times = np.repeat(self.demand[None], networks, axis=0)
        cycle = self.think + times.sum(axis=2)
        change = np.inf
        crowded = np.ones((networks, 1, stations))
        endless = 1e12 * max(float(self.demand.max()), float(self.think.max()))
        for used in range(1, STEPS + 1):
            share = queue / size[:, :, None]
            now = np.empty_like(times)
            for k, rule in enumerate(self.stations):
                if k in self.known:
                    now[:, :, k] = self.known[k]
                    continue
                # What a class c finds of a class d: [network, c, d].
                many = np.where(self.closed, self.population, 1.0)[:, None, :] - np.where(
                    self.closed, np.eye(classes), 0.0
                )
                seen = np.maximum(many, 0.0) * np.maximum(share[:, None, :, k] + shift[:, :, k], 0)
                busy = x[:, None, :] * pace * self.demand[:, k]
                busy = np.minimum(busy, np.where(rule.kind == "delay", np.inf, seen))
                free = 1.0 - (queue[:, :, k].sum(axis=1)[:, None] - seen.sum(axis=2))
                away = np.where(
                    self.closed, (cycle - times[:, :, k]) / np.maximum(rule.visits, 1e-100), np.inf
                )
                sight = Sight(seen, busy, np.clip(free, 0.0, 1.0), away, pace)
                now[:, :, k] = residence(rule, sight)
            # No rule knows that a server cannot be busy more than all the time.
            load = (x @ self.demand / self.servers)[:, None, :]
            crowded = np.maximum(crowded * load, 1.0)
            now *= np.where(self.closed[:, None], crowded, 1.0)
            change = float(np.max(np.abs(now - times) / np.maximum(now, 1e-300)))
            part = next((share for last, share in STRIDES if used <= last), STRIDES[-1][1])
            times = times + part * (now - times)
            cycle = self.think + times.sum(axis=2)
            x = np.where(self.closed, self.population / np.maximum(cycle, 1e-300), self.rate)
            queue = x[:, :, None] * times
            if change <= TOLERANCE or not times.max() < endless:
                break
            if used == PATIENCE and self._leaves_nothing(x[0]):
                break
        return queue, x, times, used, change

    def _leaves_nothing(self, x: Array) -> bool:
        """Whether closed classes leave nothing to open ones, or to one of their own."""
        alone = self.think + self.demand.sum(axis=1)
        starved = self.closed & (x * alone < HARDLY * self.population[0])
        return bool(self.shut_out(x).any() or starved.any())

    def shut_out(self, x: Array) -> Flags:
        """Open classes at stations that closed classes of higher priority fill, (C, K).

        Where an open class comes before closed ones, or takes its turn with them, these have what
        it leaves: such a station may be busy all the time.
        """
        higher = self.rank < self.rank[:, None]  # [who waits, who is before it]
        before = higher | (~self.closed & (self.rank == self.rank[:, None]))
        busy = x[:, None] * self.demand / self.servers
        full = (before @ busy > 1.0 - 1e-6) & ((higher & self.closed) @ busy > 0.0)
        full &= np.array([s.kind in kinds.RANKED for s in self.stations])
        return np.asarray(full & (self.demand > 0.0) & ~self.closed[:, None])


def _rule(network: Network, present: list[int], k: int) -> Station:
    """A station as the rules take it."""
    station = network.stations[k]
    service = np.array([network.service_time_at(c, k) for c in present])
    visits = np.array([network.visits_at(c, k) for c in present])
    scv = np.array([network.scv_at(c, k) for c in present])
    rank = np.array([network.classes[c].priority for c in present])
    kind, servers, light, heavy = "delay", 1, 1.0, 1.0
    if isinstance(station, kinds.ForkJoinStation):
        kind = "fork"
        light, heavy = fork_speeds.light_and_heavy(station.branches)
    elif isinstance(station, kinds.QueueingStation):
        kind = "any" if station.discipline in kinds.ORDERLESS else station.discipline
        servers = station.servers
    else:
        assert isinstance(station, kinds.DelayStation)
    return Station(kind, servers, visits, service, service * (1 + scv) / 2, rank, light, heavy)


def seconds(network: Network) -> float:
    """About how long it takes; see `Method`. [s]"""
    return EACH * len(network.stations) * (1 + sum(n > 0 for n in network.populations))


METHOD = Method("extended-amva", False, solve, why_not, seconds=seconds)
