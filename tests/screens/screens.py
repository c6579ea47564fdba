"""The screens of the commands: what is asked, and what the command prints."""

import io
import os
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

from advisor.cli import main
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
    "import": ("import", "examples/telemetry/k6.csv.gz", "examples/telemetry/prometheus.json"),
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
    plain = {"COLUMNS": str(width), "NO_COLOR": "1"}
    before = {name: os.environ.get(name) for name in plain}
    arguments, folder, out = sys.argv, Path.cwd(), io.StringIO()
    os.environ.update(plain)
    os.chdir(ROOT)
    sys.argv = ["qmodel", *words]
    try:
        with redirect_stdout(out), suppress(SystemExit):
            main()
    finally:
        os.chdir(folder)
        sys.argv = arguments
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
