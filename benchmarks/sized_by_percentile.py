"""python -m benchmarks.sized_by_percentile: do sized servers meet their p99 when simulated?

Ten servers with one or two classes of 50 to 200 users are sized, by processors and drives, for a
p99 of 6 to 12 times the longest interaction alone, as ``qmodel size --response p99=...`` does. The
networks of the cheapest are simulated, drives serving in order: p99 of each class, and over the
target.
"""

import json
import random

from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import configure
from advisor.configuration.promises import Promise
from advisor.predicting.prediction import networks_of
from advisor.sizing.search import size
from calibration.hardware.in_order import in_order
from qmodel import simulate, solve
from qmodel.documents.document import parse_document

SEED, COUNT = 250, 10


def servers(seed: int):
    """Random configurations, and their targets. [s]"""
    rng = random.Random(seed)
    while True:
        classes = [
            {
                "name": name,
                "share": share,
                "cpu": f"{rng.choice([20, 50, 100])} ms",
                "disk_kb": rng.choice([40, 200, 800]),
                "lan_kb": rng.choice([20, 100]),
            }
            for name, share in rng.choice([[("all", 1.0)], [("most", 0.7), ("few", 0.3)]])
        ]
        data = {
            "schema": 1,
            "server": {"cpus": 1, "cpu_speed": 1.0, "memory": "64 GB"},
            "disk": {
                "drive": "SAS 15000 rpm",
                "raid": "raid0",
                "drives": 2,
                "stripe": "64 KB",
                "block": "8 KB",
            },
            "lan": {"rate": "1 Gb/s"},
            "workload": {
                "users": rng.choice([50, 100, 200]),
                "think_time": "8 s",
                "class": classes,
            },
        }
        alone = max(sum(row) for row in networks_of(read(data))[0].network.demand)
        yield data, round(rng.choice([6.0, 8.0, 12.0]) * alone, 2)


def main() -> None:
    """Print a row a server and class."""
    print("| server | sized | class | target [s] | predicted | simulated | over target |")
    print("|---:|---|---|---:|---:|---:|---:|")
    missed = 0
    for i, (data, target) in zip(range(COUNT), servers(SEED), strict=False):
        base = read(data)
        vary = ["server.cpus=1,2,3,4,6,8,12,16", "disk.drives=2,4,6,8,12,16"]
        found = size(base, response_time=Promise(None, ((0.99, target),)), vary=vary)
        if found.best is None:
            print(f"| {i} | nothing meets it | | {target:g} | | | |")
            continue
        settings = dict(found.best.settings)
        changed = replace_parts(data, settings)
        for server in networks_of(read(changed)):
            served = in_order(solve(server.network), server.operations).network
            seen = simulate(served, percentiles=[0.99], precision=0.004, events=2_000_000,
                            seconds=None, seed=i)  # fmt: skip
            for c, users in enumerate(found.best.outlook.classes):
                value = seen.percentiles[c][0].value
                missed += value > target
                said = dict(users.tails)[0.99].mid
                print(f"| {i} | {settings} | {users.name} | {target:g} | {said:.3f} | {value:.3f} "
                      f"| {value / target:.2f} |", flush=True)  # fmt: skip
    print(f"\n{missed} missed")


def read(data: dict) -> Configuration:
    """The configuration that a file of these data is."""
    document = parse_document(json.dumps(data), "json", "server.json")
    return configure(document.data, document)


def replace_parts(data: dict, settings: dict) -> dict:
    """The data of a configuration with settings such as server.cpus."""
    changed = {**data, "server": dict(data["server"]), "disk": dict(data["disk"])}
    for key, value in settings.items():
        table, _, name = key.partition(".")
        changed[table][name] = value
    return changed


if __name__ == "__main__":
    main()
