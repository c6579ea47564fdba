"""Monitors of Windows, and columns that say what is idle or how many processors are busy."""

import pytest

from calibration.recordings.counters import Metrics
from calibration.recordings.importing import import_files
from calibration.recordings.loading import load_recording
from calibration.recordings.metric_names import recording_of
from qmodel.errors import FileError
from tests.tables import asked, rows

HOST = "\\\\DB01\\"
PATHS = [r"Processor(_Total)\% Processor Time", r"Processor Information(_Total)\% Processor Time",
         r"Processor(0)\% Processor Time", r"Processor(1)\% Processor Time",
         r"PhysicalDisk(0 C:)\% Disk Time", r"PhysicalDisk(0 C:)\% Idle Time",
         r"PhysicalDisk(_Total)\Disk Transfers/sec", r"PhysicalDisk(0 C:)\Disk Transfers/sec",
         r"SQLServer:SQL Statistics\Batch Requests/sec",
         r"PhysicalDisk(0 C:)\Disk Bytes/sec"]  # fmt: skip
VALUES = "25.5", "26.0", "20", "31", "180.0", "90.0", "41", "40", "12,5", "-1"


def log(zone, end="", mark=","):
    rows = [[f"(PDH-{'TSV' if mark == chr(9) else 'CSV'} 4.0){zone}", *(HOST + p for p in PATHS)]]
    rows += [[f"11/29/2026 10:00:{s:02}.125", *(VALUES if s else (" ",) * len(VALUES))]
             for s in range(0, 60, 15)]  # fmt: skip
    return "\n" + "\n".join(mark.join(f'"{cell}"' for cell in row) for row in rows) + "\n" + end


@pytest.mark.parametrize(
    ("zone", "begins", "clock"), rows(__file__, "a_log_of_performance_monitor")
)
def test_a_log_of_performance_monitor(tmp_path, zone, begins, clock):
    for mark, end in ((",", "Exiting, please wait...\n"), ("\t", "")):
        (tmp_path / "log.csv").write_text(log(zone, end, mark), encoding="utf-8")
        found = load_recording(tmp_path / "log.csv")
        assert found.clock == clock
        assert {s.name: float(s.value.mean()) for s in found.series} == pytest.approx(
            {"utilization:cpu": 0.255, "servers:cpu": 2.0, "utilization:disk-0-c": 0.1,
             "operations:disk-0-c": 40.0, "throughput": 12.5})  # fmt: skip
        assert found.series[0].end[-1] % 86400 == pytest.approx(begins * 3600 + 45.125)
    (tmp_path / "log.csv").write_text(log(zone)[:-20], encoding="utf-8")
    with pytest.raises(FileError, match="8 cells, expected 11; is the file cut off"):
        load_recording(tmp_path / "log.csv")


def test_windows_exporter():
    metrics, times = Metrics("Prometheus", "windows.json"), [0.0, 15.0, 30.0]
    for core in ("0,0", "0,1"):
        metrics.add("windows_cpu_time_total", {"core": core, "mode": "idle"}, times, [0, 12, 24])
    metrics.add("windows_logical_disk_idle_seconds_total", {"volume": "C:"}, times, [0, 13.5, 27])
    metrics.add("windows_logical_disk_reads_total", {"volume": "C:"}, times, [0, 150, 300])
    said = {s.name: float(s.value.mean()) for s in recording_of(metrics).series}
    assert said == pytest.approx({"utilization:cpu": 0.2, "servers:cpu": 2.0,
                                  "utilization:c": 0.1, "operations:c": 10.0})  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "busy"), [("CPU idle %", 75), ("CPU cores used", 1), ("CPU millicores", 1000)]
)
def test_columns_with_times_mean_what_they_say(tmp_path, heading, busy):
    for cores in (",Cores", ""):
        rows = [f"Time,{heading},RPS,VUs{cores}"]
        rows += [f"2026-11-29 10:0{i // 4}:{i % 4 * 15:02},{busy},20,5{',4' if cores else ''}"
                 for i in range(16)]  # fmt: skip
        (path := tmp_path / "panel.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        if cores or "%" in heading:
            assert import_files([str(path)]).table.values("utilization", "cpu") == (0.25,)
            continue
        with pytest.raises(FileError, match="counts busy servers; add servers:cpu"):
            import_files([str(path)])


@pytest.mark.parametrize(("header", "cells", "wanted"), rows(__file__, "numbers_in_a_panel"))
def test_numbers_in_a_panel(tmp_path, header, cells, wanted):
    rows = [header, *(f"2026-11-29 10:00:{s:02}{header[4]}{cells}" for s in range(0, 60, 5))]
    rows += [rows[-1].replace("2026-11-29 10:00:55", "Average")]
    (path := tmp_path / "panel.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    said = {s.name: float(s.value.mean()) for s in load_recording(path).series}
    assert (said["throughput"], said["population"]) == pytest.approx(asked(wanted, globals()))


@pytest.mark.parametrize(
    ("header", "cells", "problem"), rows(__file__, "what_a_panel_does_not_tell_is_asked")
)
def test_what_a_panel_does_not_tell_is_asked(tmp_path, header, cells, problem):
    rows = [header, *(f"2026-11-29 10:00:{s:02}{header[4]}{cells}" for s in range(0, 60, 5))]
    (path := tmp_path / "panel.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(FileError, match=problem):
        load_recording(path)
