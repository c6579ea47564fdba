"""What files hold several times is counted once, and whose clocks are set back go on."""

import pytest

from calibration.recordings.counters import Metrics
from calibration.recordings.loading import load_recording
from calibration.recordings.metric_names import recording_of
from tests.tables import rows

BANNER = "Linux 6.1.0 (db1) \t{} \t_x86_64_\t(4 CPU)\n\n"
COLUMNS = {"DEV": "tps %util", "IFACE": "rxkB/s txkB/s"}


def read(tmp_path, text):
    (tmp_path / "file").write_text(text, encoding="utf-8")
    return load_recording(tmp_path / "file")


@pytest.mark.parametrize(("key", "names", "stations"), rows(__file__, "devices"))
def test_a_device_that_passes_on_is_no_station(tmp_path, key, names, stations):
    text = BANNER.format("11/29/2026") + f"10:00:00 {key} {COLUMNS[key]}\n"
    text += "".join(f"10:0{n}:00 {name} 10.0 10.0\n" for n in (1, 2) for name in names.split())
    found = {each.of for each in read(tmp_path, text).series}
    assert found == set(stations.split())


@pytest.mark.parametrize(("samples", "requests"), rows(__file__, "jmeter"))
def test_requests_of_jmeter_are_counted_once(tmp_path, samples, requests):
    text = "timeStamp,elapsed,label,responseMessage,threadName,success\n"
    for name, thread, begin, took in map(str.split, samples.split(", ")):
        label, is_sum, count = name.partition("+")
        said = f'"Number of samples in transaction : {count or 2}, x"' if is_sum else "OK"
        stamp = 1795471200000 + int(begin)
        text += f"{stamp},{took},{label},{said},{thread.strip('-')},true\n"
    found = {each.of: each.value.sum() for each in read(tmp_path, text).series
             if each.quantity == "throughput"}  # fmt: skip
    wanted = requests.split()
    assert found.pop("") == len(wanted)
    assert found == ({each: wanted.count(each) for each in wanted} if found else {})


@pytest.mark.parametrize(("stamps", "minutes"), rows(__file__, "clocks"))
def test_clocks_that_are_set_back_go_on(tmp_path, stamps, minutes):
    head = "00:00:00 CPU %user %idle\n"
    first, *others = stamps.split()
    text = (
        BANNER.format("2026-10-25") + head.replace("00:00:00", "01:00:00") + f"{first} all 1 99\n"
    )
    again = BANNER.format("2026-10-26") + head
    text += "".join(again if e == "banner" else f"{e} all 1 99\n" for e in others)
    end = {each.name: each.end for each in read(tmp_path, text).series}["utilization:cpu"]
    assert ((end - end[0]) / 60.0).tolist() == minutes


@pytest.mark.parametrize(("text", "name", "values"), rows(__file__, "formats"))
def test_a_format_is_read(tmp_path, text, name, values):
    found = read(tmp_path, text)
    found = recording_of(found) if isinstance(found, Metrics) else found
    assert {each.name: each.value for each in found.series}[name].tolist() == values


def test_transactions_that_failed_are_left_out(tmp_path):
    log = "".join(f"0 {i} {'failed' if i % 2 else 9} 0 {1795472200 + i} 5\n" for i in range(9))
    assert "4 transactions failed or were skipped" in read(tmp_path, log).notes[0]
