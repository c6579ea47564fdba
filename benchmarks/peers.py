"""qmodel and its peers side by side: python benchmarks/peers.py [--only W1] [--rounds 3].

Installs LINE into an environment of its own, uses Octave's queueing package where there is an
Octave and a C compiler where there is one, runs the workloads in turn, compares the answers, prints
a Markdown table of the ratios of medians. Exit status 1 if a peer that is meant to be exact
disagrees.
"""

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import workloads as w
from other_tools import line_python

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
#: Relative difference beyond which two exact answers are not the same.
AGREED = 1e-9
#: Processes that share the machine with themselves only.
ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="CASE")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all measurements")
    options = parser.parse_args()

    line, octave = line_python(), octave_command()
    found = []
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    for turn in range(options.rounds):
        print(f"round {turn + 1} of {options.rounds}", file=sys.stderr)
        found += run([sys.executable, HERE / "ours.py", *options.only])
        if line:
            # Its Linearizer takes minutes: once is enough.
            once = {} if turn == 0 else {"LATER_ROUND": "1"}
            found += run([line, HERE / "peer_line.py", *options.only], **once)
        if not options.only or any(w.W5_CASE.startswith(name) for name in options.only):
            found += in_c()
        if octave:
            found += run(octave, CASES="|".join(options.only), WORKLOADS=octave_workloads())
        if not options.only or any(w.W7_CASE.startswith(name) for name in options.only):
            found += whole_commands(line)
    table, wrong = compare(found)
    print(heading(line, octave, options.rounds, load))
    print(table)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(found, indent=1))
    if wrong:
        sys.exit("no agreement: " + "; ".join(wrong))


def octave_command():
    found = os.environ.get("OCTAVE") or shutil.which("octave-cli") or shutil.which("octave")
    if not found:
        print("no Octave here; going on without it", file=sys.stderr)
        return None
    return [found, "--no-gui", "--no-init-file", "--quiet", "--eval", "peer_octave"]


def octave_workloads():
    """W1 to W3 as Octave's functions take them, but for the largest, which takes hours."""
    one = [1, 1, 1, 1]
    think = w.THINK_TIME + w.W1_DELAY
    cases = [
        {"name": w.w1_case(n), "population": n, "demand": w.W1_DEMAND, "servers": one,
         "think": think, "exact": True}
        for n in w.W1_POPULATIONS[:3]
    ]  # fmt: skip
    cases.append(
        {"name": w.W2_CASE, "population": w.W2_POPULATION, "demand": w.W2_DEMAND,
         "servers": w.W2_SERVERS, "think": w.THINK_TIME, "exact": False}
    )  # fmt: skip
    cases += [
        {"name": w.w3_case(p), "population": p, "demand": w.w3_demand(len(p)), "servers": one,
         "think": [w.THINK_TIME] * len(p), "exact": True}
        for p in w.W3_POPULATIONS
    ]  # fmt: skip
    return json.dumps(cases)


def in_c():
    """W5 by a program in C, where there is a compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if not compiler:
        print("no C compiler here; going on without it", file=sys.stderr)
        return []
    demand = w.w5_demand()
    given = f"{len(demand)} {w.W5_STATIONS} {w.W5_POPULATION} {w.THINK_TIME}\n"
    given += "\n".join(" ".join(map(repr, row)) for row in demand)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "peer_c"
        command = [compiler, "-O3", "-march=native", "-o", program, HERE / "peer_c.c"]
        subprocess.run([str(part) for part in command], check=True)
        return run([program], given=given)


def run(command, given=None, **environment):
    """What a program measured, one record per line."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=HERE,
        env={**os.environ, **ALONE, **environment},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode and not lines:
        print(f"{command[0]}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    return [json.loads(line) for line in lines]


def whole_commands(line):
    """W7: processor time of the whole process, model file in, table out."""
    with tempfile.TemporaryDirectory() as folder:
        ours = Path(folder) / "small.toml"
        ours.write_text(w.w7_model())
        script = Path(sys.executable).with_name("qmodel")
        start = [script] if script.exists() else [sys.executable, "-m", "advisor.cli"]
        commands = {
            "qmodel": [*start, "solve", ours],
            "python -c 'import numpy, typer'": [sys.executable, "-c", "import numpy, typer"],
        }
        if line:
            theirs = Path(folder) / "small.json"
            writer = [line, HERE / "peer_line.py", "--write-model", theirs]
            subprocess.run(writer, cwd=HERE, check=True, capture_output=True)
            command = Path(line).with_name("line")
            commands["LINE"] = [command, "--file", theirs, "--solver", "mva.exact"]
        return [
            {"case": w.W7_CASE, "tool": tool, "seconds": processor_times(command), "answer": None,
             "exact": True}
            for tool, command in commands.items()
        ]  # fmt: skip


def processor_times(command, times=5):
    seconds = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [str(part) for part in command],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return seconds


def compare(found):
    """The Markdown table, and what does not agree."""
    cases = list(dict.fromkeys(record["case"] for record in found))
    rows, wrong = [], []
    for case in cases:
        records = [r for r in found if r["case"] == case]
        medians = {}
        for record in records:
            medians.setdefault(record["tool"], []).extend(record["seconds"])
        medians = {tool: statistics.median(s) for tool, s in medians.items()}
        answers = {r["tool"]: (r["answer"], r["exact"]) for r in records}
        if "qmodel" not in answers:
            continue
        ours, _ = answers["qmodel"]
        for tool, median in medians.items():
            if tool == "qmodel":
                continue
            theirs, exact = answers[tool]
            verdict, agreed = agreement(ours, theirs)
            if exact and not agreed:
                wrong.append(f"{case}, {tool}: {verdict}")
            ratio = median / medians["qmodel"]
            rows.append(
                f"| {case} | {clock(medians['qmodel'])} | {tool} | {clock(median)} "
                f"| {ratio:,.{0 if ratio >= 10 else 1}f} | {verdict} |"
            )
    head = "| workload | qmodel | peer | its time | ratio | answers |\n|---|---|---|---|---|---|"
    return "\n".join([head, *rows]), wrong


def agreement(ours, theirs):
    """How two lists of throughputs agree, in words, and whether they do."""
    if ours is None or theirs is None:
        return "", True
    worst = max(abs(a - b) / abs(a) for a, b in zip(ours, theirs, strict=False))
    if not worst <= AGREED:
        return f"differ: X = {theirs[0]:.10g}, qmodel {ours[0]:.10g}", False
    return f"agree to {worst:.0e}" if worst else "identical", True


def clock(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def heading(line, octave, rounds, load):
    """What was compared where, and whether the machine had anything else to do."""
    tools = ["qmodel", *(["LINE 3.0.8"] if line else []), *(["Octave queueing"] if octave else [])]
    return (
        f"{', '.join(tools)}; Python {platform.python_version()}, {os.cpu_count()} processors; "
        f"medians over {rounds} rounds, ratio = its time / ours; processor time in W7, "
        "elapsed time elsewhere; the public API of qmodel, kernels of LINE"
        + ("\n" if load is None else f"; load of the machine as it began {load:.1f}\n")
    )


if __name__ == "__main__":
    main()
