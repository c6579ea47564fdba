"""Tables of recorded systems, as `qmodel calibrate` reads them, with a card beside each.

    python -m scripts.live.ship FOLDER [--into calibration/live]

Writes a CSV file and a TOML card for each system that FOLDER holds: a row a run, fewest users
first, after the change below. The card has the machine, versions, the change, and the noise of a
run as runs of one level differ.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from scripts.live.record import Files
from scripts.live.system import SYSTEMS

TARGET = Path(__file__).parents[2] / "calibration" / "live"

#: Column, what a run says, and its unit in the table.
COLUMNS = (
    ("users", "users", 1.0, 0),
    ("think_time [ms]", "think_time", 1e3, 2),
    ("throughput [1/s]", "throughput", 1.0, 2),
    ("response_time [ms]", "response_time", 1e3, 3),
    ("utilization:cpu [%]", "cpu", 100.0, 2),
)
#: What is kept beside, and no model is fitted to.
BESIDE = (
    *((f"p{p} [ms]", f"p{p}", 1e3, 3) for p in (50, 90, 95, 99)),
    ("ignore:stolen in %", "stolen", 100.0, 2),
    ("ignore:other processes in %", "others", 100.0, 2),
    ("ignore:throttled in %", "throttled", 100.0, 2),
    ("ignore:network in KB/s", "network_bytes", 1e-3, 1),
)
DISK = (
    ("utilization:disk [%]", "disk", 100.0, 2),
    ("operations:disk [1/s]", "disk_operations", 1.0, 1),
)
#: A disk that is less busy than this in the mean has no part in it. [1]
IDLE = 0.02


def table(runs: Sequence[dict[str, Any]], variants: Sequence[dict[str, Any]]) -> str:
    """The runs as a CSV file."""
    disk = DISK if fmean(run["disk"] for run in runs) > IDLE else ()
    columns = (*COLUMNS, *disk, *BESIDE)
    lines = [",".join(["configuration", *(c[0] for c in columns[:5]), "servers:cpu",
                       *(c[0] for c in columns[5:])])]  # fmt: skip
    for run in sorted(runs, key=lambda each: (each["variant"], each["users"], each["round"])):
        cells = [f"{run.get(key, 0.0) * size:.{digits}f}" for _, key, size, digits in columns]
        variant = variants[run["variant"]]
        lines.append(",".join([variant["name"], *cells[:5], str(variant["cores"]), *cells[5:]]))
    return "\n".join(lines) + "\n"


def noise(runs: Sequence[dict[str, Any]], key: str) -> float:
    """Relative standard deviation of a run among those of its level."""
    levels: dict[tuple[int, int], list[float]] = defaultdict(list)
    for run in runs:
        levels[run["variant"], run["users"]].append(run[key])
    squares, freedom = 0.0, 0
    for values in levels.values():
        if middle := fmean(values):
            squares += sum((value / middle - 1.0) ** 2 for value in values)
            freedom += len(values) - 1
    return (squares / freedom) ** 0.5 if freedom else 0.0


def card(known: dict[str, Any], runs: Sequence[dict[str, Any]], at: datetime) -> str:
    """What is to be known of them."""
    lines = [
        f"title = {json.dumps(known['title'])}",
        f"interaction = {json.dumps(known['workload'])}",
        f"software = {json.dumps(known['version'])}",
        f"recorded = {json.dumps(f'{at:%B %Y}')}",
        f"runs = {len(runs)}",
        f"seconds = {fmean(run['seconds'] for run in runs):.1f}",
        f"failed_interactions = {sum(run['errors'] for run in runs)}",
        "",
        "# Limits that an administrator reads off the configuration.",
        "[known]",
        *(f"{json.dumps(name)} = {value}" for name, value in known["known"].items()),
        "",
        "[machine]",
        *(f"{name} = {json.dumps(text)}" for name, text in known["machine"].items()),
        'placed = "server on the first core, clients and monitor on the last"',
        "",
        "# Relative standard deviation of one run.",
        "[noise]",
        *(f"{key} = {noise(runs, key):.4f}" for key in ("throughput", "response_time", "cpu")),
    ]
    for variant in known["variants"]:
        lines += ["", "[[variant]]", f"name = {json.dumps(variant['name'])}"]
        lines += [f"says = {json.dumps(variant['says'])}"]
        if variant["change"]:
            pairs = (f"{json.dumps(name)} = {value}" for name, value in variant["change"].items())
            lines.append(f"change = {{ {', '.join(pairs)} }}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.live.ship", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--into", type=Path, default=TARGET)
    asked = parser.parse_args(arguments)
    asked.into.mkdir(parents=True, exist_ok=True)
    shipped = 0
    for name in SYSTEMS:
        files = Files(asked.folder, name)
        if not files.card.exists() or not files.done():
            print(f"{name}: not recorded", file=sys.stderr)
            continue
        known, runs = json.loads(files.card.read_text(encoding="utf-8")), files.done()
        at = datetime.fromtimestamp(files.runs.stat().st_mtime, UTC)
        (asked.into / f"{name}.csv").write_text(table(runs, known["variants"]), encoding="utf-8")
        (asked.into / f"{name}.toml").write_text(card(known, runs, at), encoding="utf-8")
        shipped += 1
    print(f"{shipped} systems written to {asked.into}")
    return 0 if shipped else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
