"""The screens of the commands: what is asked, and what the command prints."""

import io
import os
import re
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

from advisor.cli import main
from tests.advisor.configurations import ROOT

HERE = Path(__file__).resolve().parent
WIDTHS = (80, 120)
#: Name of each screen and the words of its command.
SCREENS = {
    "advise_at_risk": ("advise", "tests/screens/at_risk.toml"),
    "advise_fits": ("advise", "examples/new_server.toml"),
    "advise_not_known": ("advise", "tests/screens/not_known.toml"),
    "advise_overloaded": ("advise", "examples/order_server_calibrated.toml"),
    "advise_too_slow": ("advise", "examples/proliant2000_as_tested.toml"),
    "agreement": ("agreement",),
    "agreement_system": ("agreement", "notes31"),
    "audit": ("audit", "examples/load_test.csv"),
    "calibrate": ("calibrate", "examples/load_test.csv"),
    "calibrate_models": ("calibrate", "examples/load_test.csv", "--models"),
    "catalogue": ("catalogue",),
    "catalogue_part": ("catalogue", "SATA SSD"),
    "convert": ("convert", "examples/two_tier.toml", "--to", "json"),
    "examples": ("examples",),
    "explain": ("explain", "CPU001"),
    "explain_finding": ("explain", "CPU001", "examples/overloaded.toml"),
    "explain_network": ("explain", "--network", "examples/new_server.toml"),
    "help": ("--help",),
    "import": ("import", "examples/telemetry/k6.csv.gz", "examples/telemetry/prometheus.json"),
    "init": ("init",),
    "predict": ("predict", "examples/new_server.toml"),
    "predict_1995": ("predict", "examples/proliant2000_as_tested.toml", "--users", "1:40:1"),
    "predict_arrivals": ("predict", "examples/mail_server_calibrated.toml"),
    "predict_growth": ("predict", "examples/new_server.toml", "--growth", "3%/month"),
    "predict_calibration": ("predict", "examples/calibrated/load_test.json", "--users", "20,40,80"),
    "rules": ("rules",),
    "budget": ("budget", "examples/nightly_jobs.toml", "--slo", "99 % under 1 s"),
    "predict_percentiles": ("predict", "examples/new_server.toml", "--percentiles", "95,99"),
    "schedule": ("schedule", "examples/nightly_jobs.toml"),
    "simulate": ("simulate", "examples/two_tier.toml", "--events", "20000"),
    "size": ("size", "examples/new_server.toml", "--users", "500", "--vary", "disk.drives"),
    "size_front": (
        "size", "examples/new_server.toml", "--users", "900", "--vary", "server.cpus",
        "--vary", "disk.drives",
    ),
    "solve": ("solve", "examples/two_tier.toml"),
    "solve_percentiles": ("solve", "examples/two_tier.toml", "--percentiles", "50,95"),
    "sweep": ("sweep", "examples/two_tier.toml", "--vary", "population.edit=1:40:1"),
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
    text = re.sub(r"events in [\d.]+ s", "events in 1 s", out.getvalue())  # by the clock
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
