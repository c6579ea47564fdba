"""Random networks of all kinds against the laws and a second solver: python -m benchmarks.stress.

Every network is made from its number alone, so a violation can be looked at again with
``--only NUMBER``. Each is solved by every exact method that applies and by "auto"; the
solutions must keep the laws that no network can break, agree with one another, and agree with a
solver of the tests that shares nothing with them (sums of positive numbers only, see
`tests.truth.rational`). Networks that have no steady state must be refused as such.
Exit status 1, and a reproducer for each violation, if there is one.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import prod
from random import Random

import qmodel as qm
from benchmarks.drawn_networks import make
from qmodel.solvers.invariants import violation
from tests.truth import rational
from tests.truth.measures import Measures, populations
from tests.truth.methods import exact_methods
from tests.truth.random_networks import final_speed

#: Relative differences allowed between two exact solutions.
THROUGHPUT, QUEUE_LENGTH = 1e-11, 1e-9

#: Lattice points times customers up to which the second solver is asked; it is slow.
SECOND_OPINION = 4_000

#: The first two exact methods that apply are always asked. The others, which exist for networks
#: where those are too slow and are slow themselves on the small ones here, this often ...
OTHERS = 0.1
#: ... and only with so many customers.
OTHERS_CUSTOMERS = 200

CHUNK = 100


@dataclass
class Outcome:
    """What a range of networks came to."""

    counts: Counter[str]
    violations: list[str]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stress", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="how many networks")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--only", type=int, help="this network alone, shown")
    arguments = parser.parse_args()
    if arguments.only is not None:
        network = make(arguments.only)
        print(network)
        for name, reason in qm.methods_for(network).items():
            print(f"{name}: {reason or 'applies'}")
        print("\n".join(violations(network)) or "no violation")
        return 0
    begun = time.perf_counter()
    total = Outcome(Counter(), [])
    starts = range(arguments.first, arguments.first + arguments.count, CHUNK)
    last = arguments.first + arguments.count
    with ProcessPoolExecutor(arguments.jobs) as pool:
        chunks = pool.map(examine, ((a, min(a + CHUNK, last)) for a in starts))
        for done, outcome in enumerate(chunks, 1):
            total.counts += outcome.counts
            total.violations += outcome.violations
            for text in outcome.violations[:3]:
                print(f"\n{text}\n", flush=True)
            _progress(min(done * CHUNK, arguments.count), arguments.count, total, begun)
    print(f"\n{arguments.count} networks in {time.perf_counter() - begun:.0f} s")
    for what, count in sorted(total.counts.items()):
        print(f"  {what:<40} {count:>8}")
    print(f"{len(total.violations)} violations")
    return 1 if total.violations else 0


def _progress(done: int, count: int, total: Outcome, begun: float) -> None:
    if not sys.stderr.isatty() and done % max(CHUNK, count // 20 // CHUNK * CHUNK):
        return
    seconds = time.perf_counter() - begun
    left = seconds / done * (count - done)
    end = "\r" if sys.stderr.isatty() else "\n"
    print(
        f"{done:>8} of {count}, {len(total.violations)} violations, {left:4.0f} s left",
        end=end,
        file=sys.stderr,
        flush=True,
    )


def examine(numbers: tuple[int, int]) -> Outcome:
    """All networks from the first number up to, not including, the second."""
    outcome = Outcome(Counter(), [])
    for number in range(*numbers):
        network = make(number)
        try:
            found = list(violations(network, outcome.counts))
        except Exception as error:  # noqa: BLE001 - a crash is a violation, and is reported
            found = [f"{type(error).__name__}: {error}"]
        if found:
            outcome.violations.append("\n".join([f"network {number}", *found, repr(network)]))
    return outcome


def violations(network: qm.Network, counts: Counter[str] | None = None) -> Iterator[str]:
    """Everything about the solutions of a network that cannot be."""
    counts = Counter() if counts is None else counts
    if _overloaded(network):
        counts["without a steady state"] += 1
        yield from _must_be_refused(network)
        return
    exact = exact_methods(network)
    if not exact:
        counts["without an exact method"] += 1
        yield "no exact method applies: " + str(qm.methods_for(network))
        return
    rng = Random(repr(network))
    few = sum(populations(network)) <= OTHERS_CUSTOMERS
    exact = exact[:2] + [m for m in exact[2:] if few and rng.random() < OTHERS]
    solutions = []
    for method in exact:
        try:
            solutions.append(method.solve(network))
        except qm.NotApplicable:
            counts[f"refused by {method.name} while solving"] += 1
            continue
        counts[f"solved by {method.name}"] += 1
        if broken := violation(solutions[-1], exact=True):
            yield f"{method.name}: {broken}"
    if not solutions:
        yield "every exact method that applies refuses while solving"
        return
    first = solutions[0]
    for other in solutions[1:]:
        yield from _differences(first, other.throughputs, other.queue_lengths, other.method)
    auto = qm.solve(network)
    yield from _differences(first, auto.throughputs, auto.queue_lengths, f"auto, {auto.method}")
    second = second_opinion(network)
    if second is not None:
        counts["compared with the second solver"] += 1
        yield from _differences(first, second.throughput, second.queue_length, "second solver")
    elif len(solutions) < 2:
        counts["compared with nothing"] += 1


def _overloaded(network: qm.Network) -> bool:
    rates = [c.arrival_rate if isinstance(c, qm.OpenClass) else 0.0 for c in network.classes]
    return any(
        sum(rate * row[k] for rate, row in zip(rates, network.demand, strict=True))
        >= final_speed(station)
        for k, station in enumerate(network.stations)
        if not isinstance(station, qm.DelayStation)
    )


def _must_be_refused(network: qm.Network) -> Iterator[str]:
    for name in ("auto", "exact"):
        try:
            solution = qm.solve(network, name)
        except (qm.Unstable, qm.NotApplicable):
            continue
        yield f"{name} solves a network without a steady state: {solution.to_dict()}"


def _differences(
    solution: qm.Solution,
    throughput: Sequence[float],
    queue_length: Sequence[Sequence[float]],
    other: str,
) -> Iterator[str]:
    names = solution.network.class_names
    for name, here, there in zip(names, solution.throughputs, throughput, strict=True):
        if abs(here - there) > THROUGHPUT * abs(there):
            yield f"throughput of {name}: {solution.method} {here!r}, {other} {there!r}"
    for name, mine, theirs in zip(names, solution.queue_lengths, queue_length, strict=True):
        for station, here, there in zip(solution.network.station_names, mine, theirs, strict=True):
            if abs(here - there) > QUEUE_LENGTH * abs(there) + 1e-300:
                where = f"queue length of {name} at {station}"
                yield f"{where}: {solution.method} {here!r}, {other} {there!r}"


def second_opinion(network: qm.Network) -> Measures | None:
    """All measures by the second solver in floats; None where it is too slow or out of range.

    Each class has its own unit of time, its longest demand or think time, so that the powers
    that are summed are at most 1.
    """
    sizes = populations(network)
    places = len(network.stations)
    if prod(n + 1 for n in sizes) * max(1, sum(sizes)) > SECOND_OPINION or sum(sizes) > 60:
        return None
    units = [max(*row, z) or 1.0 for row, z in zip(network.demand, network.think_time, strict=True)]
    classes = [
        replace(c, think_time=c.think_time / unit)
        if isinstance(c, qm.ClosedClass)
        else replace(c, arrival_rate=c.arrival_rate * unit)
        for c, unit in zip(network.classes, units, strict=True)
    ]
    demand = [
        [row[k] / unit for k in range(places)]
        for row, unit in zip(network.demand, units, strict=True)
    ]
    try:
        found = rational.solve(qm.Network(network.stations, classes, demand), float)
    except ZeroDivisionError:  # a constant that is not a float any more
        return None
    return replace(
        found, throughput=[x / unit for x, unit in zip(found.throughput, units, strict=True)]
    )


if __name__ == "__main__":
    sys.exit(main())
