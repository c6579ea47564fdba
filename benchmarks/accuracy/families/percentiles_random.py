"""Percentiles of response times of random closed networks, against simulation.

One to three classes of 1 to 300 customers in all, one to four stations of 1, 2, 4 or 8 servers that
share their speed or serve in order (the same times for all classes, or each its own), and think
times with which the busiest station is busy 30 to 95 % of the time, or less if it never is.
Simulated to 0.4 % in the mean, or 6 million events. The references have the share of each class
beyond a time as well, see `benchmarks.percentile_study`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import qmodel as qm
from benchmarks.accuracy.families.percentiles_tagged import SHARES
from benchmarks.accuracy.family import Family, Truth

PRECISION, EVENTS = 0.004, 6_000_000
#: Percentiles that are compared.
ASKED = {"p95": SHARES["p95"], "p99": SHARES["p99"]}
#: The time beyond which a share is late, over the mean.
LATE = 2.5


def networks(seed: int) -> Iterator[qm.Network]:
    """Random networks."""
    rng = random.Random(seed)
    while True:
        kinds = [(rng.choice(["ps", "fcfs"]), rng.choice([1, 1, 1, 2, 4, 8]))
                 for _ in range(rng.choice([1, 2, 2, 3, 3, 4]))]  # fmt: skip
        stations = [qm.QueueingStation(f"{d}{k}", m, d) for k, (d, m) in enumerate(kinds)]
        count = rng.choice([1, 1, 2, 2, 3])
        customers = max(count, round(10 ** rng.uniform(0.3, 2.4771)))
        parts = [rng.uniform(0.2, 1.0) for _ in range(count)]
        alike = rng.random() < 0.5
        base = [m**0.7 * 10 ** rng.uniform(-1.5, 0.0) for _, m in kinds]
        rows = []
        for _ in range(count):
            own = [d if alike and kind == "fcfs" else d * 10 ** rng.uniform(-0.4, 0.4)
                   for d, (kind, _) in zip(base, kinds, strict=True)]  # fmt: skip
            row = [float(f"{d:.4g}") if rng.random() < 0.8 else 0.0 for d in own]
            rows.append(row if any(row) else [float(f"{d:.4g}") for d in own])
        classes = [
            qm.ClosedClass(
                f"c{c}", max(1, round(customers * part / sum(parts))), 10 ** rng.uniform(-0.5, 0.5)
            )
            for c, part in enumerate(parts)
        ]
        yield _loaded(qm.Network(stations, classes, rows), rng.uniform(0.3, 0.95))


def _loaded(network: qm.Network, busy: float) -> qm.Network:
    """With think times at which the busiest station is so busy, or none if it never is."""

    def at(scale: float) -> qm.Network:
        classes = [
            replace(c, think_time=float(f"{c.think_time * scale:.4g}")) for c in network.classes
        ]
        return replace(network, classes=tuple(classes))

    def busiest(scale: float) -> float:
        shared = [replace(each, discipline="ps") for each in network.stations]
        plain = replace(at(scale), stations=tuple(shared))
        return max(qm.solve(plain, method="bard-schweitzer").station_utilizations)

    low, high = 0.0, 1.0
    if busiest(low) <= busy:
        return at(low)
    while busiest(high) > busy:
        low, high = high, 4.0 * high
    for _ in range(16):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if busiest(middle) > busy else (low, middle)
    return at(high)


def reference(network: qm.Network) -> Truth:
    """Means, percentiles, and shares beyond a time that is given with them."""
    means = qm.solve(network).response_times
    times = [float(f"{LATE * mean:.3g}") for mean in means]
    found = qm.simulate(
        network,
        precision=PRECISION,
        events=EVENTS,
        seconds=None,
        seed=sum(c.population for c in network.classes),
        percentiles=ASKED.values(),
        target=dict(zip(network.class_names, times, strict=True)),
    )
    rows = {"R": found.response_times, "late": found.late_shares}
    rows |= {name: [row[i] for row in found.percentiles] for i, name in enumerate(ASKED)}
    return Truth(
        {"time": times, **{m: [each.value for each in row] for m, row in rows.items()}},
        noise={m: [each.half_width for each in row] for m, row in rows.items()},
    )


def method(network: qm.Network):
    """Those of the solution, without following a tagged customer for long."""
    times = qm.percentiles(qm.solve(network), list(ASKED.values()), visits=False).response_times
    return {name: [row[i] for row in times] for i, name in enumerate(ASKED)}


FAMILY = Family(
    name="percentiles-random",
    about="closed, one to three classes of up to 300 customers, one to four stations of one to "
    "eight servers that share or serve in order, busy up to 95 %",
    seed=30,
    networks=networks,
    count=500,
    reference=reference,
    truth="simulation",
    methods={"percentiles": method},
    keep=True,
    slow=tuple(range(40, 500)),
)
