"""``qmodel schedule``: its reports, its files, its exit codes."""

import json
import re

import pytest

from tests.advisor.configurations import QUIET, batch, varied
from tests.tables import asked, rows

EXAMPLE = "examples/nightly_jobs.toml"
NIGHT = ["22:00", "06:00"]


def written(tmp_path, *jobs, **tables):
    path = tmp_path / "server.json"
    data = varied(QUIET, batch=list(jobs), **tables)
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path


def job(name="backup", window=NIGHT, **keys):
    return batch(name, window, **{"cpu": "1 s", "duration": "2 h", **keys})


def test_the_report_shows_tasks_hours_and_how_good_it_is(run):
    outcome = run("schedule", EXAMPLE, "--slot", "60", "--hours")
    assert (outcome.code, outcome.err) == (0, "")
    said = r"Orders: worst hour, mean over requests: .* \(09:00\) -> .* \(\d\d:\d\d\), -"
    assert re.match(said, " ".join(outcome.out.split()))
    for words in ("invoices", "log shipping", "fixed", "no timetable has a better worst slot"):
        assert words in outcome.out
    hours = re.findall(r"^([0-2]\d:00) +\d+ ", outcome.out, re.MULTILINE)
    assert hours == [f"{h:02d}:00" for h in range(24)]


def test_lines_for_cron(run, tmp_path):
    sneaky = job("sneaky name", command="echo a\n* * * * * echo b")
    backup = job(command="/usr/bin/backup --to %Y")
    path = written(tmp_path, backup, sneaky, job("no command", ["23:30", "01:30"]))
    file = tmp_path / "night.cron"
    arguments = ("--crontab", file)
    outcome = run("schedule", path, *arguments)
    assert (outcome.code, outcome.err.count("wrote ")) == (0, 1)
    first = file.read_bytes()
    lines = first.decode().splitlines()
    jobs = [line for line in lines if not line.startswith("#")]
    assert len(jobs) == 2
    for line in jobs:
        assert re.fullmatch(r"\d+ \d+ \* \* \* \S.*", line)
    assert any(line.endswith(r"/usr/bin/backup --to \%Y") for line in jobs)
    assert "# 30 23 * * * (no command given)" in lines

    assert run("schedule", path, *arguments).code == 2
    assert run("schedule", path, *arguments, "--force").code == 0
    assert file.read_bytes() == first


def test_requests_that_conflict_exit_with_3_and_are_named(run, tmp_path):
    early = ["22:00", "00:00"]
    jobs = job(), job("report", early, after=["backup"]), job("index", early)
    outcome = run("schedule", path := written(tmp_path, *jobs))
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (3, "", 1)
    assert "backup (2 h) within 22:00-06:00" in outcome.err
    assert "report (2 h) within 22:00-00:00" in outcome.err
    assert "report after backup" in outcome.err
    assert "index" not in outcome.err
    data = json.loads(run("schedule", path, "--json").out)
    assert len(data["conflict"]) == 3


@pytest.mark.parametrize(
    ("jobs", "workload", "place", "said"), rows(__file__, "bad_configurations")
)
def test_bad_configurations_are_one_line(run, tmp_path, jobs, workload, place, said):
    jobs = [{k: v for k, v in each.items() if v is not None} for each in asked(jobs, globals())]
    outcome = run("schedule", written(tmp_path, *jobs, workload=workload))
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert place in outcome.err
    assert said in outcome.err


def test_odd_profiles_are_doubted(run, tmp_path):
    profile = {"00:00": "100 %", "08:00": "50 %", "18:00": "10 %"}
    workload = {"profile": profile, "off_peak_share": 0.2}
    outcome = run("schedule", written(tmp_path, job(), workload=workload), "--slot", "60")
    assert outcome.code == 0
    assert "off_peak_share: has no effect with profile" in outcome.err
    assert "more users at some other time than at the peak" in outcome.err
