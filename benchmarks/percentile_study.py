"""python -m benchmarks.percentile_study [COUNT]: percentiles of 500 random networks, simulated.

Each has one to three closed classes of 1 to 300 customers in all, one to four stations of 1, 2, 4
or 8 servers that share their speed or serve in order (the same times for all classes, or each its
own), and think times with which the busiest station is busy 30 to 95 % of the time. Kept of each
class: mean, p95, p99 and the share beyond a given time, with half widths of their 95 % intervals;
simulated to 0.4 % in the mean, or 6 million events. Prints how far `percentiles` and `late_shares`
are off.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import qmodel as qm

#: What was simulated, by seed and number.
KEPT = Path(__file__).with_name("percentile_study.json")
SEED, COUNT = 30, 500
SHARES = (0.95, 0.99)
PRECISION, EVENTS = 0.004, 6_000_000
#: The time of a late share over the mean.
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


def simulated(network: qm.Network, seed: int) -> dict[str, list[list[float]]]:
    """By class a value and its half width, with the time beyond which a share is late first."""
    means = qm.solve(network).response_times
    times = {
        name: float(f"{LATE * r:.3g}") for name, r in zip(network.class_names, means, strict=True)
    }
    found = qm.simulate(network, precision=PRECISION, events=EVENTS, seconds=None, seed=seed,
                        percentiles=SHARES, target=times)  # fmt: skip
    kept = {
        "R": found.response_times,
        "p95": [row[0] for row in found.percentiles],
        "p99": [row[1] for row in found.percentiles],
        "late": found.late_shares,
    }
    rows = {name: [[float(f"{x:.5g}") for x in each] for each in of] for name, of in kept.items()}
    return {"time": [[t] for t in times.values()], **rows}


def main() -> None:
    """Print errors, the worst last."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    errors: dict[str, list[tuple[float, float, int, str]]] = {
        "R": [],
        "p95": [],
        "p99": [],
        "late": [],
    }
    seconds = []
    for i, network in zip(range(count), networks(SEED), strict=False):
        key = f"{SEED}/{i}"
        if key not in kept:
            kept[key] = simulated(network, i + 1)
            KEPT.write_text(json.dumps(kept, separators=(",", ":")).replace('},"', '},\n"'))
        truth = kept[key]
        solution = qm.solve(network)
        begun = process_time()
        table = qm.percentiles(solution, SHARES, visits=False)
        seconds.append(process_time() - begun)
        late = qm.late_shares(solution, [t for (t,) in truth["time"]])
        for c, name in enumerate(network.class_names):
            mine = {"R": solution.response_times[c], "late": late[name][truth["time"][c][0]]}
            mine |= dict(zip(("p95", "p99"), table.response_times[c], strict=True))
            for what, value in mine.items():
                right, half = truth[what][c]
                if right > 0.0:
                    errors[what].append((value / right - 1.0, half / right, i, name))
    for what, each in errors.items():
        off = sorted(
            abs(e[0]) if what != "late" else max(1 + e[0], 1 / (1 + e[0])) - 1 for e in each
        )
        mean = sum(e[0] for e in each) / len(each)
        print(f"{what:5} {len(off)} cases: median {median(off):.2%}, mean {mean:+.2%}, "
              f"95 % within {off[int(0.95 * len(off))]:.2%}, worst {off[-1]:.2%}; "
              f"simulated ± {median(e[1] for e in each):.2%}")  # fmt: skip
    print(f"{median(seconds):.3f} s a network, worst {max(seconds):.2f} s")
    for what in ("p95", "p99"):
        for error, half, i, name in sorted(errors[what], key=lambda e: -abs(e[0]))[:8]:
            print(f"  {what} of {i}/{name}: {error:+.1%} (simulated ± {half:.1%})")


if __name__ == "__main__":
    main()
