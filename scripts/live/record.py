"""A system recorded from its first process to its last, and again from where it was stopped."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from scripts.live.group import group
from scripts.live.measuring import Target
from scripts.live.plan import SATURATION, Plan, Run
from scripts.live.programs import CannotRecordError, programs
from scripts.live.system import LiveSystem, Place, Variant, cores_of

#: A run is disturbed, and repeated, if processes that are no part of it use more than this of the
#: processors, or a hypervisor takes away more than that. [1]
OTHERS, STOLEN = 0.05, 0.01

#: Runs of a system that are repeated at most; then they are kept, and say that they were disturbed.
REPEATED = 6

#: Runs in which saturation is found at most, and how much more one must do to call for another. [1]
PROBES, WARMER = 6, 1.05

#: Shortest think time: clients that hardly think are a test of themselves. [s]
LEAST_THINKING = 0.02

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Files:
    """What is kept of one system."""

    folder: Path
    name: str

    @property
    def card(self) -> Path:
        """The machine, versions, and saturation."""
        return self.folder / f"{self.name}.json"

    @property
    def runs(self) -> Path:
        """A line of JSON a run."""
        return self.folder / f"{self.name}.jsonl"

    def done(self) -> list[dict[str, Any]]:
        """Runs that were recorded already."""
        if not self.runs.exists():
            return []
        return [json.loads(line) for line in self.runs.read_text(encoding="utf-8").splitlines()]

    def left(self, plan: Plan, system: LiveSystem) -> list[Run]:
        """Runs that were not."""
        done = {(each["variant"], each["users"], each["round"]) for each in self.done()}
        return [
            run
            for run in plan.runs(len(system.variants))
            if (run.variant, run.users, run.round) not in done
        ]


def record(system: LiveSystem, files: Files, plan: Plan, say: Say) -> None:
    """Record what is still missing of a system.

    Raises
    ------
    CannotRecordError
        If a program is missing, does not start, or clients fail.
    """
    found = programs(system.programs)
    files.folder.mkdir(parents=True, exist_ok=True)
    repeated = 0
    for variant, runs in groupby(files.left(plan, system), key=lambda run: run.variant):
        with started(system, files.name, found, system.variants[variant]) as target:
            if not files.card.exists():
                files.card.write_text(
                    json.dumps(_card(system, found, target, plan, say), indent=1) + "\n",
                    encoding="utf-8",
                )
            think = json.loads(files.card.read_text(encoding="utf-8"))["think_time"]
            # Caches are filled, code is compiled, and processes are there.
            target.run(SATURATION, think, plan.probing, 0.0, 0)
            for run in runs:
                said = _run(target, run, think, plan)
                while disturbed(said) and repeated < REPEATED:
                    repeated += 1
                    say(f"  {disturbed(said)}: again")
                    said = _run(target, run, think, plan)
                with files.runs.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(run) | said) + "\n")
                say(
                    f"  {system.variants[variant].name}, {run.users} users, round {run.round}: "
                    f"{said['throughput']:.1f} /s, {said['response_time'] * 1e3:.2f} ms, "
                    f"cpu {said['cpu']:.1%}"
                )


def _run(target: Target, run: Run, think: float, plan: Plan) -> dict[str, Any]:
    seed = 10_000 * run.variant + 1_000 * run.round + run.users
    return target.run(run.users, think, plan.counted(run), plan.warm_up, seed)


def disturbed(said: dict[str, Any]) -> str:
    """What disturbed a run; empty if nothing did."""
    if said.get("others", 0.0) > OTHERS:
        return f"other processes took {said['others']:.1%} of the processors"
    if said["stolen"] > STOLEN:
        return f"a hypervisor took {said['stolen']:.1%} of the processors"
    return ""


@contextmanager
def started(
    system: LiveSystem, name: str, found: dict[str, str], variant: Variant
) -> Iterator[Target]:
    """A variant of a system, in a folder that goes with it."""
    folder = Path(tempfile.mkdtemp(prefix=f"live-{name}-"))
    try:
        with (
            group(name, cores_of(variant.cores), variant.quota) as own,
            system.start(Place(folder, own, found, variant)) as address,
        ):
            yield Target(name, address, own)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _card(
    system: LiveSystem, found: dict[str, str], target: Target, plan: Plan, say: Say
) -> dict[str, Any]:
    """What is to be known of the recording; the think time with which the system saturates."""
    rates = [0.0]
    for number in range(PROBES):  # until caches are filled and code is compiled
        rates.append(target.run(32, 0.0, plan.probing, 0.5, number)["throughput"])
        if number and rates[-1] < WARMER * rates[-2]:
            break
    most = max(rates)
    alone = target.run(1, 0.05, plan.probing, 0.5, PROBES)["response_time"]
    think = max(LEAST_THINKING, round(SATURATION / most - alone, 3))
    say(f"  at most {most:.0f} /s, {alone * 1e3:.2f} ms alone: clients think {think * 1e3:.0f} ms")
    command = (found.get(system.version[0], system.version[0]), *system.version[1:])
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    version = (done.stdout or done.stderr).strip().partition("\n")[0]
    return {
        "title": system.title,
        "workload": system.workload,
        "version": re.sub(r"/\S*/", "", version),
        "think_time": think,
        "most": most,
        "alone": alone,
        "variants": [
            {"name": v.name, "says": v.says, "cores": v.cores, "change": dict(v.change)}
            for v in system.variants
        ],
        "known": dict(system.known),
        "machine": machine(),
    }


def machine() -> dict[str, str]:
    """What it was recorded on, without what names it."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*:\s*(.*)", text)
    threads = re.search(r"siblings\s*:\s*(\d+)", text)
    cores = re.search(r"cpu cores\s*:\s*(\d+)", text)
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(encoding="utf-8"))
    release = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    doubled = threads and cores and int(threads[1]) > int(cores[1])
    return {
        "processors": f"{os.cpu_count()} of {model[1].strip() if model else 'unknown kind'}"
        + (", two threads a core" if doubled else ""),
        "memory": f"{int(memory[1]) / 2**20:.0f} GB" if memory else "unknown",
        "system": f"{release}, kernel {platform.release().partition('-')[0]}",
    }


def check(names: list[str], systems: list[LiveSystem]) -> None:
    """Whether all programs are there, before the first hour is spent.

    Raises
    ------
    CannotRecordError
        With what is to be installed for all of them.
    """
    every: dict[str, str] = {"taskset": "util-linux", "setpriv": "util-linux"}
    for system in systems:
        every |= system.programs
    try:
        programs(every)
    except CannotRecordError as error:
        raise CannotRecordError(f"{', '.join(names)}: {error}") from None
