"""Open networks of G/G/m stations against simulations: our own, and Ciw for the first few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import sqrt
from random import Random

import numpy as np

import qmodel as qm
from benchmarks.accuracy.by_simulation import simulated
from benchmarks.accuracy.families.percentiles_tagged import SHARES, found
from benchmarks.accuracy.family import Family, Truth

#: Customers who arrive, and visits to stations in Ciw, which takes longer.
CUSTOMERS, VISITS = 16_000_000, 150_000
#: Batches, and Student's t for 95 % with one less.
BATCHES, STUDENT = 20, 2.093


def networks(seed: int):
    """Two to four stations, one or two classes, SCV 0.25 to 4, utilizations 0.3 to 0.9."""
    random = Random(seed)
    while True:
        size = random.choice([2, 3, 4])
        stations = [
            qm.QueueingStation(f"s{k}", random.choice([1, 1, 2, 4]), "fcfs") for k in range(size)
        ]
        count = random.choice([1, 2])
        classes = [
            qm.OpenClass(
                f"c{c}",
                [0.6, 0.4][c] if count == 2 else 1.0,
                arrival_scv=random.choice([0.25, 0.5, 1.0, 2.0, 4.0]),
            )
            for c in range(count)
        ]
        times = [round(random.uniform(0.3, 0.9) * s.servers, 3) for s in stations]
        rows = [
            [t if c == 0 or random.random() < 0.7 else 0.0 for t in times] for c in range(count)
        ]
        rows[-1] = rows[-1] if any(rows[-1]) else times
        scv = [[random.choice([0.25, 0.5, 1.0, 2.0, 4.0]) for _ in stations] for _ in classes]
        yield qm.Network(stations, classes, rows, scv=scv)


def unlike(seed: int):
    """The same with two classes whose services differ by up to ten times at every station."""
    random = Random(seed + 1)
    for network in networks(seed):
        if len(network.classes) == 1:
            continue
        rows = [[t * 10.0 ** random.uniform(-0.5, 0.5) for t in row] for row in network.demand]
        for k, station in enumerate(network.stations):
            busy = sum(
                c.arrival_rate * row[k] for c, row in zip(network.classes, rows, strict=True)
            )
            wanted = round(random.uniform(0.3, 0.9), 3) * station.servers
            for row in rows:
                row[k] = round(row[k] * wanted / busy, 6)
        yield replace(network, demand=rows)


def reference(network: qm.Network) -> Truth:
    """Mean and percentiles of the response times by our own simulation."""
    return simulated(network, 20, CUSTOMERS, "R", *SHARES)


def by_ciw(network: qm.Network) -> Truth:
    """The same in Ciw, another's simulation."""
    import ciw

    classes = {}
    size = len(network.stations)
    for c, customer_class in enumerate(network.classes):
        route = [k for k, demand in enumerate(network.demand[c]) if demand]
        arrive = [None] * size
        arrive[route[0]] = _ciw(1.0 / customer_class.arrival_rate, customer_class.arrival_scv)
        serve = [
            _ciw(network.service_time_at(c, k), network.scv_at(c, k))
            if network.demand[c][k]
            else ciw.dists.Exponential(rate=1.0)
            for k in range(size)
        ]
        rows = [[0.0] * size for _ in range(size)]
        for a, b in pairwise(route):
            rows[a][b] = 1.0
        classes[f"c{c}"] = (arrive, serve, rows)
    model = ciw.create_network(
        arrival_distributions={n: entry[0] for n, entry in classes.items()},
        service_distributions={n: entry[1] for n, entry in classes.items()},
        routing={n: entry[2] for n, entry in classes.items()},
        number_of_servers=[s.servers for s in network.stations],
    )
    ciw.seed(20)
    horizon = VISITS / size
    run = ciw.Simulation(model)
    run.simulate_until_max_time(horizon)
    begun, ended, kind = {}, {}, {}
    for record in run.get_all_records():
        who = record.id_number
        kind[who] = record.customer_class
        begun[who] = min(begun.get(who, record.arrival_date), record.arrival_date)
        ended[who] = max(ended.get(who, 0.0), record.exit_date)
    return measured(
        [
            [
                ended[who] - begun[who]
                for who in sorted(begun, key=begun.get)
                if kind[who] == f"c{c}" and 0.1 * horizon < begun[who] < 0.97 * horizon
            ]
            for c in range(len(network.classes))
        ]
    )


def measured(responses: list[Sequence[float]]) -> Truth:
    """Means and percentiles, and half widths of their 95 % intervals by batches."""
    values, noise = {}, {}
    shares = list(SHARES.values())
    for times in map(np.asarray, responses):
        batches = np.array_split(times[: len(times) // BATCHES * BATCHES], BATCHES)
        found = [times.mean(), *np.quantile(times, shares)]
        parts = [[batch.mean(), *np.quantile(batch, shares)] for batch in batches]
        widths = STUDENT * np.std(parts, axis=0, ddof=1) / sqrt(BATCHES)
        for name, value, width in zip(["R", *SHARES], found, widths, strict=True):
            values.setdefault(name, []).append(float(value))
            noise.setdefault(name, []).append(float(width))
    return Truth(values, noise=noise)


def _ciw(time: float, scv: float):
    import ciw

    if scv == 1.0:
        return ciw.dists.Exponential(rate=1.0 / time)
    if scv < 1.0:
        return ciw.dists.Gamma(shape=1.0 / scv, scale=time * scv)
    p = 0.5 * (1.0 + ((scv - 1.0) / (scv + 1.0)) ** 0.5)
    return ciw.dists.HyperExponential(rates=[2 * p / time, 2 * (1 - p) / time], probs=[p, 1 - p])


def solved(name: str, network: qm.Network):
    """Means and percentiles."""
    solution = qm.solve(network, name)
    return {"R": list(solution.response_times), **found(solution)}


def as_if_markovian(network: qm.Network):
    """What forgetting the SCVs would give."""
    plain = qm.Network(
        [qm.QueueingStation(s.name, s.servers) for s in network.stations],
        [qm.OpenClass(c.name, c.arrival_rate) for c in network.classes],
        network.demand,
    )
    solution = qm.solve(plain)
    return {"R": list(solution.response_times)}


ABOUT = (
    "open, 2 to 4 stations in turn, 1 to 4 servers, 1 or 2 classes, SCV of arrivals and service "
    "0.25 to 4, utilizations 0.3 to 0.9"
)
METHODS = {
    "mmap": partial(solved, "mmap"),
    "qna": partial(solved, "qna"),
    "open (all SCV taken as 1)": as_if_markovian,
}
FAMILY = Family(
    name="open-ggm",
    about=ABOUT,
    seed=13,
    networks=networks,
    count=30,
    reference=reference,
    truth="simulation",
    methods=METHODS,
    sample=6,
    keep=True,
)
CIW = Family(
    name="open-ggm-ciw",
    about=ABOUT + "; the first of these once more",
    seed=13,
    networks=networks,
    count=5,
    reference=by_ciw,
    truth="simulation by Ciw",
    methods=METHODS,
    sample=5,
    keep=True,
)
#: By these, by ``FAMILY``, ``FRESH`` and ``UNLIKE`` the settings of ``mmap`` were chosen.
MORE = replace(
    FAMILY, name="open-ggm-more", about=ABOUT + "; more of these", seed=113, count=40, slow=(25,)
)
FRESH = replace(
    FAMILY, name="open-ggm-fresh", about=ABOUT + "; others", seed=213, count=40, sample=4, slow=(0,)
)
UNLIKE = replace(
    FAMILY,
    name="open-ggm-unlike",
    about=ABOUT + ", services of the classes up to ten times as long",
    networks=unlike,
    seed=313,
    count=24,
    sample=4,
    slow=(11,),
)
#: By these two the correlation of times at stations apart was chosen, and nothing else.
AGAIN = replace(
    FAMILY,
    name="open-ggm-again",
    about=ABOUT + "; more of these again",
    seed=413,
    count=40,
    sample=3,
    slow=(2,),
)
UNLIKE_AGAIN = replace(
    UNLIKE,
    name="open-ggm-unlike-again",
    about=UNLIKE.about + "; more of these",
    seed=513,
    sample=3,
    slow=(0, 1, 2),
)
#: Nothing was chosen by these.
HELD_OUT = replace(
    FAMILY,
    name="open-ggm-held-out",
    about=ABOUT + "; by which nothing was chosen",
    seed=613,
    count=40,
    sample=3,
    slow=(1, 22),
)
