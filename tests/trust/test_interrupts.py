"""Ctrl-C: what is done stays, the command says how far it was, and ends with code 130.

Each command runs in a process of its own, which sends itself the signal at a certain step: what
Ctrl-C does, without a race.
"""

import json
import sys

import pytest

from calibration.fitting.saved import load_calibration
from tests.advisor.configurations import EXAMPLES
from tests.calibration.synthetic import model, runs, table
from tests.cli.conftest import python

if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)

#: The signal arrives when `step`, a function of some module, is called for the `nth` time.
DRIVER = """
import importlib, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
path, _, name = {step!r}.rpartition(".")
module, _, kind = path.partition(":")
holder = importlib.import_module(module)
holder = getattr(holder, kind) if kind else holder
right, calls = getattr(holder, name), []
def stop(*given, **named):
    calls.append(given)
    found = right(*given, **named)
    if len(calls) == {nth}:
        signal.raise_signal(signal.SIGINT)
    return found
setattr(holder, name, stop)
sys.argv = ["qmodel", *{words!r}]
from advisor.cli import main
main()
"""
PROGRESS = "advisor.cli.progress:Progress.__call__"
NEW = str(EXAMPLES / "new_server.toml")
NIGHT = str(EXAMPLES / "nightly_jobs.toml")
SMALL = table(model(), runs((1, 4, 12)), seed=7, digits=5)


def stopped(words, step=PROGRESS, nth=1):
    found = python("-c", DRIVER.format(step=step, nth=nth, words=[str(w) for w in words]))
    assert found.code == 130, found.err
    assert "Traceback" not in found.err
    return found


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "TABLE.csv"
    path.write_text(SMALL, encoding="utf-8")
    return path


def test_size_prints_the_cheapest_so_far():
    found = stopped(("size", NEW, "--vary", "server.cpus"))
    assert "cheapest found so far" in found.out
    assert found.err.startswith("stopped after ")
    assert "candidates: something cheaper may be there; the same command begins anew" in found.err


def test_size_stopped_while_nothing_is_good_enough_does_not_say_that_nothing_is():
    found = stopped(("size", NEW, "--response", "1ms", "--vary", "server.cpus"))
    assert "no candidate tried so far meets the targets" in found.out


def test_size_stopped_before_the_first_candidate():
    found = stopped(("size", NEW, "--vary", "server.cpus"), "advisor.sizing.search._telling")
    assert found.out == ""
    assert found.err == "stopped before a candidate was tried; the same command begins anew\n"


def test_schedule_keeps_the_best_timetable(tmp_path):
    cron = tmp_path / "a.tab"
    words = ("schedule", NIGHT, "--slot", "60", "--crontab", cron)
    found = stopped(words, "advisor.cli.schedule:_Search.__call__")
    assert "worst slot" in found.out
    assert found.err.endswith(
        "stopped; this is the best timetable until then, the same command begins anew\n"
    )
    assert cron.read_text(encoding="utf-8")


def test_schedule_stopped_before_there_is_a_timetable():
    words = ("schedule", NIGHT, "--slot", "60")
    found = stopped(words, "advisor.scheduling.schedule.search")
    assert found.out == ""
    assert found.err.startswith("stopped before there was a timetable; the same command")


def test_a_profile_that_is_stopped_leaves_the_calibration_and_the_intervals_so_far(
    measured, tmp_path
):
    kept = tmp_path / "k.json"
    words = ("calibrate", measured, "--profile", "-o", kept, "--json")
    found = stopped(words, "calibration.fitting.profile._end", 3)
    told = json.loads(found.out)
    assert len(told["profiles"]) == 1 < len(told["parameters"])
    count = len(told["parameters"])
    assert f"stopped after 1 of {count} intervals; the same command with --force" in found.err
    assert load_calibration(kept).best.name == told["best"]


def test_a_calibration_that_is_stopped_is_none(measured, tmp_path):
    kept = tmp_path / "k.json"
    found = stopped(("calibrate", measured, "-o", kept), nth=2)
    assert found.out == ""
    assert found.err.startswith("stopped after 1 of ")
    assert not kept.exists()


def test_a_sweep_without_a_file_says_what_would_have_kept_it():
    words = ("sweep", EXAMPLES / "two_tier.toml", "--vary", "population.edit=1:3")
    found = stopped(words, "advisor.cli.sweep:_Progress.__call__")
    assert found.out == ""
    assert "points; --to FILE would keep them" in found.err


def test_any_other_command_just_ends():
    found = stopped(("solve", EXAMPLES / "two_tier.toml"), "qmodel.solvers.solve.check")
    assert found.out == ""


def test_a_command_that_has_hardly_begun_ends_without_a_traceback():
    found = stopped(("advise", NEW), "advisor.cli.pipe:Pipe.__init__")
    assert (found.out, found.err) == ("", "")
