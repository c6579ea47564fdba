"""Our least configuration beside that of service-capacity-modeling, on a stateless service.

    python benchmarks/netflix.py --peer PYTHON

``PYTHON`` is an interpreter that has service-capacity-modeling. Its planner sizes a stateless Java
service by square-root staffing, with and without room for a failover (40 % busy then). The plan is
simulated: as many machines as it has, requests sent to any of them at random, exponential service,
which its rates and mean latency say. For the same rate, the same machines at the same prices, and
its simulated p99 as the target (and 40 % busy where it has that), the least configuration by the
model here is looked for, machines in threes as there; and is simulated as well.
"""

import argparse
import json
import subprocess
import sys
from functools import cache

import advisor
import qmodel as qm
from advisor.configuration.parts import configure
from qmodel.documents.document import parse_document

PEER = """
import json, sys
from service_capacity_modeling.capacity_planner import planner
from service_capacity_modeling.hardware import shapes
from service_capacity_modeling.interface import *
cases = json.load(sys.stdin)
found = []
for tier, rate, latency, failover in cases:
    desires = CapacityDesires(service_tier=tier, query_pattern=QueryPattern(
        estimated_read_per_second=certain_int(rate), estimated_write_per_second=certain_int(0),
        estimated_mean_read_latency_ms=certain_float(latency),
        estimated_mean_read_size_bytes=certain_int(256)),
        data_shape=DataShape(estimated_state_size_gib=certain_int(1)))
    plan = planner.plan_certain(model_name="org.netflix.stateless-java", region="us-east-1",
        desires=desires, extra_model_arguments={"failover": failover})[0]
    cluster = plan.candidate_clusters.regional[0]
    reference = desires.reference_shape
    found.append([cluster.count, cluster.instance.name, float(cluster.annual_cost)])
machines = {name: [each.cpu, each.cpu_ghz * each.cpu_ipc_scale, float(each.annual_cost)]
    for name, each in shapes.region("us-east-1").instances.items()
    if each.annual_cost and each.drive is None and not name.startswith(("db.", "cache."))}
print(json.dumps({"plans": found, "machines": machines,
    "reference": reference.cpu_ghz * reference.cpu_ipc_scale}))
"""
#: Service tier, requests a second, mean latency [ms], room for a failover.
CASES = [
    (tier, rate, latency, failover)
    for tier, rate, latency in ((1, 5_000, 10.0), (1, 20_000, 4.0), (1, 100_000, 2.0),
                                (2, 2_000, 40.0), (0, 20_000, 8.0))
    for failover in (False, True)
]  # fmt: skip
BUSY = 0.40


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--peer", required=True)
    told = subprocess.run(
        [arguments.parse_args().peer, "-c", PEER], input=json.dumps(CASES), text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    peer = json.loads(told.stdout.splitlines()[-1])
    machines, reference = peer["machines"], peer["reference"]
    print("| tier | rate | mean | failover | theirs | cost | p99 | ours | cost | p99 | ratio |")
    print("|---:|---:|---:|---|---|---:|---:|---|---:|---:|---:|")
    worst = 0.0
    for (tier, rate, latency, failover), (count, name, cost) in zip(
        CASES, peer["plans"], strict=True
    ):

        def served(kind: str, latency: float = latency) -> tuple[int, float]:
            cpus, speed, _ = machines[kind]
            return cpus, 1e-3 * latency * reference / speed

        target = simulated(rate / count, *served(name))
        best = None
        for kind, (_, _, price) in machines.items():
            busiest = BUSY if failover else 1.0
            most = int((best[0] if best else cost) / price)
            n = least(rate, *served(kind), target, busiest, most)
            if n is not None and (best is None or n * price < best[0]):
                best = (n * price, n, kind)
        assert best is not None
        ours = simulated(rate / best[1], *served(best[2]))
        worst = max(worst, best[0] / cost, ours / target - 0.02)
        print(
            f"| {tier} | {rate}/s | {latency:g} ms | {failover} | {count} x {name} | {cost:,.0f} | "
            f"{1e3 * target:.3g} ms | {best[1]} x {best[2]} | {best[0]:,.0f} | {1e3 * ours:.3g} ms "
            f"| {best[0] / cost:.2f} |"
        )
    sys.exit(worst > 1.0)


def least(
    rate: float, cpus: int, service: float, target: float, busiest: float, most: int
) -> int | None:
    """The fewest machines, in threes, that keep the target; None if more than so many."""
    low, high = 1, most // 3
    if not high or not keeps(rate, cpus, service, target, busiest, 3 * high):
        return None
    while low < high:
        middle = (low + high) // 2
        if keeps(rate, cpus, service, target, busiest, 3 * middle):
            high = middle
        else:
            low = middle + 1
    return 3 * low


def keeps(rate: float, cpus: int, service: float, target: float, busiest: float, n: int) -> bool:
    """Whether so many replicas keep the p99, by the model that advises."""
    if rate * service >= busiest * n * cpus:
        return False
    data = {
        "schema": 1,
        "server": {"cores": cpus},
        "workload": {
            "arrival_rate": f"{rate / n!r} /s",
            "class": [{"name": "request", "cpu": f"{service!r} s"}],
        },
        "targets": {"response_time": {"p99": f"{target!r} s"}},
    }
    document = parse_document(json.dumps(data), "json", "service.json")
    (request,) = advisor.predict(configure(data, document)).outlook.classes
    return bool(request.tails[0][1].mid <= target)


@cache
def simulated(rate: float, cpus: int, service: float) -> float:
    """The p99 of one machine. [s]"""
    network = qm.Network(
        [qm.QueueingStation("cpu", cpus, "ps")], [qm.OpenClass("request", rate)], [[service]]
    )
    found = qm.simulate(
        network, events=1_000_000, seconds=None, precision=0.001, seed=7, percentiles=0.99
    )
    (request,) = found.percentiles
    return float(request[-1].value)


if __name__ == "__main__":
    main()
