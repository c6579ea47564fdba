"""Kill ``qmodel sweep`` at random moments: python scripts/kill_sweep.py [--times N] [--seed N].

A sweep goes to disk; at a random moment its process and its workers are killed (SIGKILL, which
nobody can answer), and what the manifest reports as done is noted. The same command is given
again, until it is whole. Then every point that was ever reported done must be there with the
numbers that a sweep without any accident writes, to the byte. Exit status 1 if one is not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODEL = """\
[[station]]
name = "cpu"
kind = "queueing"
servers = 2
[[station]]
name = "disk"
kind = "queueing"
[[class]]
name = "users"
population = 20
think_time = "5 s"
[class.demand]
cpu = "0.4 s"
disk = "0.25 s"
"""
GRID = ("--vary", "population=1:200", "--vary", "demand.cpu=0.01s:4s:0.002s")
POINTS = 200 * 1996
TARGET = "users.csv"


@dataclass
class Tally:
    """What happened in all."""

    kills: int = 0
    lost: list[str] = field(default_factory=list)
    reported: list[int] = field(default_factory=list)
    runs: int = 0
    in_startup: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50, help="how often a sweep is killed")
    parser.add_argument("--seed", type=int, default=1995, help="of the moments")
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)  # noqa: S311 - of moments, not of secrets
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="qmodel-kill-") as name:
        folder = Path(name)
        (folder / "model.toml").write_text(MODEL)
        whole = folder / "whole" / TARGET
        whole.parent.mkdir()
        begun = time.monotonic()
        subprocess.run(command(folder, whole, 1), check=True, capture_output=True)
        seconds = max(0.3, time.monotonic() - begun - startup())
        while tally.kills < arguments.times:
            workers = 1 + tally.runs % 2
            disturbed(folder, TARGET, workers, seconds, moments, tally, arguments.times)
            if (folder / "disturbed" / TARGET).read_bytes() != whole.read_bytes():
                tally.lost.append(f"{TARGET} with {workers} workers is not what it would be")
            remove(folder / "disturbed")
            tally.runs += 1
    reported = ", ".join(map(str, sorted(tally.reported)))
    print(f"{tally.kills} kills in {tally.runs} sweeps of {POINTS} points (seed {arguments.seed})")
    print(f"{tally.in_startup} kills before a first chunk was reported done")
    print(f"points reported done when killed: {reported}")
    for line in tally.lost:
        print(f"LOST: {line}")
    print(f"{len(tally.lost)} results that were reported done and are lost or different")
    return 1 if tally.lost else 0


def startup() -> float:
    """Seconds that a program needs to begin with a sweep."""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", "import advisor.cli.app, qmodel, numpy"], cwd=ROOT)
    return time.monotonic() - begun


def command(folder: Path, target: Path, workers: int) -> list[str]:
    """The command; 2 workers are processes of their own."""
    return [
        sys.executable, "-m", "advisor.cli", "sweep", str(folder / "model.toml"), *GRID,
        "--to", str(target), "--workers", str(workers),
    ]  # fmt: skip


def disturbed(
    folder: Path, name: str, workers: int, seconds: float, moments: random.Random, tally: Tally,
    most: int,
) -> None:  # fmt: skip
    """One sweep that is killed several times and given again until it is whole."""
    target = folder / "disturbed" / name
    target.parent.mkdir()
    done = 0
    for _ in range(moments.randint(2, 5)):
        if tally.kills >= most:
            break
        process = subprocess.Popen(
            command(folder, target, workers), cwd=ROOT, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            if moments.random() < 0.8:  # else it may be starting still
                until_more(process, target, done)
            process.wait(moments.uniform(0.0, 0.8) * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        else:
            return  # it was quicker than its end
        tally.kills += 1
        now = reported(target)
        tally.reported.append(now)
        tally.in_startup += now == 0
        if now < done:
            tally.lost.append(f"{name}: {done} points were reported done, then {now}")
        done = now
    if target.is_file():
        return  # killed behind its last step: the file has its name
    ended = subprocess.run(
        [*command(folder, target, workers), "--json"], cwd=ROOT, capture_output=True, text=True
    )
    if ended.returncode:
        tally.lost.append(f"{name}: it does not go on: {ended.stderr.strip()}")
    elif (resumed := json.loads(ended.stdout)["resumed"]) != max(done, resumed):
        tally.lost.append(f"{name}: {done} points were reported done, {resumed} were taken over")


def until_more(process: subprocess.Popen[bytes], target: Path, done: int) -> None:
    """Wait until more is reported done than before."""
    while process.poll() is None and reported(target) <= done:
        time.sleep(0.002)


def reported(target: Path) -> int:
    """How many points the manifest says are done."""
    with suppress(FileNotFoundError):
        return int(json.loads(target.with_name(f"{target.name}.manifest").read_text())["done"])
    return POINTS if target.exists() else 0


def remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()


if __name__ == "__main__":
    sys.exit(main())
