"""The screens of the commands: what is asked, and what a process of its own prints."""

import os
import subprocess
import sys
from pathlib import Path

from tests.advisor.configurations import ROOT

HERE = Path(__file__).resolve().parent
WIDTHS = (80, 120)
#: Name of each screen and the words of its command.
SCREENS = {
    "agreement": ("agreement",),
    "agreement_system": ("agreement", "notes31"),
    "calibrate": ("calibrate", "examples/load_test.csv"),
    "calibrate_models": ("calibrate", "examples/load_test.csv", "--models"),
    "catalogue": ("catalogue",),
    "catalogue_part": ("catalogue", "SATA SSD"),
    "predict": ("predict", "examples/new_server.toml"),
    "predict_1995": ("predict", "examples/proliant2000_as_tested.toml", "--users", "1:40:1"),
    "predict_arrivals": ("predict", "examples/mail_server_calibrated.toml"),
    "predict_calibration": ("predict", "examples/calibrated/load_test.json", "--users", "20,40,80"),
    "rules": ("rules",),
    "rules_coverage": ("rules", "--coverage"),
    "schedule": ("schedule", "examples/nightly_jobs.toml"),
    "size": ("size", "examples/new_server.toml", "--users", "500", "--vary", "disk.drives"),
    "size_front": (
        "size", "examples/new_server.toml", "--users", "900", "--vary", "server.cpus",
        "--vary", "disk.drives",
    ),
    "solve": ("solve", "examples/two_tier.toml"),
    "solve_percentiles": ("solve", "examples/two_tier.toml", "--percentiles", "50,95"),
    "sweep": ("sweep", "examples/two_tier.toml", "--vary", "population.edit=1:40:1"),
    "tables": ("tables",),
    "tables_of_one": ("tables", "notes31"),
    "tables_one": ("tables", "notes31/table_4_2"),
    "whatif": ("whatif", "examples/new_server.toml", "--set", "server.cpus=2"),
    "whatif_two": (
        "whatif", "examples/proliant2000_as_tested.toml", "--set", "disk.raid=raid5",
        "--alternative", "faster: server.processor=Pentium/100",
    ),
}  # fmt: skip


def path_of(name, width):
    """Where a screen is kept."""
    return HERE / f"{name}_{width}.txt"


def shown(words, width):
    """What a command prints into a pipe, without spaces at the ends of lines."""
    plain = {**os.environ, "COLUMNS": str(width), "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "advisor.cli", *words],
        cwd=ROOT,
        env=plain,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
