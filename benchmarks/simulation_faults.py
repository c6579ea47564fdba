"""python -m benchmarks.simulation_faults [SOUND]: does `qm.agree` see faults in solvers?

Forty faults, each planted alone as a module of qmodel is read: those of tests/faults/faults.toml
in solvers that `solve` reaches and their kernels, but for lost digits, for those by which a method
refuses its networks and for methods whose recorded worst error is 30 % and more, and those of
simulation_faults.toml. Each is held against a simulation of the same networks by all methods that
apply. Pairs that differ without a fault are left out. Then SOUND networks, 300 by default, are
compared without any fault: as many as 1 % may be said to differ by chance.
"""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import tomllib
from itertools import islice
from pathlib import Path

import qmodel as qm
from benchmarks.simulation_coverage import cases
from qmodel.simulation.agreement import beside
from tests.faults.runner import ROOT, Fault, faults

#: Of the list of the suite, what each breaks.
BREAKS = (
    "an arrival sees the square of the queue", "one step of the recursion too few",
    "think time forgotten", "the queue holds only those in service",
    "thinkers counted as waiting at the bottleneck", "no waiting beside a saturated station",
    "one customer too many at a station of several speeds",
    "earlier stations of several speeds left out", "every class thinks as long as the first",
    "populations that are not there", "think time replaced by the last delay station",
    "weights of a station without the factorial of its classes",
    "open customers do not see the closed ones", "closed customers do not see the open ones",
    "an open arrival sees one closed customer too few", "wrong capacity left of several servers",
    "open classes take nothing of the last speed", "the highest speed taken for the lasting one",
    "waiting time of several servers as if they were idle", "the end of an open queue left out",
    "Erlang's recursion divides by the wrong number of servers",
    "an arrival sees itself", "an arrival sees nobody of its own class",
    "the speed of a station of one speed not counted in",
    "a customer counted twice among the thinkers", "one of those inside counted as waiting outside",
    "weights taken for weights times the number there",
)  # fmt: skip
#: Runs this module where one file is read with other words: the path, the text, its replacement.
PLANTED = """
import runpy, sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
path, text, other, *sys.argv[1:] = sys.argv[1:]
said, right = Path(path).read_text(encoding="utf-8"), SourceFileLoader.get_code
if said.count(text) != 1:
    raise ValueError(f"{path} has {said.count(text)} times {text!r}")
SourceFileLoader.get_code = lambda loader, name: (
    compile(said.replace(text, other), path, "exec") if loader.path == path else right(loader, name)
)
runpy.run_module("benchmarks.simulation_faults", run_name="__main__", alter_sys=True)
"""
#: Events of each simulation.
EVENTS = 200_000


def planted() -> list[Fault]:
    """The forty faults."""
    named = {fault.breaks: fault for fault in faults()}
    more = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["fault"]
    return [named[name] for name in BREAKS] + [Fault(**{**each, "tests": ()}) for each in more]


def networks() -> list[qm.Network]:
    """Three of each kind that has exact answers, and those that other methods are for."""
    fcfs = [qm.QueueingStation(n, s, "fcfs") for n, s in (("web", 1), ("data", 2))]
    plain = [qm.QueueingStation("cpu", 3), qm.QueueingStation("disk"), qm.DelayStation("lan")]
    users, jobs = qm.ClosedClass("users", 12, 2.0), qm.ClosedClass("jobs", 4, 1.0, priority=1)
    mail = qm.OpenClass("mail", 1.0, arrival_scv=3.0)
    array = qm.LoadDependentStation("array", [1.0, 1.7, 2.2])
    slower = qm.LoadDependentStation("slower", [1.0, 2.0, 1.2])
    ranked = [qm.ClosedClass("u", 3, 1.0), qm.ClosedClass("v", 2, 1.0, priority=1)]
    fast = qm.LoadDependentStation("fast", [2.0])
    few = [qm.ClosedClass("u", 3), qm.ClosedClass("v", 2)]
    limit = qm.PopulationLimit("threads", 4, ["cpu", "disk"])
    return [
        *(case[1] for case in islice(cases(40), 36)),
        qm.Network(fcfs, [mail], [[0.7, 1.4]], scv=[[4.0, 0.25]]),
        qm.Network(fcfs, [mail, qm.OpenClass("web", 0.3)], [[0.5, 0.9], [0.6, 0.5]]),
        qm.Network(fcfs, [users, jobs], [[0.2, 0.3], [0.1, 0.9]], scv=[[1, 3.0], [4.0, 0.5]]),
        qm.Network(fcfs, [users], [[0.2, 0.5]], scv=[[0.25, 4.0]]),
        qm.Network(plain, [users, jobs], [[0.5, 0.1, 0.3], [0.3, 0.3, 0.1]]),
        qm.Network(plain, [users, jobs], [[0.5, 0.1, 0.3], [0.3, 0.3, 0.1]], limits=[limit]),
        qm.Network(plain, [users], [[0.5, 0.2, 0.3]], limits=[limit]),
        qm.Network([*plain, array], [users, jobs], [[0.2, 0.1, 0, 0.3], [0.3, 0, 0.1, 0.4]]),
        qm.Network([array, plain[1]], [users, qm.OpenClass("m", 1.0)], [[0.4, 0.2], [0.5, 0.1]]),
        qm.Network(plain, [users, qm.OpenClass("m", 2.0)], [[0.4, 0.2, 0.1], [0.5, 0.1, 0.1]]),
        qm.Network([plain[1], plain[2]], [qm.ClosedClass("u", 1500, 10.0)], [[0.01, 0.1]]),
        qm.Network(plain[1:2] + fcfs[:1], [qm.ClosedClass("u", 400, 10.0)], [[0.05, 0.03]]),
        *(
            qm.Network([qm.QueueingStation("cpu", 1, order)], [users, jobs], [[0.1], [0.4]])
            for order in ("priority", "preemptive")
        ),
        qm.Network([qm.QueueingStation(n, 2) for n in "ab"] + [array], [users], [[0.4, 0.5, 0.2]]),
        qm.Network([slower], [qm.OpenClass("m", 1.0)], [[0.7]]),
        qm.Network(plain[:2], few, [[0.9, 0.2], [1, 0.4]]),
        qm.Network([fast, *plain[1:]], [users], [[0.4, 0.1, 0.3]]),
        qm.Network(fcfs[:1], [mail], [[0.8]], scv=[[0.5]]),
        *(
            qm.Network([one, plain[1]], [*ranked], [[0.5, 0.1], [0.9, 0.2]])
            for one in (qm.QueueingStation("cpu", 1, "priority"), qm.ForkJoinStation("raid", 5))
        ),
        qm.Network([qm.ForkJoinStation("raid", 2)], [users, jobs], [[0.1], [0.2]]),
    ]  # fmt: skip


def compared(path: str) -> dict[str, str]:
    """Of each network and method that applies: "agrees", "differs", or the error."""
    said = {}
    for i, simulated in enumerate(pickle.loads(Path(path).read_bytes())):
        for method, reason in qm.methods_for(simulated.network).items():
            if reason is None:
                try:
                    found = beside(qm.solve(simulated.network, method), simulated)
                    said[f"{i} {method}"] = "agrees" if found.agrees else "differs"
                except qm.QmodelError as error:
                    said[f"{i} {method}"] = f"{type(error).__name__}"
    return said


def seen(fault: Fault, answers: Path, sound: dict[str, str]) -> list[str]:
    """The pairs that agree without a fault and now differ, or break a law that `solve` checks."""
    asked = (ROOT / fault.file, fault.text, fault.replacement, "--answers", answers)
    run = subprocess.run(
        [sys.executable, "-c", PLANTED, *asked],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False,
    )  # fmt: skip
    if run.returncode:
        return [f"stops: {run.stderr.decode().splitlines()[-1]}"]
    said = json.loads(run.stdout)
    seen_by = {"differs", "InternalError"}
    other = [
        f"{pair}: {said[pair]}"
        for pair, was in sound.items()
        if was == "agrees" and said.get(pair) in seen_by
    ]
    return sorted(other, key=lambda each: not each.endswith("differs"))


def false_alarms(count: int) -> list[str]:
    """Sound networks that are said to differ, by exact methods."""
    said = []
    for i, (kind, network, times) in enumerate(islice(cases(300), 2 * count)):
        if times is None and count:
            count -= 1
            found = qm.agree(network, precision=1e-9, events=EVENTS, seconds=None, seed=i)
            said += [] if found.agrees else [f"{kind}: {found.verdict}"]
    return said


def main() -> None:
    if sys.argv[1:2] == ["--answers"]:
        print(json.dumps(compared(sys.argv[2])))
        return
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder, "simulated.pickle")
        found = [qm.simulate(n, precision=1e-9, events=EVENTS, seconds=None) for n in networks()]
        answers.write_bytes(pickle.dumps(found))
        sound = compared(str(answers))
        agree = sum(each == "agrees" for each in sound.values())
        print(f"{agree} of {len(sound)} pairs of network and method agree without a fault")
        flagged = 0
        for fault in planted():
            pairs = seen(fault, answers, sound)
            flagged += bool(pairs)
            first = pairs[0] if pairs else "not seen"
            print(f"{fault.breaks}: {first}" + f", {len(pairs)} pairs" * bool(pairs), flush=True)
        print(f"{flagged} of {len(planted())} faults are flagged")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    alarms = false_alarms(count)
    print(f"{len(alarms)} of {count} sound networks are flagged", *alarms, sep="\n")


if __name__ == "__main__":
    main()
