"""The exact Markov chain of a small closed network in which the order of service matters.

Theory and sources: `tests/truth/THEORY.md`, ordered.
"""

import qmodel as qm
from tests.truth.chain import explored, stationary
from tests.truth.measures import Measures

THINKING = -1


def service_phases(mean, scv):
    """Starts, rates and probabilities to end, the next phase following otherwise."""
    if scv == 1.0:
        return (1.0,), (1.0 / mean,), (1.0,)
    if scv > 1.0:
        p = 0.5 * (1.0 + ((scv - 1.0) / (scv + 1.0)) ** 0.5)
        return (p, 1.0 - p), (2.0 * p / mean, 2.0 * (1.0 - p) / mean), (1.0, 1.0)
    k = round(1.0 / scv)
    assert abs(scv - 1.0 / k) < 1e-12, "Erlang: 1 / SCV must be a whole number"
    return (1.0, *[0.0] * (k - 1)), (k / mean,) * k, (*[0.0] * (k - 1), 1.0)


class Chain:
    """The chain of one network."""

    def __init__(self, network, routes=None):
        self.network = network
        self.routes = routes or [[k for k, d in enumerate(row) if d > 0] for row in network.demand]
        self.waiting_at = {
            limit.name: network.station_names.index(limit.name) for limit in network.limits
        }
        self.services = [
            [self._service(c, k) for k in range(len(network.stations))]
            for c in range(len(network.classes))
        ]

    def _service(self, c, k):
        demand = self.network.demand[c][k]
        if not demand:
            return None
        times = self.routes[c].count(k)
        scv = self.network.scv[c][k] if self.network.scv else 1.0
        station = self.network.stations[k]
        if isinstance(station, qm.QueueingStation) and station.discipline in ("any", "ps"):
            scv = 1.0  # only the mean matters there
        if isinstance(station, qm.DelayStation):
            scv = 1.0
        return service_phases(demand / times, scv)

    def start(self):
        """All think; those who do not are sent on their way one by one."""
        places = tuple(() for _ in self.network.stations)
        thinking = tuple(c.population for c in self.network.classes)
        state = (places, thinking)
        for c, customers in enumerate(self.network.classes):
            if not customers.think_time:
                for _ in range(customers.population):
                    state = self.depart_thinking(state, c)[0][0]
        return state

    def depart_thinking(self, state, c):
        places, thinking = state
        fewer = (*thinking[:c], thinking[c] - 1, *thinking[c + 1 :])
        return self.arrive((places, fewer), (c, 0))

    def arrive(self, state, customer):
        """States after a customer (class, position) comes to its next place, with probabilities."""
        c, position = customer
        places, thinking = state
        if position == len(self.routes[c]):
            if self.network.classes[c].think_time:
                more = (*thinking[:c], thinking[c] + 1, *thinking[c + 1 :])
                return [((places, more), 1.0)]
            return self.arrive(state, (c, 0))
        k = self.routes[c][position]
        limit = self.limit_of(c, k)
        if limit is not None and not self.is_inside_before(c, position, limit):
            inside = self.count_inside(state, limit)
            if inside >= limit.customers:
                return [(self.put(state, self.waiting_at[limit.name], (c, position, -1)), 1.0)]
        return self.enter(state, k, c, position)

    def enter(self, state, k, c, position):
        station = self.network.stations[k]
        if isinstance(station, qm.ForkJoinStation):
            return [(self.put(state, k, (c, position, (1 << station.branches) - 1)), 1.0)]
        if isinstance(station, qm.DelayStation):
            return [(self.put(state, k, (c, position, 0)), 1.0)]
        return self.start_those_who_may(self.put(state, k, (c, position, -1)), k)

    @staticmethod
    def put(state, k, customer):
        places, thinking = state
        return (*places[:k], (*places[k], customer), *places[k + 1 :]), thinking

    def limit_of(self, c, k):
        for limit in self.network.limits:
            if self.network.station_names[k] in limit.stations and limit.counts(
                self.network.class_names[c]
            ):
                return limit
        return None

    def is_inside_before(self, c, position, limit):
        return position > 0 and self.limit_of(c, self.routes[c][position - 1]) is limit

    def count_inside(self, state, limit):
        return sum(
            limit.counts(self.network.class_names[customer[0]])
            for k, name in enumerate(self.network.station_names)
            if name in limit.stations
            for customer in state[0][k]
        )

    def serving(self, k, line):
        """Positions in line of those whom the discipline serves now."""
        station = self.network.stations[k]
        m = station.servers
        priority = [self.network.classes[customer[0]].priority for customer in line]
        if station.discipline in ("any", "ps"):
            return list(range(len(line)))
        if station.discipline == "preemptive":
            return sorted(range(len(line)), key=lambda i: (priority[i], i))[:m]
        started = [i for i, customer in enumerate(line) if customer[2] != -1]
        rest = [i for i, customer in enumerate(line) if customer[2] == -1]
        if station.discipline == "priority":
            rest.sort(key=lambda i: (priority[i], i))
        return started + rest[: m - len(started)]

    def start_those_who_may(self, state, k):
        line = state[0][k]
        found = [(line, 1.0)]
        for i in self.serving(k, line):
            if line[i][2] == -1:
                c, position, _ = line[i]
                starts = self.services[c][k][0]
                found = [
                    ((*one[:i], (c, position, phase), *one[i + 1 :]), p * share)
                    for one, p in found
                    for phase, share in enumerate(starts)
                    if share
                ]
        places, thinking = state
        return [(((*places[:k], one, *places[k + 1 :]), thinking), p) for one, p in found]

    def leave(self, state, k, i):
        """A customer goes on to its next place; whoever can takes its place."""
        places, thinking = state
        line = places[k]
        c, position, _ = line[i]
        rest = (*places[:k], (*line[:i], *line[i + 1 :]), *places[k + 1 :]), thinking
        found = [(rest, 1.0)]
        limit = self.limit_of(c, k)
        route = self.routes[c]
        stays = (
            limit is not None
            and position + 1 < len(route)
            and self.limit_of(c, route[position + 1]) is limit
        )
        if isinstance(self.network.stations[k], qm.QueueingStation):
            found = [
                (after, p * q)
                for before, p in found
                for after, q in self.start_those_who_may(before, k)
            ]
        return [
            (after, p * q)
            for before, p in found
            for after, q in (
                self.arrive(before, (c, position + 1))
                if limit is None or stays
                else self.let_in_and_arrive(before, limit, (c, position + 1))
            )
        ]

    def let_in_and_arrive(self, state, limit, customer):
        w = self.waiting_at[limit.name]
        places, thinking = state
        found = [(state, 1.0)]
        if places[w]:
            (c, position, _), *others = places[w]
            freed = (*places[:w], tuple(others), *places[w + 1 :]), thinking
            found = self.enter(freed, self.routes[c][position], c, position)
        return [(after, p * q) for before, p in found for after, q in self.arrive(before, customer)]

    def moves(self, state):
        """States that follow, their rates, and (class, place) of whoever left a place."""
        places, thinking = state
        for c, n in enumerate(thinking):
            if n:
                rate = n / self.network.classes[c].think_time
                for after, p in self.depart_thinking(state, c):
                    yield after, rate * p, (c, THINKING)
        for k, line in enumerate(places):
            station = self.network.stations[k]
            if self.network.station_names[k] in self.waiting_at or not line:
                continue
            if isinstance(station, qm.ForkJoinStation):
                yield from self.fork_moves(state, k, line)
                continue
            if isinstance(station, qm.DelayStation):
                served, speed = range(len(line)), 1.0
            else:
                served = self.serving(k, line)
                speed = 1.0
                if station.discipline in ("any", "ps"):
                    speed = min(station.servers, len(line)) / len(line)
            for i in served:
                c, position, phase = line[i]
                _, rates, ends = self.services[c][k]
                rate = rates[phase] * speed
                if ends[phase]:
                    for after, p in self.leave(state, k, i):
                        yield after, rate * ends[phase] * p, (c, k, position)
                if ends[phase] < 1.0:
                    moved = (*line[:i], (c, position, phase + 1), *line[i + 1 :])
                    after = (*places[:k], moved, *places[k + 1 :]), thinking
                    yield after, rate * (1.0 - ends[phase]), None

    def fork_moves(self, state, k, line):
        places, thinking = state
        for branch in range(self.network.stations[k].branches):
            first = next((i for i, one in enumerate(line) if one[2] >> branch & 1), None)
            if first is None:
                continue
            c, position, parts = line[first]
            rate = self.services[c][k][1][0]
            left = parts & ~(1 << branch)
            if left:
                moved = (*line[:first], (c, position, left), *line[first + 1 :])
                yield ((*places[:k], moved, *places[k + 1 :]), thinking), rate, None
            else:
                for after, p in self.leave(state, k, first):
                    yield after, rate * p, (c, k, position)


def solve(network, routes=None, most=60_000, services=()):
    """All measures, from the stationary distribution; ``services`` by (class, station)."""
    chain = Chain(network, routes)
    for (c, k), given in dict(services).items():
        chain.services[c][k] = given
    index, moves = explored([chain.start()], chain.moves, most)
    probability = stationary(len(index), moves)
    classes, stations = range(len(network.classes)), range(len(network.stations))
    throughput = [0.0 for _ in classes]
    queue = [[0.0 for _ in stations] for _ in classes]
    for i, _, rate, left in moves:
        if left is not None and left[1] != THINKING and left[2] == 0:
            throughput[left[0]] += probability[i] * rate
    for (places, _), i in index.items():
        for k, line in enumerate(places):
            for customer in line:
                queue[customer[0]][k] += probability[i]
    utilization = [
        [
            throughput[c] * network.demand[c][k]
            / (1.0 if isinstance(s, qm.DelayStation) else s.max_rate)
            for k, s in enumerate(network.stations)
        ]
        for c in classes
    ]  # fmt: skip
    residence = [
        [q / x if x else None for q in row] for row, x in zip(queue, throughput, strict=True)
    ]
    return Measures(throughput, queue, utilization, residence)
