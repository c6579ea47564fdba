"""python -m benchmarks.outside [COUNT] [--first N] [--keep FILE]: errors beyond what is quoted.

Networks of kinds that users build, from a generator that no recorded family and no study used,
are solved by ``auto`` and simulated. Listed is what is farther off, in the response time of a
class, than its quoted error and chance (a level of 0.1 % for each network) explain, and what takes
more than ten seconds. What says "error not recorded" quotes nothing; its error stands beside.
``--only N`` shows a network. Exit status 1 if more than 1 % of the answers are beyond.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from scipy.stats import t as student

import qmodel as qm
from qmodel.simulation.control_variates import CONTROLS
from qmodel.simulation.estimates import quantile
from qmodel.solvers.recorded_accuracy import recorded
from qmodel.solvers.solve import METHODS

#: Half width and events to stop at, and the level of all comparisons of a network together.
PRECISION, EVENTS, LEVEL = 0.01, 1_000_000, 0.001
#: Seconds that no solution should take.
LONG = 10.0
#: What is no error.
ROUNDING = 1e-6
#: Share of the answers that may be beyond their quotes.
SHARE = 0.01
#: Stations by name: servers, and the time of a visit of one server to begin with. [s]
HARDWARE = {
    "web": ((2, 4, 8, 16), 0.01),
    "app": ((4, 8, 16, 32, 64), 0.05),
    "database": ((1, 2, 4, 8), 0.02),
    "disk": ((1,), 0.008),
    "backup": ((1, 2), 0.03),
    "printer": ((1,), 0.5),
}
CLASSES = "browse", "buy", "report", "batch", "sync", "audit"
KINDS = ("plain", "cores", "array", "fcfs", "priority", "preemptive", "fork", "limit", "some",
         "batch", "limit fcfs", "limit priority", "nested", "limit open", "mixed", "mixed priority",
         "mixed fork", "open", "open uneven", "open priority", "open fork")  # fmt: skip


def make(number: int) -> tuple[str, qm.Network]:
    """The network of a number, and its kind."""
    rng, kind = Random(f"outside {number}"), KINDS[number % len(KINDS)]
    words = set(kind.split())
    there = _stations(rng, words)
    opened = 0 if not words & {"open", "mixed"} else rng.randint(1, 2)
    closed = 0 if "open" in words else rng.randint(1, 4 if words & {"plain", "cores"} else 3)
    if words & {"nested"} or kind == "limit open":
        opened, closed = opened and 1, closed and 1
    demand = [
        [HARDWARE.get(s.name, ((), 0.02))[1] * rng.lognormvariate(0.0, 0.6) for s in there]
        for _ in range(closed + opened)
    ]
    busy, weights = rng.triangular(0.2, 0.97, 0.8), [rng.random() + 0.1 for _ in demand]
    rates = [w / max(d / _speed(s) for d, s in zip(row, there, strict=True))
             for w, row in zip(weights, demand, strict=True)]  # fmt: skip
    load = max(sum(r * row[k] for r, row in zip(rates, demand, strict=True)) / _speed(s)
               for k, s in enumerate(there))  # fmt: skip
    rates = [r * busy / load for r in rates]
    classes: list[qm.CustomerClass] = []
    for c, (name, rate, row) in enumerate(zip(CLASSES, rates, demand, strict=False)):
        rank = c if "priority" in words or "preemptive" in words else 0
        if c >= closed:
            arrivals = rng.choice([0.5, 1.0, 2.0, 4.0]) if "uneven" in words else 1.0
            classes.append(qm.OpenClass(name, rate, arrival_scv=arrivals, priority=rank))
            continue
        most = rng.choice([3, 6, 12, 25] if words & {"fcfs", "priority", "preemptive", "fork"}
                          else [5, 10, 20, 50, 100])  # fmt: skip
        think = most / rate - 1.3 * sum(row)
        if think <= 0.0 or ("batch" in words and c == closed - 1 > 0):
            most, think = rng.randint(1, 3), 0.0
        classes.append(qm.ClosedClass(name, most, think, rank))
    scv = [[rng.choice([0.3, 0.7, 1.0, 1.0, 1.5, 3.0]) if _in_order(s) else 1.0 for s in there]
           for _ in demand]  # fmt: skip
    return kind, qm.Network(
        there, classes, demand, scv=scv, limits=_limits(rng, words, there, classes, rates, demand)
    )


def _stations(rng: Random, words: set[str]) -> list[qm.Station]:
    names = rng.sample(list(HARDWARE), rng.randint(2, 5))
    order = ({"priority", "preemptive", "fcfs"} & words or {"any"}).pop()
    inner = "fcfs" if "open" in words and "limit" not in words and rng.random() < 0.6 else "any"
    found: list[qm.Station] = []
    for k, name in enumerate(names):
        servers = rng.choice(HARDWARE[name][0])
        if words & {"fcfs", "priority", "preemptive"} or "uneven" in words:
            servers = min(4, servers)
        ordered = k == 0 or (order != "any" and rng.random() < 0.3)
        found.append(
            qm.QueueingStation(name, servers, order if ordered and order != "any" else inner)
        )
    if "array" in words:
        speeds = [round(1.0 + 0.7 * n - 0.02 * n * n, 3) for n in range(rng.randint(2, 8))]
        found[-1] = qm.LoadDependentStation("array", speeds)
    if "fork" in words:
        found[rng.randrange(len(found))] = qm.ForkJoinStation("mirror", rng.choice([2, 2, 3, 6]))
    return found + [qm.DelayStation("lan")] * (rng.random() < 0.4)


def _limits(rng, words, there, classes, rates, demand) -> list[qm.PopulationLimit]:
    """Threads for about as many as there are, or nearly, or amply; connections inside of them."""
    if not words & {"limit", "some", "batch", "nested"}:
        return []
    first = rng.randrange(len(there) - 1)
    inside = [s.name for s in there[first:]]
    held = [sum(row[first:]) for row in demand]
    there_at_once = sum(r * d for r, d in zip(rates, held, strict=True))
    places = max(1, round(there_at_once * rng.choice([1.2, 1.5, 2.0, 4.0])))
    names = [c.name for c in classes]
    counted = names[:-1] if "some" in words and len(names) > 1 else None
    if "nested" not in words:
        return [qm.PopulationLimit("threads", places, inside, counted)]
    deeper = max(1, round(places * rng.uniform(0.2, 0.8)))
    return [qm.PopulationLimit("threads", places, inside, held="visit"),
            qm.PopulationLimit("connections", deeper, inside[1:], held="visit")]  # fmt: skip


def _in_order(station: qm.Station) -> bool:
    return getattr(station, "discipline", "any") != "any"


def _speed(station: qm.Station) -> float:
    return 1e9 if isinstance(station, qm.DelayStation) else station.max_rate


def looked_at(number: int) -> dict:
    """What became of a network: its method, error, and how much of that may be chance."""
    kind, network = make(number)
    row = {"number": number, "kind": kind, "method": "refused", "seconds": 0.0}
    begun = process_time()
    try:
        solution = qm.solve(network)
    except qm.QmodelError as error:
        return row | {"why": str(error)[:300]}
    row |= {"method": solution.method, "seconds": round(process_time() - begun, 2)}
    try:
        found = qm.simulate(network, precision=PRECISION, events=EVENTS, seconds=None, seed=number)
    except qm.QmodelError as error:
        return row | {"why": str(error)[:300]}
    left = found.replications - CONTROLS
    allowed = float(student.isf(LEVEL / 2 / len(network.classes), left - 1)) / quantile(left)
    errors = [
        (a / s.value - 1.0, allowed * s.relative)
        for a, s in zip(solution.response_times, found.response_times, strict=True)
        if s.value
    ]
    worst, chance = max(errors, key=lambda e: abs(e[0]) - e[1])
    return row | {"error": round(worst, 5), "chance": round(chance, 5)}


def judged(row: dict) -> dict:
    """With what is quoted today, and how far it is beyond."""
    if "error" not in row:
        return row
    quote = recorded(make(row["number"])[1], row["method"])
    if any(m.exact and m.name == row["method"] for m in METHODS):
        promised = 0.0
    elif quote is None or quote.beyond:
        return row | {"promised": None, "why": str(quote)}
    else:
        promised = quote.worst
    beyond = abs(row["error"]) - row["chance"] - promised
    family = quote.family if quote and promised else ""
    more = {"beyond": round(beyond, 5)} if beyond > ROUNDING else {}
    return row | {"promised": promised, "family": family} | more


def shown(rows: list[dict]) -> list[str]:
    """A table by kind and method, and what is beyond or takes long."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["kind"], row["method"]].append(row)
    said = ["| kind | method | networks | not recorded | beyond | median | worst | seconds |",
            "|---|---|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for (kind, method), some in sorted(groups.items()):
        errors = [abs(row["error"]) for row in some if "error" in row] or [0.0]
        said.append(
            f"| {kind} | {method} | {len(some)} "
            f"| {sum(row.get('promised', 0) is None for row in some)} "
            f"| {sum('beyond' in row for row in some)} | {median(errors):.2%} | {max(errors):.1%} "
            f"| {max(row['seconds'] for row in some):.1f} |"
        )
    return [*said, "", *(json.dumps(r) for r in rows if "beyond" in r or r["seconds"] > LONG)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outside", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first network")
    parser.add_argument("--only", type=int, help="this one, shown")
    parser.add_argument("--keep", type=Path, help="a line for each; what is there is not repeated")
    asked = parser.parse_args()
    if asked.only is not None:
        print(make(asked.only)[1], json.dumps(judged(looked_at(asked.only)), indent=1), sep="\n")
        return 0
    kept = asked.keep.read_text().splitlines() if asked.keep and asked.keep.exists() else []
    rows = {row["number"]: row for row in map(json.loads, kept)}
    numbers = range(asked.first, asked.first + asked.count)
    for number in numbers:
        if number not in rows:
            rows[number] = looked_at(number)
            if asked.keep:
                with asked.keep.open("a") as file:
                    print(json.dumps(rows[number]), file=file)
    wanted = [judged(rows[n]) for n in numbers]
    answers = [row for row in wanted if "error" in row]
    beyond = sum("beyond" in row for row in answers)
    unquoted = sum(row["promised"] is None for row in answers)
    print(*shown(wanted), sep="\n")
    print(f"{len(wanted)} networks, {len(answers)} answers, {unquoted} without a recorded error, "
          f"{beyond} beyond their quotes")  # fmt: skip
    return int(beyond > SHARE * len(wanted))


if __name__ == "__main__":
    sys.exit(main())
