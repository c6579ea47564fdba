"""python -m benchmarks.layered_connections [COUNT [SEED]]: connections held behind connections.

Three services on two machines, as files of `[[machine]]` have them: threads of the first, a pool
of connections from it to the second, and one from the second to the third. The busiest device
would be busy 30 to 90 % of the time if nobody ever waited. Simulated to 2 %.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from advisor.machines.model import layered_model
from advisor.machines.tables import MachinesFile
from qmodel import Layered, simulate, solve_layers

#: Response time that was simulated and its half width [s], by seed and number.
KEPT = Path(__file__).with_name("layered_connections.json")
SEED, COUNT, PRECISION = 31, 10, 0.02


def models(seed: int) -> Iterator[Layered]:
    """Random files of two machines, as layers."""
    rng = random.Random(seed)
    while True:
        cores = [rng.choice([2, 4, 8]), rng.choice([2, 4, 8])]
        cpu = [10 ** rng.uniform(0.0, 1.0) for _ in range(3)]
        calls = [rng.choice([1, 2, 3]), rng.choice([1, 2])]
        disk = rng.choice([0.0, 2.0, 5.0])
        visits = [1, calls[0], calls[0] * calls[1]]
        busy = [(cpu[0] + visits[1] * cpu[1]) / cores[0], visits[2] * cpu[2] / cores[1],
                visits[2] * disk / 4]  # fmt: skip
        rate = rng.uniform(0.3, 0.9) / max(busy)
        services = [
            {"name": "web", "machine": "m", "cpu": f"{cpu[0]} ms", "calls": {"app": calls[0]},
             "threads": rng.choice([8, 16, 64]), "connections": {"app": rng.choice([3, 4, 8, 16])}},
            {"name": "app", "machine": "m", "cpu": f"{cpu[1]} ms", "calls": {"sql": calls[1]},
             "connections": {"sql": rng.choice([2, 3, 4, 8])}},
            {"name": "sql", "machine": "db", "cpu": f"{cpu[2]} ms", "disk": f"{disk} ms"},
        ]  # fmt: skip
        users = rng.choice([50, 100, 300])
        file = MachinesFile.model_validate({
            "schema": 1, "service": services,
            "machine": [{"name": "m", "cpus": cores[0]},
                        {"name": "db", "cpus": cores[1], "drives": 4}],
            "workload": {"users": users, "think_time": f"{users / rate} ms",
                         "class": [{"name": "u", "calls": {"web": 1}}]},
        })  # fmt: skip
        yield layered_model(file, users)[0]


def main() -> None:
    """Print how much longer responses take than is predicted."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    longer = []
    for i, model in zip(range(count), models(seed), strict=False):
        key = f"{seed}/{i}"
        if key not in kept:
            (time,) = simulate(model, precision=PRECISION, seconds=60, seed=i + 1).response_times
            kept[key] = [time.value, time.half_width]
            KEPT.write_text(json.dumps(kept, indent=0))
        (mine,) = (each.response_time for each in solve_layers(model).users.values())
        longer.append(kept[key][0] / mine - 1.0)
    longer.sort()
    ends = (longer[0], longer[int(0.05 * count)], longer[int(0.95 * count)], longer[-1])
    said = ", ".join(f"{each:+.1%}" for each in ends)
    print(f"{count} systems: median {median(longer):+.1%}; least, 5 %, 95 %, most: {said}")
    print(f"half widths {median(h / r for r, h in kept.values()):.1%}")


if __name__ == "__main__":
    main()
