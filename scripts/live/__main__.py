"""A live system: PostgreSQL under pgbench, calibrated at low load, predicted at four times it.

    python -m scripts.live [--brief] [--hog] [--anyway] [--keep FOLDER]

Starts a PostgreSQL server of its own on a local socket in a temporary folder, loads it with
pgbench clients who think between queries, records sysstat, fits models to the low loads and holds
their predictions against runs with up to four times as many clients. With --hog another process
holds one core meanwhile, and the models are asked whether they notice. Takes about
ten minutes and stops by itself; needs the packages postgresql and sysstat and a machine that is
otherwise quiet: a run that something else disturbed is repeated.

Exit code 0 if the predictions keep what they promise, 1 if not, 2 if nothing could be recorded.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

from calibration.estimation.fit import NotCalibratable
from scripts.live.levels import table_text
from scripts.live.outcome import background, calibrated, kept, told
from scripts.live.plan import Plan
from scripts.live.programs import CannotRecordError
from scripts.live.record import Recorded, record


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.live", description=__doc__)
    parser.add_argument("--brief", action="store_true", help="short runs: shows that it works")
    parser.add_argument("--hog", action="store_true", help="while another process holds one core")
    parser.add_argument("--anyway", action="store_true", help="even if the machine is not quiet")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep levels and recording")
    asked = parser.parse_args(arguments)
    plan = Plan(rounds=2, seconds=12) if asked.brief else Plan()
    plan = plan.beside_a_hog() if asked.hog else plan
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C, cleaned up
    try:
        recorded = record(plan, lambda text: print(text, flush=True), anyway=asked.anyway)
        if asked.keep:
            keep(recorded, asked.keep)
        found = calibrated(plan, recorded, anyway=asked.hog)
    except (CannotRecordError, NotCalibratable) as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the server and the recording are gone", file=sys.stderr)
        return 130
    for run in recorded.runs:
        print(
            f"{run.run.name}: thought {run.thinking * 1e3:.1f} ms on average; other "
            f"processes took {run.others:.1%} of the processors, a hypervisor {run.stolen:.1%}"
        )
    print(*told(plan, recorded, found), sep="\n")
    for name, value, error, admissible in background(found):
        print(f"{name}: {value:.3f} +- {error:.3f}{'' if admissible else ' (not admissible)'}")
    return 0 if kept(plan, recorded, found) else 1


def keep(recorded: Recorded, folder: Path) -> None:
    """Write the levels, the recording, and what is known of each run beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "levels.csv").write_text(table_text(recorded.levels), encoding="utf-8")
    (folder / "runs.json").write_text(
        json.dumps([each.summary for each in recorded.runs], indent=1) + "\n", encoding="utf-8"
    )
    (folder / "recording.json").write_text(
        json.dumps(recorded.monitor, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
