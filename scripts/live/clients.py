"""One run of pgbench: some clients who think and ask, and what they saw."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import Any

from scripts.live.database import DATABASE, Database
from scripts.live.plan import Run, script
from scripts.live.processors import Meter
from scripts.live.programs import CannotRecordError


@dataclass(frozen=True, slots=True)
class ClientRun:
    """What pgbench saw of one run.

    Parameters
    ----------
    run : Run
        Which one.
    finished : tuple of float
        When each interaction ended, in seconds since 1970.
    response_time, thinking : float
        Means over the whole run, of the query and of the pause before it. [s]
    others : float
        Utilization of all processors by processes that are no part of this. [1]
    stolen : float
        What a hypervisor took away. [1]
    """

    run: Run
    finished: tuple[float, ...]
    response_time: float
    thinking: float
    others: float
    stolen: float

    @property
    def summary(self) -> dict[str, float]:
        """All but the interactions one by one."""
        return {
            "clients": self.run.clients,
            "run": self.run.number,
            "interactions": len(self.finished),
            "response_time": self.response_time,
            "thinking": self.thinking,
            "others": self.others,
            "stolen": self.stolen,
        }


def run_clients(
    programs: dict[str, str],
    database: Database,
    identity: dict[str, Any],
    run: Run,
    seconds: int,
) -> ClientRun:
    """Let some clients work for some seconds."""
    folder = database.folder
    (folder / "think_and_ask.sql").write_text(script())
    command = [
        programs["pgbench"], *database.connection,
        "-n", "-M", "prepared", "-f", "think_and_ask.sql",
        "-c", str(run.clients), "-j", "1", "-T", str(seconds),
        f"--random-seed={1000 * run.number + run.clients}",
        "-r", "-l", "--log-prefix=clients", DATABASE,
    ]  # fmt: skip
    meter = Meter(database.pid)
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=seconds + 30, **identity,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise CannotRecordError(f"pgbench with {run.clients} clients did not end in time") from None
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise CannotRecordError(f"pgbench failed; it said: {said}")
    found = meter.read()
    finished = []
    for log in folder.glob("clients.*"):
        finished += [_end(line) for line in log.read_text().splitlines()]
        log.unlink()
    return ClientRun(
        run,
        tuple(sorted(finished)),
        _mean(done.stdout, "SELECT"),
        _mean(done.stdout, r"\sleep"),
        found.others,
        found.stolen,
    )


def _end(line: str) -> float:
    """End of a transaction: client, number, time, script, seconds and microseconds of its end."""
    parts = line.split()
    return int(parts[4]) + int(parts[5]) / 1e6


def _mean(said: str, command: str) -> float:
    """Mean time of a command of the script. [s]"""
    found = re.search(rf"^\s*([\d.]+)\s+\d+\s+{re.escape(command)}", said, re.MULTILINE)
    if found is None:
        raise CannotRecordError(f"pgbench did not print how long {command} took")
    return float(found[1]) / 1000.0
