"""python -m benchmarks.load [--write]: large networks, many solves, threads.

Each is answered or refused at once. Printed, and with ``--write`` put into `benchmarks/LOAD.md`,
are what ``auto`` says of each, its seconds and the most memory of the process. [MB]
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

import qmodel as qm


def network(stations: int, populations: list[int], *, servers: int = 1, order: str = "any",
            opened: int = 0) -> qm.Network:  # fmt: skip
    """One with demands drawn at random."""
    rng = Random(f"load {stations} {len(populations)}")
    there = [qm.QueueingStation(f"s{k}", servers, order) for k in range(stations)]
    classes: list[qm.CustomerClass] = [qm.ClosedClass(f"c{c}", n, 10.0) for c, n in
                                       enumerate(populations)]  # fmt: skip
    classes += [qm.OpenClass(f"o{c}", 1.0 / opened) for c in range(opened)]
    demand = [[rng.uniform(0.01, 0.5) for _ in there] for _ in classes]
    return qm.Network(there, classes, demand)


CASES = {
    "500 stations, 20 classes": lambda: network(500, [50] * 20),
    "the same, 8 servers each": lambda: network(500, [50] * 20, servers=8),
    "the same, first come first served": lambda: network(500, [50] * 20, order="fcfs"),
    "1,000 classes": lambda: network(10, [5] * 1000),
    "1,000 open classes": lambda: network(10, [], opened=1000),
    "1,000 open classes, first come first served": lambda: network(
        10, [], order="fcfs", opened=1000
    ),
    "5,000 stations": lambda: network(5000, [100]),
    "5,000 stations, 3 classes": lambda: network(5000, [30] * 3),
    "10^6 customers in each of 3 classes": lambda: network(5, [10**6] * 3),
    "the same at 64 servers": lambda: network(5, [10**6] * 3, servers=64),
    "10^6 customers, a limit": lambda: qm.Network(
        [qm.QueueingStation("a"), qm.QueueingStation("b", 1, "fcfs")],
        [qm.ClosedClass("x", 10**6, 10.0), qm.ClosedClass("y", 10**6, 10.0)], [[0.1, 0.2]] * 2,
        scv=[[1.0, 3.0]] * 2, limits=[qm.PopulationLimit("threads", 1000, ["a", "b"])]),
    "a server of 10^6 servers": lambda: network(2, [10**6], servers=10**6),
}  # fmt: skip


def memory() -> float:
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024


def looked_at(name: str, answers) -> None:
    """What becomes of a network, in a process of its own."""
    given, begun = CASES[name](), perf_counter()
    try:
        said = qm.solve(given).method
    except qm.QmodelError as error:
        said = f"refused: {error}"[-160:]
    answers.put((said, perf_counter() - begun, memory()))


def rows(seconds: float) -> list[str]:
    found = ["| network | answer | seconds | MB |", "|---|---|---:|---:|"]
    context = get_context("spawn")
    for name in CASES:
        answers = context.Queue()
        process = context.Process(target=looked_at, args=(name, answers))
        process.start()
        try:
            said, took, most = answers.get(timeout=seconds)
            found.append(f"| {name} | {said} | {took:.2f} | {most:.0f} |")
        except Exception:  # noqa: BLE001 - of the queue
            found.append(f"| {name} | **nothing in {seconds:.0f} s** | | |")
            process.kill()
        process.join()
        print(found[-1], flush=True)
    return found


def many(count: int = 10_000) -> str:
    """Solves in one process: memory after a tenth of them and after all."""
    given, begun, early = network(4, [20, 10]), perf_counter(), 0.0
    for i in range(count):
        qm.solve(given.with_population(20 + i % 7, 10), "linearizer" if i % 2 else "auto")
        if i == count // 10:
            early = memory()
    took = perf_counter() - begun
    grown = f"{early:.0f} MB after a tenth, {memory():.0f} MB after all"
    return f"{count:,} solves in one process: {took:.0f} s; {grown}."


def threads(count: int = 8) -> str:
    """The same networks solved by threads at once and one after the other."""
    given = [network(4, [8 + i % 3, 5 + i % 2]) for i in range(64)]
    alone = [qm.solve(each).throughputs for each in given]
    with ThreadPoolExecutor(count) as pool:
        at_once = list(pool.map(lambda each: qm.solve(each).throughputs, given))
    return f"{count} threads at once: {'the same numbers' if at_once == alone else '**others**'}."


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seconds", type=float, default=120.0, help="of a network at most")
    asked = parser.parse_args()
    found = [*rows(asked.seconds), "", many(), threads()]
    print(*found[-2:], sep="\n")
    if asked.write:
        page = Path(__file__).with_name("LOAD.md")
        page.write_text("# Load\n\nBy `python -m benchmarks.load --write`, which says what this is."
                        "\n\n" + "\n".join(found) + "\n", encoding="utf-8")  # fmt: skip
    return int(any("**" in each for each in found))


if __name__ == "__main__":
    sys.exit(main())
