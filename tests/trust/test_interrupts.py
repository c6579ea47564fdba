"""Ctrl-C: what is done stays, the command says how far it was, and ends with code 130.

Each command runs in a fork of this process, which sends itself the signal at a certain step: what
Ctrl-C does, without a race.
"""

import csv
import importlib
import json
import signal
import sys

import pytest

from calibration.fitting.saved import load_calibration
from qmodel.analysis.sweep import tasks
from tests.advisor.configurations import EXAMPLES
from tests.calibration.synthetic import model, runs, table

if sys.platform == "win32":
    pytest.skip("Windows has no such signals", allow_module_level=True)

from tests.fuzz.__main__ import preload
from tests.fuzz.forked import command, forked

PROGRESS = "advisor.cli.output:Progress.__call__"
NEW = str(EXAMPLES / "new_server.toml")
NIGHT = str(EXAMPLES / "nightly_jobs.toml")
SMALL = table(model(), runs((1, 4, 12)), seed=7, digits=5)


@pytest.fixture(scope="module")
def loaded():
    preload()


@pytest.fixture
def stopped(loaded, tmp_path_factory):  # noqa: ARG001, what is loaded is not loaded by each fork
    """Run a command that is interrupted when a function of some module is called the nth time."""

    def stopped(words, step=PROGRESS, nth=1, way=signal.SIGINT):
        path, _, name = step.rpartition(".")
        module, _, kind = path.partition(":")
        holder = importlib.import_module(module)
        holder = getattr(holder, kind) if kind else holder
        right, calls = getattr(holder, name), []

        def stop(*given, **named):
            calls.append(given)
            found = right(*given, **named)
            if len(calls) == nth:
                signal.raise_signal(way)
            return found

        def run():
            signal.signal(signal.SIGINT, signal.default_int_handler)
            setattr(holder, name, stop)
            return command([str(word) for word in words])

        found = forked(run, tmp_path_factory.mktemp("stopped"))
        assert found.code == (130 if way == signal.SIGINT else -way), found.err
        assert "Traceback" not in found.err
        return found

    return stopped


@pytest.fixture
def measured(written):
    return written("TABLE.csv", SMALL)


def test_size_prints_the_cheapest_so_far(stopped):
    found = stopped(("size", NEW, "--vary", "server.cpus"))
    assert "cheapest found so far" in found.out
    assert found.err.startswith("stopped after ")
    assert "candidates: something cheaper may exist; the same command starts over" in found.err


def test_size_stopped_while_nothing_is_good_enough_does_not_say_that_nothing_is(stopped):
    found = stopped(("size", NEW, "--response", "1ms", "--vary", "server.cpus"))
    assert "no candidate tried so far meets the targets" in found.out


def test_size_stopped_before_the_first_candidate(stopped):
    found = stopped(("size", NEW, "--vary", "server.cpus"), "advisor.sizing.search._telling")
    assert found.out == ""
    assert found.err == "stopped before a candidate was tried; the same command starts over\n"


def test_schedule_keeps_the_best_timetable(stopped, tmp_path):
    cron = tmp_path / "a.tab"
    words = ("schedule", NIGHT, "--slot", "60", "--crontab", cron)
    found = stopped(words, "advisor.cli.schedule:_Search.__call__")
    assert "worst slot" in found.out
    assert found.err.endswith(
        "stopped; this is the best timetable so far; the same command starts over\n"
    )
    assert cron.read_text(encoding="utf-8")


def test_schedule_stopped_before_there_is_a_timetable(stopped):
    found = stopped(("schedule", NIGHT, "--slot", "60"), "advisor.scheduling.schedule.search")
    assert found.out == ""
    assert found.err.startswith("stopped before there was a timetable; the same command")


def test_a_profile_that_is_stopped_leaves_the_calibration_and_the_intervals_so_far(
    stopped, measured, tmp_path
):
    kept = tmp_path / "k.json"
    words = ("calibrate", measured, "--profile", "-o", kept, "--json")
    found = stopped(words, "calibration.fitting.profile._end", 3)
    told = json.loads(found.out)
    assert len(told["profiles"]) == 1 < len(told["parameters"])
    count = len(told["parameters"])
    assert f"stopped after 1 of {count} intervals; the same command with --force" in found.err
    assert load_calibration(kept).best.name == told["best"]


def test_a_calibration_that_is_stopped_is_none(stopped, measured, tmp_path):
    kept = tmp_path / "k.json"
    found = stopped(("calibrate", measured, "-o", kept), nth=2)
    assert found.out == ""
    assert found.err.startswith("stopped after 1 of ")
    assert not kept.exists()


def test_a_sweep_without_a_file_says_what_would_have_kept_it(stopped):
    words = ("sweep", EXAMPLES / "two_tier.toml", "--vary", "population.edit=1:3")
    found = stopped(words, PROGRESS)
    assert found.out == ""
    assert "points; --to FILE would keep them" in found.err


def test_a_sweep_that_is_killed_and_one_that_is_stopped_go_on(run, stopped, tmp_path, monkeypatch):
    """Killed, begun again and interrupted, and at last let go on to its end."""
    monkeypatch.setattr(tasks, "NUMBERS", 400)  # so that it takes some chunks
    target = tmp_path / "a.csv"
    grid = ("--vary", "population.edit=1:50", "--vary", "think_time.edit=10s:29s:1s")
    words = ("sweep", EXAMPLES / "two_tier.toml", *grid, "--to", target)
    stopped(words, PROGRESS, 3, signal.SIGKILL)
    before = json.loads((tmp_path / "a.csv.manifest").read_text(encoding="utf-8"))["done"]
    said = stopped(words, PROGRESS, 3).err
    done = json.loads((tmp_path / "a.csv.manifest").read_text(encoding="utf-8"))["done"]
    assert 0 < before < done < 1000
    assert said == f"stopped after {done} of 1000 points; the same command goes on from there\n"
    assert not target.exists()
    assert json.loads(run(*words, "--json").out)["resumed"] == done
    with target.open() as file:
        rows = [
            (float(row["think_time.edit"]), row["population.edit"]) for row in csv.DictReader(file)
        ]
    assert sorted(rows) == sorted((10.0 + i, str(n)) for i in range(20) for n in range(1, 51))


def test_any_other_command_just_ends(stopped):
    found = stopped(("solve", EXAMPLES / "two_tier.toml"), "qmodel.solvers.solve.check")
    assert found.out == ""


def test_a_command_that_has_hardly_begun_ends_without_a_traceback(stopped):
    found = stopped(("advise", NEW), "advisor.cli.output:Pipe.__init__")
    assert (found.out, found.err) == ("", "")
