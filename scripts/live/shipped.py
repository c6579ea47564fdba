"""The tables of calibration/tables/postgresql_live, written from two recordings that were kept.

    python -m scripts.live.shipped ALONE BESIDE

ALONE and BESIDE are folders that ``--keep`` wrote, of a recording without and with another process
that holds one core. Writes levels.csv and beside_a_process.csv and puts their digests into the
cards beside them.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

from calibration.printed_tables.table import TABLES
from calibration.recordings.load_levels import with_recording
from calibration.recordings.loading import load_recording
from calibration.recordings.user_table import load_user_table

TARGET = TABLES / "postgresql_live"
HEADER = "level,users,seconds,think_time,throughput,response_time,cpu,others,stolen"


def rows(folder: Path) -> list[str]:
    """The levels of one recording as rows of a table."""
    table = with_recording(
        load_user_table(folder / "levels.csv"), load_recording(folder / "recording.json")
    )
    runs = json.loads((folder / "runs.json").read_text(encoding="utf-8"))
    runs.sort(key=lambda run: (run["clients"], run["run"]))  # as the levels are
    texts = {
        column.quantity: [row[i] for row in table.texts] for i, column in enumerate(table.columns)
    }
    busy = table.values("utilization", "cpu")
    found = []
    for i, run in enumerate(runs):
        seconds = sum(
            sign * (60 * int(clock[-5:-3]) + int(clock[-2:]))
            for sign, clock in ((-1, texts["start"][i]), (1, texts["end"][i]))
        )
        cells = (
            *(texts[name][i] for name in ("configuration", "population")),
            str(seconds % 3600),
            *(texts[name][i] for name in ("think_time", "throughput", "response_time")),
            f"{(busy[i] or 0.0) * 100.0:.2f}",
            f"{run['others'] * 100.0:.1f}",
            f"{run['stolen'] * 100.0:.1f}",
        )
        found.append(",".join(cells))
    return found


def write(name: str, found: list[str]) -> None:
    """A table and its digest."""
    content = "\n".join([HEADER, *found]) + "\n"
    (TARGET / f"{name}.csv").write_text(content, encoding="utf-8")
    card = TARGET / f"{name}.toml"
    digest = hashlib.sha256(content.encode()).hexdigest()
    text = card.read_text(encoding="utf-8")
    card.write_text(re.sub(r'sha256 = "\w*"', f'sha256 = "{digest}"', text), encoding="utf-8")


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m scripts.live.shipped ALONE BESIDE", file=sys.stderr)
        return 2
    for name, folder in zip(("levels", "beside_a_process"), arguments, strict=True):
        write(name, rows(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
