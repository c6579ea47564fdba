"""Servers of today under load: recorded here, to be calibrated at low load and predicted.

    python -m scripts.live [SYSTEM ...] [--brief] [--folder FOLDER] [--again]

Starts each server on the first cores of this machine, lets closed clients on the last one think
and ask at nine levels up to saturation and beyond, five times each, then after a change, and
writes what clients and kernel counted into FOLDER (build/live). A recording that was stopped goes
on where it was. All systems take about a hundred minutes; nothing else should run meanwhile: what
is disturbed is repeated. ``python -m scripts.live.ship FOLDER`` makes tables of it.

Exit code 0 if all were recorded, 2 if one could not be.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path

from scripts.live.plan import BRIEF, Plan
from scripts.live.programs import CannotRecordError
from scripts.live.record import Files, check, record
from scripts.live.system import SYSTEMS, load_live_system


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.live", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--brief", action="store_true", help="short runs: shows that it works")
    parser.add_argument("--folder", type=Path, default=Path("build/live"), help="kept there")
    parser.add_argument("--again", action="store_true", help="forget what was recorded before")
    asked = parser.parse_args(arguments)
    names = list(asked.systems or SYSTEMS)
    if wrong := [name for name in names if name not in SYSTEMS]:
        parser.error(f"no system {wrong[0]}; there are {', '.join(SYSTEMS)}")
    plan = BRIEF if asked.brief else Plan()
    folder = asked.folder / "brief" if asked.brief else asked.folder
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C, cleaned up
    try:
        check(names, [load_live_system(name) for name in names])
        return _all(names, folder, plan, again=asked.again)
    except CannotRecordError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the servers are gone, and what was recorded is kept", file=sys.stderr)
        return 130


def _all(names: list[str], folder: Path, plan: Plan, *, again: bool) -> int:
    failed = 0
    for done, name in enumerate(names):
        system, files = load_live_system(name), Files(folder, name)
        if again:
            files.card.unlink(missing_ok=True)
            files.runs.unlink(missing_ok=True)
        left = chain(*(Files(folder, n).left(plan, load_live_system(n)) for n in names[done:]))
        minutes = (plan.duration(tuple(left)) + 30.0 * (len(names) - done)) / 60.0
        print(f"{name}: {system.title} ({minutes:.0f} minutes left in all)", flush=True)
        begun = time.monotonic()
        try:
            record(system, files, plan, lambda text: print(text, flush=True))
        except (CannotRecordError, OSError, subprocess.SubprocessError) as error:
            print(f"{name}: {error}; the others go on", file=sys.stderr, flush=True)
            failed += 1
            continue
        print(f"  recorded in {time.monotonic() - begun:.0f} s", flush=True)
    print(f"kept in {folder}; python -m scripts.live.ship {folder} makes tables of it")
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
