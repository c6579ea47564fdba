"""Files of one system together: what says one thing twice is refused, what follows is one."""

import numpy as np
import pytest

from calibration.recordings.importing import import_files
from calibration.recordings.joining import joined
from calibration.recordings.loading import load_recordings
from calibration.recordings.source import opened
from qmodel.errors import FileError, InvalidInput

RPS = ["Time,RPS", *(f"2026-11-23T22:{m:02}:00Z,{10 + 10 * (m // 20)}" for m in range(60))]
CPU = ["Time,CPU %", *(f"2026-11-23T22:{m:02}:00Z,{5 + 5 * (m // 20)}" for m in range(60))]
LOCAL = [line.replace("Z", "").replace("T", " ", 1) if "Z" in line else line for line in CPU]
EARLIER = [line.replace("T22", "T20") for line in CPU]
OTHER = ["Time,CPU %", *(f"2026-11-23T22:{m:02}:30Z,{9 + m % 3}" for m in range(60))]
PODS = ["Time,Pod,RPS", *(f"2026-11-23T22:0{m}:00Z,a,5" for m in range(9))]
PODS.append(PODS[-1].replace("a,5", "b,6"))
VUS = ["metric_name,timestamp,metric_value,name"]
VUS += [f"{n},{1795471200 + s},9,a" for s in range(60) for n in ("vus", "http_req_duration")]
LINE = 'h - - [23/Nov/2026:22:{:02}:{:02} +0000] "GET / HTTP/1.1" 200 9 "-" "M" 0.02{}'

LOG = [LINE.format(m, s, "") for m in range(60) for s in range(0, 60, 5)]


def written(folder, *files):
    for number, lines in enumerate(files):
        (folder / f"{number}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(folder / f"{number}.csv") for number in range(len(files))]


@pytest.mark.parametrize(("files", "said"), [
    ([PODS], "RPS has two values at one time, by Pod; sum or average"),
    ([RPS, CPU, OTHER], '"CPU %" is in .*0.csv, .*1.csv as well, with other values'),
    ([RPS, LOCAL], "has times without a .*in UTC; say the zone .*--zone UTC.1, or .* and end"),
    ([LOG, EARLIER], "no time in common; looks like a time zone: 2 h apart; write both in UTC"),
    ([[*CPU, LOCAL[9]]], "some times name a zone and some do not"),
    ([VUS, VUS], "cat both into one, and give start, end and all users of each level in a table"),
])  # fmt: skip
def test_what_cannot_be_one_system_is_one_line(tmp_path, files, said):
    with pytest.raises(FileError, match=said):
        import_files(written(tmp_path, *files))


def test_the_zone_of_recorded_files_may_be_said(tmp_path):
    ahead = [line.replace(" 22:", " 23:") for line in LOCAL]
    for first in (RPS, LOG):  # of one kind, or of two
        found = import_files(written(tmp_path, first, ahead), zone="UTC+1").table
        assert found.words("start")[0][:13] == "2026-11-23 22"
    with pytest.raises(InvalidInput, match=r"--zone Paris: expected UTC\+1"):
        import_files([], zone="Paris")


def test_the_same_samples_twice_are_once_and_a_headings_unit_is_of_its_cells_too(tmp_path):
    assert import_files(written(tmp_path, RPS, CPU, CPU)).table.values("utilization", "cpu")
    some = [line + (",2.44 s" if "Z" in line else ",Response time (ms)") for line in RPS]
    found = import_files(written(tmp_path, some)).table.values("response_time")
    assert found == pytest.approx([2.44] * len(found))


def test_rotated_logs_are_one_and_logs_of_two_servers_are_not(tmp_path):
    every = [(m, s) for m in range(9) for s in range(60) for _ in range(1 + m // 3)]
    lines = [LINE.format(m, s, s % 9) for m, s in every]
    for parts in ([lines], [lines[:505], lines[505:]], [lines[505:], lines[:505]]):
        found = joined(load_recordings([opened(name) for name in written(tmp_path, *parts)]))
        (rate,) = (each for each in found.series if each.name == "throughput")
        assert np.array_equal(rate.value, np.repeat([1.0, 2.0, 3.0], 180))
    with pytest.raises(FileError, match="counts requests at the same times"):
        import_files(written(tmp_path, lines, lines[3:]))


def test_times_of_classes_stand_where_their_rates_do(tmp_path):
    """Four mixes of two classes, and two rare ones together."""
    log = []
    for m in range(40):
        for s in range(60):
            rare = ["c", "d"] if s == 0 else []
            for who in ["a", "b", *"aabaaa"[2 * (m // 10) - 2 : 2 * (m // 10)][: m // 10], *rare]:
                took = {"a": "0.02", "b": "0.05", "c": "0.1", "d": "0.3"}[who]
                log.append(
                    LINE.format(m, s, "").replace("GET /", f"GET /{who}").replace("0.02", took)
                )
    table = import_files(written(tmp_path, log)).table
    times = {c.of: table.values("response_time", c.of) for c in table.columns
             if c.quantity == "response_time"}  # fmt: skip
    assert {of: set(each) for of, each in times.items()} == {
        "/a": {0.02}, "/b": {0.05}, "other": {0.2},
    }  # fmt: skip
    levels = ["start,end,users,throughput [1/s]", "22:00:00,22:10:00,9,2.03"]
    found = import_files(written(tmp_path, levels, log))  # all requests are in it
    assert "start and end are read as UTC; write 10:00+01:00 if they are local" in found.notes
    timed = [c.of for c in found.table.columns if c.quantity in {"throughput", "response_time"}]
    assert timed == ["", ""]


def test_samples_stamped_when_they_begin_are_set_right(tmp_path):
    log = [LINE.format(m, s, 0) for m in range(60) for s in range(60) for _ in range(1 + m // 20)]
    table = import_files(written(tmp_path, log, CPU)).table
    assert table.values("utilization", "cpu") == pytest.approx([0.05, 0.10, 0.15], rel=0.01)
