"""Your own server, from what sysstat recorded to advice: two commands, a configuration, a third.

The files in examples/recorded are of the server of the table postgresql_live: monitor.json
is what `sadf -j FILE -- -u` wrote, levels.csv all runs of four to ten clients with start, end,
clients and what the load generator saw. What was measured at twice and four times that load stands
beside the prediction; nothing here was fitted to it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from calibration import load_table

ROOT = Path(__file__).resolve().parent.parent
RECORDED = ROOT / "examples" / "recorded"

CONFIGURATION = """\
title = "PostgreSQL on two processors"

[server]
cpus = 2

[disk]                      # the queries read memory alone, so drives stay idle
drive = "SATA SSD"
raid = "raid0"
drives = 1
stripe = "64 KB"

[lan]                       # nor did anything cross a network: clients on a local socket
rate = "1 Gb/s"

[workload]
calibration = "server.json"
users = 48

[[workload.class]]
name = "users"

[targets]
response_time = "100 ms"
utilization = "80 %"
"""


def run(folder: Path, *arguments: str) -> None:
    """Print a command and what it says."""
    print(f"$ qmodel {' '.join(arguments)}", flush=True)
    plain = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "110"}
    done = subprocess.run(  # noqa: S603 - the commands stand below
        [sys.executable, "-m", "advisor.cli", *arguments],
        cwd=folder, env=plain, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    print(done.stdout + done.stderr)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    for file in ("levels.csv", "monitor.json"):
        shutil.copy(RECORDED / file, folder)
    run(folder, "calibrate", "levels.csv", "monitor.json", "--noise", "repeats",
        "-o", "server.json")  # fmt: skip
    run(folder, "predict", "server.json", "--users", "20,40")
    print("measured then, and never shown to the fit:")
    measured = load_table("postgresql_live/levels")
    for row in measured.rows:
        if measured.cell(row, "users").value not in (20.0, 40.0):
            continue
        rate, time, busy = (
            measured.cell(row, column).text for column in ("throughput", "response_time", "cpu")
        )
        print(f"  {row}: {rate} queries/s, {time} ms, processors {busy} % busy")
    print()
    (folder / "server.toml").write_text(CONFIGURATION, encoding="utf-8")
    run(folder, "advise", "server.toml")
