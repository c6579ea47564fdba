"""sysstat's recordings: what sadf 12.6 wrote, and load levels joined with it."""

import json
from pathlib import Path

import pytest

from calibration.recordings.load_levels import with_recording
from calibration.recordings.loading import load_recording
from calibration.recordings.readers.sysstat_json import recording_of
from calibration.recordings.user_table import parse_user_table
from qmodel.errors import FileError
from tests.tables import asked, rows

RECORDED = Path(__file__).parent / "sysstat" / "two_levels.json"


def entry(clock, *, idle=70.0, interval=10, util=20.0, date="2026-01-05", **more):
    disk = {"disk-device": "SDA", "tps": 50.0, "rkB": 100.0, "wkB": 60.0, "util-percent": util}
    ports = (("lo", 999.0, 999.0), ("eth0", 30.0, 20.0), ("eth1", 0.0, 0.0))
    return {
        "timestamp": {"date": date, "time": clock, "utc": 1, "interval": interval},
        "cpu-load": [
            {"cpu": "all", "user": 20.0, "system": 5.0, "iowait": 5.0, "steal": 0.0, "idle": idle},
            {"cpu": "0", "user": 99.0, "iowait": 0.0, "idle": 1.0},
        ],
        "disk": [disk],
        "network": {"net-dev": [{"iface": n, "rxkB": r, "txkB": t} for n, r, t in ports]},
        **more,
    }


def data(*entries, cpus=4):
    return {"sysstat": {"hosts": [{"number-of-cpus": cpus, "statistics": list(entries)}]}}


LEVELS = (
    "start,end,users,throughput [1/s],think_time [s]\n"
    "10:00:00,10:00:30,10,2.0,3\n"
    "2026-01-05 10:00:30,2026-01-05T10:01:00Z,20,3.5,3\n"
)


def recording():
    idles = [80.0, 70.0, 60.0, 30.0, 20.0, 10.0]
    clocks = ["10:00:10", "10:00:20", "10:00:30", "10:00:40", "10:00:50", "10:01:00"]
    return recording_of(data(*(entry(c, idle=i) for c, i in zip(clocks, idles))))


def test_means_over_the_samples_inside_a_level():
    table = with_recording(parse_user_table(LEVELS), recording())
    # Busy is neither idle nor waiting for a disk, which is 5 % throughout.
    assert table.values("utilization", "cpu") == pytest.approx((0.25, 0.75))
    assert table.values("servers", "cpu") == (4.0, 4.0)
    assert table.values("utilization", "sda") == pytest.approx((0.2, 0.2))
    assert table.values("operations", "sda") == pytest.approx((50.0, 50.0))
    assert table.values("volume", "sda") == pytest.approx((160 * 1024.0,) * 2)
    assert table.values("volume", "eth0") == pytest.approx((50 * 1024.0,) * 2)
    assert table.values("population") == (10.0, 20.0)
    stations = {column.of for column in table.columns}
    assert not stations & {"lo", "eth1"}
    zoned = parse_user_table(LEVELS.replace("10:00:00,10:00:30", "00:00:00+14:00,10:00:30Z"))
    assert with_recording(zoned, recording()).readings[0][2:] == table.readings[0][2:]


def test_a_sample_that_begins_before_its_level_does_not_count():
    text = "start,end,users,throughput [1/s]\n10:00:05,10:00:30,10,2.0\n"
    table = with_recording(parse_user_table(text), recording())
    assert table.values("utilization", "cpu") == pytest.approx((0.30,))


def test_longer_samples_count_more():
    text = "start,end,users,throughput [1/s]\n10:00:00,10:00:40,10,2.0\n"
    found = recording_of(
        data(entry("10:00:10", idle=90.0), entry("10:00:40", idle=50.0, interval=30))
    )
    table = with_recording(parse_user_table(text), found)
    assert table.values("utilization", "cpu") == pytest.approx(((0.05 * 10 + 0.45 * 30) / 40,))


def test_over_midnight():
    found = recording_of(
        data(
            entry("23:59:50", idle=90.0),
            entry("00:00:10", idle=60.0, interval=20, date="2026-01-06"),
        )
    )
    text = "start,end,users,throughput [1/s]\n23:59:45,00:00:15,10,2.0\n"
    table = with_recording(parse_user_table(text), found)
    assert table.values("utilization", "cpu") == pytest.approx((0.35,))
    early = parse_user_table(text.replace("23:59:45", "23:59:39"))  # as it is started by hand
    assert with_recording(early, found).values("utilization", "cpu") == pytest.approx((0.25,))


def test_a_device_that_does_nothing_has_no_column():
    found = recording_of(data(*(entry(c, util=0.4) for c in ("10:00:10", "10:00:20"))))
    text = "start,end,users,throughput [1/s]\n10:00:00,10:00:20,10,2.0\n"
    table = with_recording(parse_user_table(text), found)
    assert ("utilization", "sda") not in {(c.quantity, c.of) for c in table.columns}


def test_sectors_of_older_versions():
    old = entry("10:00:10")
    old["disk"] = [{"disk-device": "sda", "tps": 1.0, "rd_sec": 300.0, "wr_sec": 100.0,
                    "util-percent": 10.0}]  # fmt: skip
    found = recording_of(data(old))
    assert {s.name: s.value[0] for s in found.series}["volume:sda"] == 400 * 512.0


def test_what_sadf_itself_wrote():
    """sysstat 12.6.1, a computer of two processors, some samples of a second each."""
    found = load_recording(RECORDED)
    series = {each.name: each.value for each in found.series}
    assert set(series["servers:cpu"]) == {2.0}
    assert len(series["utilization:cpu"]) >= 2
    assert all(0.0 <= value <= 1.0 for value in series["utilization:cpu"])
    assert any(name.startswith("utilization:vd") for name in series)


@pytest.mark.parametrize(("text", "words"), rows(__file__, "bad_levels"))
def test_bad_levels_are_one_line_with_their_place(text, words):
    with pytest.raises(FileError) as caught:
        with_recording(parse_user_table(asked(text, globals()), "LEVELS.csv"), recording())
    assert words in str(caught.value)


def spoilt(**changes):
    found = entry("10:00:10")
    found.update(changes)
    return data(found)


@pytest.mark.parametrize(("content", "words"), rows(__file__, "no_recording"))
def test_a_file_that_is_no_recording_is_one_line(written, content, words):
    path = written("sar.json", json.dumps(asked(content, globals())))
    with pytest.raises(FileError) as caught:
        load_recording(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_blocks_of_a_day_are_of_one_day(tmp_path):  # as sar -u -q -d prints a file
    blocks = {"CPU %user %idle": "all 20.0 80.0", "runq-sz plist-sz ldavg": "1 200 0.1",
              "DEV tps %util": "sda 10.0 10.0"}  # fmt: skip
    text = "Linux 6.1.0 (db1) \t11/29/2026 \t_x86_64_\t(4 CPU)\n"
    for head, cells in blocks.items():
        text += "\n" + "".join(f"{h:02}:00:01 {cells if h else head}\n" for h in range(24))
    (tmp_path / "sar.txt").write_text(text, encoding="utf-8")
    found = {each.name: each.end for each in load_recording(tmp_path / "sar.txt").series}
    assert found["utilization:sda"].tolist() == found["utilization:cpu"].tolist()
