"""python -m benchmarks.layered_models [COUNT [SEED]]: random layered models and their simulation.

Each has one or two groups of 5 to 60 users above one to four layers of one or two services, so two
to five layers with that of the users; a service has one or two entries, 1 to 16 threads or any
number, a processor of 1, 2 or 4 cores of its own or, one in four, that of another service. Every
entry calls one or two of the next layer, a random number of times or a fixed one. The busiest
processor would be busy 40 to 120 % of the time if nobody ever waited. Simulated to 1 %.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

from qmodel import Entry, Layered, Processor, QmodelError, Service, Users, simulate, solve_layers

#: What was simulated, by seed and number: response times, throughputs, their half widths.
KEPT = Path(__file__).with_name("layered_models.json")
SEED, COUNT = 28, 200


def models(seed: int) -> Iterator[Layered]:
    """Random models."""
    rng = random.Random(seed)
    while True:
        depth = rng.choice([1, 2, 2, 3, 3, 4])
        layers = [[f"s{i}{j}" for j in range(rng.choice([1, 1, 2]))] for i in range(depth)]
        processors, services, below = [], [], []
        demands = {}
        for i in reversed(range(depth)):
            here = []
            for name in layers[i]:
                if processors and rng.random() < 0.25:
                    where = rng.choice(processors).name
                else:
                    where = f"p{name[1:]}"
                    processors.append(Processor(where, rng.choice([1, 1, 2, 4])))
                fixed = rng.random() < 0.5
                entries = []
                for e in range(rng.choice([1, 1, 2])):
                    called = rng.sample(below, min(len(below), rng.choice([1, 1, 2])))
                    times = [rng.choice([1, 1, 2, 3]) if fixed else rng.choice([0.3, 1, 1.5, 3])
                             for _ in called]  # fmt: skip
                    entry = f"{name}e{e}"
                    demands[entry] = 10 ** rng.uniform(-1, 0)
                    calls = dict(zip(called, times, strict=True))
                    entries.append(Entry(entry, demands[entry], calls, fixed=fixed))
                threads = rng.choice([1, 2, 3, 4, 6, 8, 16, None])
                services.append(Service(name, entries, threads, where))
                here += [entry.name for entry in entries]
            below = here
        groups = rng.choice([1, 1, 2])
        users = []
        for u in range(groups):
            called = below if u == groups - 1 else rng.sample(below, rng.randint(1, len(below)))
            users.append((f"u{u}", rng.choice([5, 10, 20, 40, 60]), dict.fromkeys(called, 1.0)))
        load = rng.choice([0.4, 0.6, 0.8, 1.0, 1.2])
        try:
            yield _loaded(users, services, processors, load)
        except ValueError:  # a service that is never called
            continue


def _loaded(users, services, processors, load):
    """The model with think times that make the busiest processor so busy."""
    plain = Layered([Users(n, size, 1.0, calls) for n, size, calls in users], services, processors)
    flow = dict.fromkeys((e.name for s in services for e in s.entries), 0.0)
    for _, size, calls in users:
        for name, n in calls.items():
            flow[name] += size * n
    used = {p.name: 0.0 for p in processors}
    cores = {p.name: p.cores for p in processors}
    for service in plain.layers():
        for entry in service.entries:
            x = flow[entry.name]
            used[service.processor] += x * entry.demand / cores[service.processor]
            for name, n in entry.calls:
                flow[name] += n * x
    think = max(used.values()) / load
    return Layered([Users(n, size, think, calls) for n, size, calls in users], services, processors)


def simulated(model: Layered, seed: int) -> dict[str, list[float]]:
    """Response times and throughputs, with half widths."""
    found = simulate(model, precision=0.01, seconds=None, seed=seed)
    return {
        "R": [r.value for r in found.response_times],
        "X": [x.value for x in found.throughputs],
        "R half": [r.half_width for r in found.response_times],
        "X half": [x.half_width for x in found.throughputs],
    }


def main() -> None:
    """Print errors, the worst models first."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    errors, widths, seconds, worst = {"R": [], "X": []}, [], 0.0, []
    for i, model in zip(range(count), models(seed), strict=False):
        key = f"{seed}/{i}"
        if key not in kept:
            kept[key] = simulated(model, i + 1)
            KEPT.write_text(json.dumps(kept, indent=0))
        begun = process_time()
        try:
            found = solve_layers(model)
        except QmodelError as error:
            print(i, "not solved:", error)
            continue
        seconds += process_time() - begun
        values = {"R": [u.response_time for u in found.users.values()],
                  "X": [u.throughput for u in found.users.values()]}  # fmt: skip
        for name, mine in values.items():
            right = kept[key][name]
            one = max(((a / b - 1.0) for a, b in zip(mine, right, strict=True)), key=abs)
            errors[name].append(abs(one))
            if name == "R":
                worst.append((abs(one), one, i, found.iterations))
        widths += [h / r for h, r in zip(kept[key]["R half"], kept[key]["R"], strict=True)]
    for name, each in errors.items():
        each.sort()
        print(f"{name}: median {median(each):.2%}, 95 % below {each[int(0.95 * len(each))]:.2%}, "
              f"worst {each[-1]:.2%}")  # fmt: skip
    print(f"half widths {median(widths):.2%}, {seconds / len(worst):.2f} s a model")
    for _, one, i, rounds in sorted(worst, reverse=True)[:12]:
        print(f"  {i}: {one:+.1%}, {rounds} rounds")


if __name__ == "__main__":
    main()
