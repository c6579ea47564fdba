"""python -m benchmarks.simulation_coverage [COUNT]: how often simulated intervals cover the truth.

Random networks of twelve kinds that have exact answers, each simulated for a given number of
events; of every measure the share of intervals that cover it is printed, by kind and in all. A
95 % interval should cover 95 of 100.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from time import perf_counter

import qmodel as qm

#: Names of the kinds, in turn.
KINDS = (
    "one class",
    "several classes",
    "load-dependent",
    "central server",
    "open",
    "mixed",
    "m/g/1",
    "priority",
    "fork",
    "chain",
    "limit",
    "buffer",
)
#: Exact response times by class, or None where the solution has them.
Case = tuple[str, qm.Network, list[float] | None]


def cases(seed: int) -> Iterator[Case]:
    """Networks without end, a fresh one of each kind in turn."""
    random = Random(seed)
    makers = (one_class, several, load_dependent, central, open_, mixed, mg1, priority, fork,
              chain, limit, buffer)  # fmt: skip
    while True:
        for kind, make in zip(KINDS, makers, strict=True):
            yield kind, *make(random)


def covered(case: Case, events: int, seed: int) -> tuple[dict[str, list[bool]], qm.Simulated]:
    """Of each measure, whether its intervals cover what is exact; and the simulation."""
    _, network, times = case
    solution = qm.solve(network) if times is None else None
    found = qm.simulate(network, precision=1e-9, events=events, seconds=None, seed=seed)
    pairs: dict[str, list] = {name: [] for name in ("R", "X", "Q", "U", "p95", "p99")}
    if solution is None:
        pairs["R"] = list(zip(times, found.response_times, strict=True))
    else:
        pairs["R"] = list(zip(solution.response_times, found.response_times, strict=True))
        pairs["X"] = list(zip(solution.throughputs, found.throughputs, strict=True))
        for c in range(len(network.classes)):
            pairs["Q"] += zip(solution.queue_lengths[c], found.queue_lengths[c], strict=True)
            pairs["U"] += zip(solution.utilizations[c], found.utilizations[c], strict=True)
        try:
            table = qm.percentiles(solution, (0.95, 0.99))
        except qm.QmodelError:
            table = None
        for c in range(len(network.classes)):
            if table is not None and table.exact[c]:
                for p, name in ((0, "p95"), (1, "p99")):
                    pairs[name].append((table.response_times[c][p], found.percentiles[c][p + 2]))
    return (
        {
            name: [each.low <= truth <= each.high for truth, each in row if each.value]
            for name, row in pairs.items()
        },
        found,
    )


def users(random, most=12, priority=0, name="users"):
    return qm.ClosedClass(name, random.randint(1, most), random.uniform(0.5, 3.0), priority)


def stations(random, disciplines):
    size = random.choice([1, 2, 3])
    return [
        qm.QueueingStation(f"s{k}", random.choice([1, 1, 2]), random.choice(disciplines))
        for k in range(size)
    ]


def times_of(random, there):
    return [random.uniform(0.05, 0.5) for _ in there]


def one_class(random):
    there = [*stations(random, ["fcfs"]), qm.DelayStation("lan")]
    return qm.Network(there, [users(random)], [times_of(random, there)]), None


def several(random):
    there = stations(random, ["ps", "any"])
    classes = [users(random, 5, name=f"c{c}") for c in range(2)]
    return qm.Network(there, classes, [times_of(random, there) for _ in classes]), None


def load_dependent(random):
    there = [qm.LoadDependentStation("array", [1.0, 1.6, 2.0]), qm.QueueingStation("cpu")]
    return qm.Network(there, [users(random)], [times_of(random, there)]), None


def central(random):
    there = [qm.QueueingStation(f"s{k}", discipline="fcfs") for k in range(2)]
    visits = [4.0, 3.0]
    return qm.Network(
        there, [users(random, 6)], [times_of(random, there)], visit_ratio=[visits]
    ), None


def _loads(random, there, classes, most=0.75):
    """Demands by which each station is up to so busy."""
    rows = [times_of(random, there) for _ in classes]
    for k, station in enumerate(there):
        work = sum(c.arrival_rate * row[k] for c, row in zip(classes, rows, strict=True))
        wanted = random.uniform(0.2, most) * getattr(station, "servers", 1)
        for row in rows:
            row[k] *= wanted / work
    return rows


def open_(random):
    there = stations(random, ["fcfs"])
    classes = [qm.OpenClass("a", random.uniform(0.5, 2.0))]
    return qm.Network(there, classes, _loads(random, there, classes)), None


def mixed(random):
    there = stations(random, ["ps"])
    mail = [qm.OpenClass("mail", random.uniform(0.5, 2.0))]
    rows = _loads(random, there, mail, 0.5)
    return qm.Network(there, [*mail, users(random, 5)], [*rows, times_of(random, there)]), None


def mg1(random):
    used, scv = random.uniform(0.2, 0.7), random.choice([0.0, 0.25, 0.5, 2.0, 4.0])
    disk = qm.QueueingStation("disk", discipline="fcfs")
    network = qm.Network([disk], [qm.OpenClass("reads", used)], [1.0], scv=[scv])
    return network, [1.0 + used * (1.0 + scv) / 2.0 / (1.0 - used)]


def priority(random):
    """Two classes at M/G/1 by Cobham's formula."""
    rates = [random.uniform(0.1, 0.4) for _ in range(2)]
    times = [random.uniform(0.5, 1.2) for _ in range(2)]
    scvs = [random.choice([0.0, 0.5, 1.0, 2.0]) for _ in range(2)]
    disk = qm.QueueingStation("disk", discipline="priority")
    classes = [qm.OpenClass(f"c{c}", rate, priority=c) for c, rate in enumerate(rates)]
    network = qm.Network([disk], classes, [[t] for t in times], scv=[[v] for v in scvs])
    left = sum(r * t * t * (1.0 + v) / 2.0 for r, t, v in zip(rates, times, scvs, strict=True))
    first = rates[0] * times[0]
    both = first + rates[1] * times[1]
    waits = [left / (1.0 - first), left / (1.0 - first) / (1.0 - both)]
    return network, [w + t for w, t in zip(waits, times, strict=True)]


def fork(random):
    """Two branches and Poisson arrivals: (12 - u) / 8 of M/M/1, Flatto and Hahn 1984."""
    used = random.uniform(0.2, 0.7)
    network = qm.Network([qm.ForkJoinStation("mirror", 2)], [qm.OpenClass("w", used)], [1.0])
    return network, [(12.0 - used) / 8.0 / (1.0 - used)]


def chain(random):
    """Small closed networks beyond product form, exact by global balance."""
    order = random.choice(["fcfs", "priority", "preemptive", "fork"])
    cpu = (
        qm.ForkJoinStation("fork", random.choice([2, 3]))
        if order == "fork"
        else qm.QueueingStation("cpu", random.choice([1, 2]), order)
    )
    classes = [users(random, 2, priority=c, name=f"c{c}") for c in range(2)]
    rows = [[random.uniform(0.2, 0.8), random.uniform(0.1, 0.4)] for _ in classes]
    scv = [[random.choice([0.5, 1.0, 2.0]) if order != "fork" else 1.0, 1.0] for _ in classes]
    network = qm.Network([cpu, qm.QueueingStation("disk")], classes, rows, scv=scv)
    return _if_solved(network, chain, random)


def limit(random):
    there = [qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("lan")]
    threads = qm.PopulationLimit("threads", random.randint(1, 3), ["cpu", "disk"])
    classes = [users(random, 5)]
    network = qm.Network(there, classes, [times_of(random, there)], limits=[threads])
    return _if_solved(network, limit, random)


def buffer(random):
    there = [
        qm.QueueingStation("saw", random.choice([1, 2])),
        qm.QueueingStation("drill", 1, "fcfs", buffer=random.randint(1, 4)),
    ]
    classes = [qm.ClosedClass("pallets", random.randint(2, 8))]
    network = qm.Network(there, classes, [times_of(random, there)])
    return _if_solved(network, buffer, random)


def _if_solved(network, make, random):
    """The network if it has an exact solution, else another one."""
    exact = {"global-balance", "two-station-blocking", "mva", "convolution", "multiclass-mva",
             "multiclass-convolution"}  # fmt: skip
    try:
        if qm.solve(network).method in exact:
            return network, None
    except qm.QmodelError:
        pass
    return make(random)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    events = int(sys.argv[2]) if len(sys.argv) > 2 else 400_000
    by_kind: dict[str, list[bool]] = {}
    by_measure: dict[str, list[bool]] = {}
    begun, done = perf_counter(), 0
    for i, case in enumerate(islice(cases(27), count)):
        hits, found = covered(case, events, i)
        done += found.events
        for name, row in hits.items():
            by_measure.setdefault(name, []).extend(row)
            by_kind.setdefault(case[0], []).extend(row)
    for rows in (by_measure, by_kind):
        for name, row in rows.items():
            print(f"{name:<16} {100.0 * sum(row) / len(row):5.1f} % of {len(row)}")
        print()
    seconds = perf_counter() - begun
    print(f"{count} networks, {done / 1e6:.1f} million events, {seconds:.0f} s")


if __name__ == "__main__":
    main()
