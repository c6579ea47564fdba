"""What has no exact answer, simulated by Ciw: means with half widths of 95 % intervals.

Customers visit the stations in order, once each; closed classes think in between. Service times
have the mean and SCV of the network, as Erlang-like gamma times below 1 and as two balanced
exponential branches above. In Ciw ranks hold at every station, so they do in what is asked, and
who is interrupted resumes where he was.
"""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from statistics import mean, stdev

import qmodel as qm
from qmodel.solvers.recorded_accuracy import recorded

#: Batches, and Student's t for 95 % with one less.
BATCHES, STUDENT = 20, 2.093
#: Share of the time that is left out at the beginning, and at the end.
BEFORE, AFTER = 0.1, 0.02


def networks() -> dict[str, qm.Network]:
    """Networks by what is special about them."""
    users = [qm.ClosedClass("reads", 12, 2.0), qm.ClosedClass("scans", 3, 10.0)]
    ranked = [qm.ClosedClass("users", 15, 4.0), qm.ClosedClass("batch", 3, 1.0, priority=1)]
    cpu = qm.QueueingStation("cpu", discipline="fcfs")
    demand = [[0.1, 0.08], [0.1, 1.0]]
    return {
        "order of arrival, classes of different service": qm.Network(
            [cpu, qm.QueueingStation("disk", discipline="fcfs")], users, demand
        ),
        "order of arrival, uneven service": qm.Network(
            [cpu, qm.QueueingStation("disk", discipline="fcfs")],
            users,
            demand,
            scv=[[1.0, 1.0], [1.0, 4.0]],
        ),
        "order of arrival, three servers": qm.Network(
            [cpu, qm.QueueingStation("disk", 3, discipline="fcfs")], users, [[0.1, 0.4], [0.1, 3.0]]
        ),
        "priority without interruption": qm.Network(
            [qm.QueueingStation(name, discipline="priority") for name in ("cpu", "disk")],
            ranked,
            [[0.1, 0.1], [0.1, 0.5]],
        ),
        "priority with interruption": qm.Network(
            [qm.QueueingStation(name, discipline="preemptive") for name in ("cpu", "disk")],
            ranked,
            [[0.1, 0.1], [0.1, 0.5]],
        ),
        "room for four": qm.Network(
            [qm.QueueingStation("saw"), qm.QueueingStation("drill", buffer=4)],
            [qm.ClosedClass("pallets", 8)],
            [[50.0, 60.0]],
        ),
        "open, uneven arrivals and even service": qm.Network(
            [qm.QueueingStation("web", 2, "fcfs"), qm.QueueingStation("data", 1, "fcfs")],
            [qm.OpenClass("mail", 1.0, arrival_scv=3.0)],
            [[1.4, 0.6]],
            scv=[[0.5, 0.25]],
        ),
    }


def simulated(network: qm.Network, interactions: int = 200_000) -> dict[str, list[float]]:
    """Response times and throughputs of the classes, each with its half width.

    Parameters
    ----------
    network : Network
        Of queueing stations.
    interactions : int
        Of all classes together, about.
    """
    import ciw

    rate = sum(_rate(network))
    horizon = interactions / rate
    ciw.seed(1995)
    run = ciw.Simulation(ciw.create_network(**_as_ciw(network)))
    run.simulate_until_max_time(horizon)
    found = _returns(run, network)
    begun, ended = BEFORE * horizon, (1.0 - AFTER) * horizon
    length = (ended - begun) / BATCHES
    answer: dict[str, list[float]] = defaultdict(list)
    for returns in found:
        batches: list[list[float]] = [[] for _ in range(BATCHES)]
        for when, time in returns:
            if begun <= when < ended:
                batches[min(BATCHES - 1, int((when - begun) / length))].append(time)
        for name, values in (
            ("response_time", [mean(batch) for batch in batches]),
            ("throughput", [len(batch) / length for batch in batches]),
        ):
            answer[name].append(mean(values))
            answer[f"{name}_half_width"].append(STUDENT * stdev(values) / sqrt(BATCHES))
    return dict(answer)


def promised(solution: qm.Solution) -> float:
    """The worst recorded error of the method on such networks; 0 if exact. [1]"""
    found = recorded(solution.network, solution.method)
    return found.worst if found else 0.0


def _rate(network: qm.Network) -> tuple[float, ...]:
    """Throughputs, to know for how long to simulate. [1/s]"""
    return qm.solve(network).throughputs


def _as_ciw(network: qm.Network) -> dict:
    """The network as Ciw takes it: its first node is where closed classes think."""
    import ciw

    size = len(network.stations) + 1
    rows = {}
    for c, customers in enumerate(network.classes):
        arrive: list = [None] * size
        closed = isinstance(customers, qm.ClosedClass)
        if closed:
            arrive[0] = ciw.dists.Sequential([1e-6] * customers.population + [float("inf")])
        else:
            arrive[1] = _times(1.0 / customers.arrival_rate, customers.arrival_scv)
        think = network.think_time[c]
        serve = [
            ciw.dists.Exponential(1.0 / think) if think else ciw.dists.Deterministic(0.0),
            *(
                _times(network.service_time_at(c, k), network.scv_at(c, k))
                for k in range(len(network.stations))
            ),
        ]
        leads = [[float(b == a + 1) for b in range(size)] for a in range(size)]
        if closed:
            leads[-1][0] = 1.0
        rows[f"c{c}"] = arrive, serve, leads
    asked = {
        "arrival_distributions": {name: row[0] for name, row in rows.items()},
        "service_distributions": {name: row[1] for name, row in rows.items()},
        "routing": {name: row[2] for name, row in rows.items()},
        "number_of_servers": [float("inf"), *(s.servers for s in network.stations)],
        "queue_capacities": [
            float("inf"),
            *(float("inf") if s.buffer is None else s.buffer - s.servers for s in network.stations),
        ],
    }
    if any(s.discipline in {"priority", "preemptive"} for s in network.stations):
        ranks = {f"c{c}": customers.priority for c, customers in enumerate(network.classes)}
        ways = ["resume" if s.discipline == "preemptive" else False for s in network.stations]
        asked["priority_classes"] = (ranks, [False, *ways])
    return asked


def _times(average: float, scv: float):
    """A distribution of a mean and an SCV."""
    import ciw

    if scv == 1.0:
        return ciw.dists.Exponential(rate=1.0 / average)
    if scv < 1.0:
        return ciw.dists.Gamma(shape=1.0 / scv, scale=average * scv)
    p = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))
    return ciw.dists.HyperExponential([2.0 * p / average, 2.0 * (1.0 - p) / average], [p, 1.0 - p])


def _returns(run, network: qm.Network) -> list[list[tuple[float, float]]]:
    """When each interaction of a class ended, and how long it took."""
    visits = defaultdict(list)
    for record in run.get_all_records(only=["service"]):
        visits[record.id_number].append(record)
    found: list[list[tuple[float, float]]] = [[] for _ in network.classes]
    last = len(network.stations) + 1
    for records in visits.values():
        records.sort(key=lambda record: (record.arrival_date, record.exit_date))
        c = int(records[0].customer_class[1:])
        begun = records[0].arrival_date  # from outside
        for record in records:
            if record.node == 1:
                begun = record.exit_date
            elif record.node == last:
                found[c].append((record.exit_date, record.exit_date - begun))
    return found
