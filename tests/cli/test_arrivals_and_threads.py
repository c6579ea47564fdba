"""Arrivals, hardware threads, quotas and drives of today: what fits fits, in every command."""

import json

import pytest

from tests.tables import text_of

SERVER = '[server]\n{}\n[workload]\n{}\n[[workload.class]]\nname = "job"\ncpu = "{} ms"\n{}'
TWO = 'share = 0.5\n[[workload.class]]\nname = "b"\ncpu = "44 ms"\nshare = 0.5\n'
DAY = text_of(__file__, "day")
JOB = '[[batch]]\nname = "j"\ncpu = "30 s"\nwindow = ["08:00", "20:00"]\nduration = "2 h"\n'


@pytest.fixture
def asked(run, tmp_path):
    """What a command says of a server, as JSON where it has it."""

    def asked(command, *parts, more=("--json",)):
        (tmp_path / "a.toml").write_text(SERVER.format(*parts), encoding="utf-8")
        outcome = run(command, tmp_path / "a.toml", *more)
        assert outcome.code == 0, outcome.err
        return json.loads(outcome.out) if "--json" in more else outcome.out

    return asked


def test_a_rate_that_fits_keeps_its_percentile_and_a_little_more_does_not(asked):
    target = '[targets]\nresponse_time = { p99 = "550 ms" }'
    most = asked("advise", "cores = 4", 'arrival_rate = "130 /s"', 18, target)["verdict"]
    rates = most["rate_that_fits"]
    for rate, state in ((0.99 * rates["low"], "FITS"), (1.004 * rates["mid"], "TOO SLOW")):
        load = f'arrival_rate = "{rate} /s"'
        assert asked("advise", "cores = 4", load, 18, target)["verdict"]["state"] == state


def test_as_many_fit_whatever_is_configured(asked):
    target = '[targets]\nresponse_time = "36 ms"\nutilization = "90 %"'
    for users in (4586, 5990):
        load = f'users = {users}\nthink_time = "20 s"'
        found = asked("advise", "cores = 4", load, 12, target)["verdict"]
        assert int(found["users_that_fit"]["mid"]) == 6010


def test_an_overload_by_arrivals_has_a_report_and_a_day(asked):
    load = ("cores = 2", 'arrival_rate = "130 /s"', 18, '[targets]\nresponse_time = "1 s"')
    assert "OVERLOADED" in asked("report", *load, more=("-o", "-"))
    day = ("cores = 4", 'arrival_rate = "100 /s"\n' + DAY, 20, JOB)
    hours = asked("schedule", *day, more=("--hours",))
    assert "08:00-20:00" in hours or "18:00" in hours
    assert "10 %" in hours


def test_hardware_threads_keep_their_capacity_beside_many_classes(asked):
    load = 'users = 360\nthink_time = "4 s"'
    busy = [asked("advise", "cores = 4\nhyper_threads = true", load, 44, more_classes)["now"]
            ["metrics"]["utilization:cpu"]["mid"] for more_classes in ("", TWO)]  # fmt: skip
    assert busy[1] == pytest.approx(busy[0], rel=0.01)


def test_behind_a_quota_the_quota_is_raised(asked):
    load, target = 'users = 300\nthink_time = "2 s"', '[targets]\nresponse_time = "60 ms"'
    plan = asked("advise", "cores = 16\ncpu_quota = 2.5", load, 18, target)["plan"]
    assert [each["settings"][0]["key"] for each in plan["steps"]] == ["server.cpu_quota"]


def test_a_drive_that_serves_side_by_side_is_calibrated(run, tmp_path):
    rows = ["users,think_time [s],throughput [1/s],response_time [ms],cpu [%],servers:cpu,disk [%]",
            "17,0.5,33.26,18.11,2.48,8,33.64", "41,0.5,79.53,18.04,5.95,8,61.90",
            "69,0.5,133.35,18.02,10.05,8,80.47", "97,0.5,187.72,18.00,14.07,8,89.53",
            "117,0.5,226.71,17.97,17.02,8,93.38", "138,0.5,264.82,18.00,19.76,8,96.14"]  # fmt: skip
    (tmp_path / "nvme.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    said = run("calibrate", tmp_path / "nvme.csv")
    assert said.code == 0, said.err
    assert "parallel service at disk" in said.out
    assert "how many it can was not measured" in " ".join(said.out.split())
