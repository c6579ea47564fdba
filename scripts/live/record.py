"""A recording from its first process to its last."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any

from scripts.live.clients import ClientRun, run_clients
from scripts.live.database import running
from scripts.live.hog import beside
from scripts.live.levels import Level, levels
from scripts.live.monitor import as_json, recording
from scripts.live.plan import ATTEMPTS, Plan, Run
from scripts.live.processors import busy_now
from scripts.live.programs import CannotRecordError, programs, unprivileged

#: A run is disturbed, and repeated, if processes that are no part of it use more than this of the
#: processors, or a hypervisor takes away more than that. [1]
OTHERS, STOLEN = 0.04, 0.005

#: A machine busier than this before anything starts has other work to do. [1]
QUIET = 0.05

#: A recording in which each number of clients was run so often is worth keeping.
ENOUGH = 2

#: Wait after a disturbed run. [s]
PAUSE = 5.0


@dataclass(frozen=True, slots=True)
class Recorded:
    """Load levels, what the clients said of each run, and the monitor's JSON."""

    levels: tuple[Level, ...]
    runs: tuple[ClientRun, ...]
    monitor: dict[str, Any]


def record(plan: Plan, say: Callable[[str], object], *, anyway: bool = False) -> Recorded:
    """Start a server, load it at each level, and stop everything.

    Raises
    ------
    CannotRecordError
        If something is missing, does not start, or the machine is not quiet.
    """
    found = programs()
    identity = unprivileged()
    busy = busy_now()
    if busy > QUIET and not anyway:
        raise CannotRecordError(
            f"the processors are {busy:.0%} busy before anything runs; try again when the machine "
            "is quiet, or give --anyway"
        )
    folder = Path(tempfile.mkdtemp(prefix="live-"))
    try:
        if identity:
            shutil.chown(folder, identity["user"], identity["group"])
        file = folder / "monitor"
        with (
            running(found, folder, identity, plan.longest) as database,
            beside(plan.occupied, identity, plan.longest),
        ):
            run_clients(found, database, identity, Run(max(plan.fitted), 0), 3)  # fills the caches
            with recording(found, file, identity, plan.longest):
                runs = quiet_runs(
                    plan,
                    lambda run: run_clients(found, database, identity, run, plan.seconds),
                    say,
                    anyway=anyway,
                )
        monitor = as_json(found, file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Recorded(levels(runs, monitor, plan.warm_up), tuple(runs), monitor)


def held(plan: Plan) -> float:
    """Utilization of all processors by a process that holds one of them, or none. [1]"""
    return 1.0 / (os.cpu_count() or 1) if plan.occupied else 0.0


def quiet_runs(
    plan: Plan, run: Callable[[Run], ClientRun], say: Callable[[str], object], *, anyway: bool
) -> list[ClientRun]:
    """All runs of a plan; those made so far, if each level was run twice and no more succeed.

    Raises
    ------
    CannotRecordError
        If something else disturbed too many.
    """
    found: list[ClientRun] = []
    for each in plan.runs:
        say(f"{each.name}, {plan.seconds} s")
        try:
            found.append(undisturbed(lambda r=each: run(r), held(plan), say, anyway=anyway))
        except CannotRecordError as error:
            if each.number <= ENOUGH:
                raise
            say(f"{error}; what was recorded so far is used")
            break
    return found


def undisturbed(
    run: Callable[[], ClientRun], expected: float, say: Callable[[str], object], *, anyway: bool
) -> ClientRun:
    """A run that nothing else took part in but what was expected to.

    Raises
    ------
    CannotRecordError
        If something else did each time.
    """
    for _ in range(ATTEMPTS):
        found = run()
        if anyway or (abs(found.others - expected) <= OTHERS and found.stolen <= STOLEN):
            return found
        others = max(0.0, found.others - expected)
        disturbance = (
            f"other processes took {others:.1%} of the processors, a hypervisor {found.stolen:.1%}"
        )
        say(f"{disturbance}: not counted")
        sleep(PAUSE)
    raise CannotRecordError(
        f"{disturbance}, in each of {ATTEMPTS} runs; try again when the machine is quiet, or give "
        "--anyway"
    )
