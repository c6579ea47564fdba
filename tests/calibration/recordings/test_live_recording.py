"""The parts of a live recording that need no server: script, logs, levels, who was busy."""

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.recordings.user_table import parse_user_table
from scripts.live import clients, processors, programs, record
from scripts.live.clients import ClientRun
from scripts.live.levels import levels, table_text
from scripts.live.plan import MEAN_THINKING, Plan, Run
from scripts.live.processors import busy_now, processor_seconds
from scripts.live.programs import CannotRecordError
from scripts.live.record import quiet_runs

START = datetime(2026, 1, 5, 10, 0, 0, tzinfo=UTC).timestamp()


def monitor(seconds, interval=2):
    """A recording that began at START."""
    return {
        "sysstat": {
            "hosts": [
                {
                    "number-of-cpus": 2,
                    "statistics": [
                        {
                            "timestamp": {
                                "date": "2026-01-05", "utc": 1, "interval": interval,
                                "time": f"{datetime.fromtimestamp(START + end, UTC):%H:%M:%S}",
                            },
                            "cpu-load": [{"cpu": "all", "iowait": 0.0, "idle": 80.0}],
                        }
                        for end in range(interval, seconds + 1, interval)
                    ],
                }
            ]
        }
    }  # fmt: skip


def client_run(begin, end, rate, count=10):
    times = tuple(begin + i / rate for i in range(int((end - begin) * rate) + 1))
    return ClientRun(Run(count, 1), times, 0.005, 0.125, 0.0, 0.0)


def test_a_level_begins_and_ends_with_a_sample_and_counts_what_ended_in_it():
    run = client_run(START + 1.5, START + 41.5, rate=50.0)
    (level,) = levels([run], monitor(60), warm_up=3)
    # After the warm-up comes the sample from 6 s on; the last one ends by 39.5 s.
    assert level.start.timestamp() - level.end.timestamp() == -32.0
    assert f"{level.start:%H:%M:%S}" == "10:00:06"
    assert level.interactions == 32 * 50
    assert level.throughput == 50.0


def test_the_table_is_one_that_calibrate_reads():
    runs = [client_run(START + 60 * i + 1, START + 60 * i + 50, 8.0 * n, n)
            for i, n in enumerate((4, 8))]  # fmt: skip
    table = parse_user_table(table_text(levels(runs, monitor(120), warm_up=3)))
    assert table.values("population") == (4.0, 8.0)
    assert table.values("throughput") == pytest.approx((32.0, 64.0), rel=0.01)
    assert set(table.values("think_time")) == {MEAN_THINKING / 1e6}
    assert table.values("response_time") == (0.005, 0.005)


def test_a_run_that_no_sample_covers():
    with pytest.raises(CannotRecordError, match="no sample lies inside of 10 clients run 1"):
        levels([client_run(START + 300, START + 340, 50.0)], monitor(60), warm_up=3)


def test_what_pgbench_prints_and_logs():
    said = (
        "statement latencies in milliseconds and failures:\n"
        "         0.004           0  \\set think random_exponential(1, 2000000, 16)\n"
        "       125.980           0  \\sleep :think us\n"
        "         6.521           0  SELECT sum(sqrt(n)) FROM generate_series(1, :rows) n;\n"
    )
    assert clients._mean(said, "SELECT") == pytest.approx(0.006521)
    assert clients._mean(said, r"\sleep") == pytest.approx(0.12598)
    with pytest.raises(CannotRecordError, match="did not print how long UPDATE took"):
        clients._mean(said, "UPDATE")
    assert clients._end("3 17 131250 0 1767607200 250000") == 1767607200.25


@pytest.mark.parametrize("kept", [13, 16, 12, 7])
def test_what_was_recorded_twice_is_not_lost(monkeypatch, kept):
    monkeypatch.setattr(record, "PAUSE", 0.0)
    quiet, said, count = client_run(START, START + 9, 50.0), [], 0

    def run(_):
        nonlocal count
        count += 1
        return quiet if count <= kept else replace(quiet, stolen=0.4)

    if kept < 12:
        with pytest.raises(CannotRecordError, match=r"a hypervisor 40\.0%, in each of 6 runs"):
            quiet_runs(Plan(), run, said.append, anyway=False)
    else:
        assert len(quiet_runs(Plan(), run, said.append, anyway=False)) == kept
        assert said[-1].endswith("what was recorded so far is used")


def test_what_is_missing_is_named_with_its_package(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "VERSIONS", str(tmp_path))
    with pytest.raises(CannotRecordError, match="apt-get install coreutils postgresql sysstat"):
        programs.programs()


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="reads Linux's own counters")
def test_the_time_of_a_child_that_ended_is_ones_own():
    loop = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
    before, all_before = processors._with_children(os.getpid()), processor_seconds()
    subprocess.run([sys.executable, "-S", "-c", loop], check=True)
    assert processors._with_children(os.getpid()) - before > 0.45
    total, busy, stolen = (b - a for a, b in zip(all_before, processor_seconds()))
    assert busy > 0.45
    assert busy - total < 1e-6  # both are differences of sums: the last digit is not theirs
    assert stolen >= 0.0
    assert 0.0 <= busy_now(0.1) <= 1.0
