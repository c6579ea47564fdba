"""python -m benchmarks.simulation_speed: simulators of one closed network, in one run.

Twenty users think for a second and visit four stations in turn, first come first served, all times
exponential; the exact throughput is known. Of each simulator: events (ends of services and of
thinking) per second of processor time, compiling and setting up left out by the difference of two
lengths, and how far its throughput is from the exact one. qmodel with and without numba, Ciw, SimPy
(the loop anyone would write), LINE's SSA, and its LDES, which its package has as a program; each
where it is installed. What LINE calls samples is taken for events.
"""

import io
import os
import subprocess
import sys
import time
from contextlib import redirect_stdout
from importlib.util import find_spec

import qmodel as qm

USERS, THINK, SERVICE = 20, 1.0, (0.1, 0.08, 0.06, 0.04)
#: Ends of services and of thinking in an interaction.
EACH = 1 + len(SERVICE)


def network():
    stations = [qm.QueueingStation(f"s{i}", discipline="fcfs") for i in range(len(SERVICE))]
    return qm.Network(stations, [qm.ClosedClass("users", USERS, THINK)], [SERVICE])


def ours(events):
    found = qm.simulate(network(), precision=1e-9, events=events, seconds=None)
    return found.events, found.throughputs[0].value


def plain(events):
    """qmodel without numba, in a process of its own."""
    code = (
        "import time; from benchmarks.simulation_speed import ours; "
        f"t = time.process_time(); n, x = ours({events}); print(n, x, time.process_time() - t)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    n, x, seconds = map(float, run.stdout.split())
    return n, x, seconds


def by_ciw(events):
    import ciw

    size = len(SERVICE) + 1
    leads = [[float(b == (a + 1) % size) for b in range(size)] for a in range(size)]
    arrive = [ciw.dists.Sequential([1e-6] * USERS + [float("inf")]), *[None] * (size - 1)]
    serve = [ciw.dists.Exponential(1.0 / t) for t in (THINK, *SERVICE)]
    model = ciw.create_network(
        arrival_distributions=arrive, service_distributions=serve, routing=leads,
        number_of_servers=[float("inf"), *[1] * len(SERVICE)],
    )  # fmt: skip
    ciw.seed(1)
    run = ciw.Simulation(model)
    horizon = events / EACH / qm.solve(network()).throughputs[0]
    run.simulate_until_max_time(horizon)
    done = [r for r in run.get_all_records(only=["service"]) if r.node == 1]
    return EACH * len(done), len(done) / horizon


def by_simpy(events):
    from random import Random

    import simpy

    random, world, done = Random(1), simpy.Environment(), [0]
    disks = [simpy.Resource(world) for _ in SERVICE]

    def user():
        while True:
            yield world.timeout(random.expovariate(1.0 / THINK))
            for disk, mean in zip(disks, SERVICE, strict=True):
                with disk.request() as turn:
                    yield turn
                    yield world.timeout(random.expovariate(1.0 / mean))
            done[0] += 1

    for _ in range(USERS):
        world.process(user())
    horizon = events / EACH / qm.solve(network()).throughputs[0]
    world.run(until=horizon)
    return EACH * done[0], done[0] / horizon


def _of_line():
    import line_solver as line

    model = line.Network("closed")
    think = line.Delay(model, "think")
    queues = [line.Queue(model, f"s{i}", line.SchedStrategy.FCFS) for i in range(len(SERVICE))]
    users = line.ClosedClass(model, "users", USERS, think)
    for node, mean in zip([think, *queues], (THINK, *SERVICE), strict=True):
        node.setService(users, line.Exp(1.0 / mean))
    model.link(line.Network.serialRouting(think, *queues))
    return line, model


def by_line(events, solver="SolverSSA"):
    line, model = _of_line()
    solved = getattr(line, solver)(model, samples=int(events), seed=1, verbose=False)
    with redirect_stdout(io.StringIO()):
        table = solved.getAvgTable()
    return events, float(table["Tput"].iloc[0])


def by_ldes(events):
    return by_line(events, "SolverLDES")


#: Name, module it needs, what runs it, events at most.
SIMULATORS = (
    ("qmodel, numba", "numba", ours, 10_000_000),
    ("qmodel, plain Python", "qmodel", plain, 600_000),
    ("Ciw", "ciw", by_ciw, 200_000),
    ("SimPy", "simpy", by_simpy, 400_000),
    ("LINE SSA", "line_solver", by_line, 50_000),
    ("LINE LDES", "line_solver", by_ldes, 1_000_000),
)


def measured(run, events):
    """Events and processor seconds by the difference of two lengths, the best of three."""
    best = 0.0
    for _ in range(3):
        points = []
        for wanted in (events // 5, events):
            begun = time.process_time() + sum(os.times()[2:4])
            n, rate, *seconds = run(wanted)
            spent = time.process_time() + sum(os.times()[2:4]) - begun
            points.append((n, seconds[0] if seconds else spent))
        (few, short), (many, long) = points
        best = max(best, (many - few) / (long - short))
    return best, rate


def main() -> None:
    exact = qm.solve(network()).throughputs[0]
    print("| simulator | events per second of processor time | throughput off by |\n|---|---|---|")
    for name, module, run, events in SIMULATORS:
        if find_spec(module) is None:
            print(f"| {name} | not installed | |")
            continue
        try:
            speed, rate = measured(run, events)
        except Exception as error:  # noqa: BLE001, whatever a peer raises is shown
            print(f"| {name} | does not run: {str(error).splitlines()[0][:60]} | |")
            continue
        print(f"| {name} | {speed:,.0f} | {100.0 * abs(rate / exact - 1.0):.2f} % |", flush=True)


if __name__ == "__main__":
    main()
