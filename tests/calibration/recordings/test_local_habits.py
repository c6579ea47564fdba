"""Dates, numbers and words as other countries and tools write them: read as meant, or refused."""

from datetime import UTC, datetime

import pytest

from calibration.recordings.importing import import_files
from calibration.recordings.loading import load_recording
from qmodel.errors import FileError
from tests.tables import rows, text_of

BANNER = "Linux 6.1.0 (web1) \t{} \t_x86_64_\t(4 CPU)\n\n"


def at(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def panel(header, *stamps):
    mark = max(",;\t", key=header.count)
    return "\n".join([header, *(f"{stamp}{mark}20{mark}5" for stamp in stamps)]) + "\n"


@pytest.mark.parametrize(("header", "stamps", "begins", "clock"), rows(__file__, "panels"))
def test_times_of_a_panel_are_read_as_meant(tmp_path, header, stamps, begins, clock):
    found = load_recording(at(tmp_path / "panel.csv", panel(header, *stamps)))
    assert {each.name: each.value[0] for each in found.series} == {
        "throughput": 20.0, "population": 5.0}  # fmt: skip
    first = datetime.fromtimestamp(found.series[0].end[0], UTC)
    assert (f"{first:%Y-%m-%d %H:%M:%S}", found.clock) == (begins, clock)
    asked = found.series[0].interval[0] >= 900.0 and not {*"(H"} & {*header.replace("(UTC)", "")}
    assert ("times are the " in str(found.notes)) == asked


@pytest.mark.parametrize(("header", "stamps", "words"), rows(__file__, "no_times"))
def test_times_of_a_panel_that_may_be_others_are_refused(tmp_path, header, stamps, words):
    with pytest.raises(FileError, match=words) as caught:
        load_recording(at(tmp_path / "panel.csv", panel(header, *stamps)))
    assert str(caught.value).count("panel.csv") == 1


@pytest.mark.parametrize(("text", "name", "values"), rows(__file__, "formats"))
def test_numbers_and_words_are_read_as_meant(tmp_path, text, name, values):
    found = load_recording(at(tmp_path / "file", text))
    assert {s.name: s.value for s in found.series}[name].tolist() == pytest.approx(values)


@pytest.mark.parametrize(("date", "mean", "begins", "guessed"), rows(__file__, "sysstat"))
def test_sysstat_in_other_languages(tmp_path, date, mean, begins, guessed):
    lines = "".join(f"14:0{n}:00 all 12,50 87,50\n" for n in (1, 2, 3))
    sar = f"{BANNER.format(date)}14:00:00 CPU %user %idle\n{lines}{mean} all 12,50 87,50\n"
    report = "{} 14:0{}:00\navg-cpu: %user %idle\n 12,50 87,50\n\n"  # which names no mean
    iostat = BANNER.format(date) + "".join(report.format(date, n) for n in range(3))
    for text, guess in zip((sar, iostat), guessed, strict=True):
        found = load_recording(at(tmp_path / "sysstat.txt", text))
        assert ("read as month/day/year" in " ".join(found.notes)) == guess
        busy = {each.name: each for each in found.series}["utilization:cpu"]
        assert set(busy.value) == {0.125}
        if text == sar:
            assert f"{datetime.fromtimestamp(busy.end[0], UTC):%Y-%m-%d}" == begins


@pytest.mark.parametrize(("path", "name", "value", "meant"), rows(__file__, "counters"))
def test_counters_of_windows_in_other_languages(tmp_path, path, name, value, meant):
    head = f'"(PDH-CSV 4.0) (Paris)(-60)","\\\\WEB1\\{path}"\n'
    lines = "".join(f'"11/30/2026 14:00:{s:02}.125","{value}"\n' for s in (0, 15, 30))
    found = load_recording(at(tmp_path / "log.csv", head + lines))
    assert {s.name: s.value[0] for s in found.series} == {name: pytest.approx(meant)}


@pytest.mark.parametrize(("text", "words"), rows(__file__, "unread"))
def test_what_is_not_read_says_what_is(tmp_path, text, words):
    with pytest.raises(FileError, match=words) as caught:
        import_files([str(at(tmp_path / "file", text))])
    assert "\n" not in str(caught.value)


def test_files_without_a_zone_are_said_to_have_one_clock(tmp_path):
    times = [f"2026-11-30 14:0{n // 6}:{n % 6}0" for n in range(30)]
    one, other = ("\n".join([h, *(f"{t},{v}" for t in times)])
                  for h, v in (("Time,VUs", 5), ("Time,CPU %", 20)))  # fmt: skip
    sar = BANNER.format("2026-11-30") + "14:00:00 CPU %user %idle\n"
    sar += "".join(f"{time[11:]} all 20.0 80.0\n" for time in times[1:])
    paths = [str(at(tmp_path / "vus.csv", one)), str(at(tmp_path / "sar.txt", sar))]
    assert "times name no zone" in " ".join(import_files(paths).notes)
    paths[0] = str(at(tmp_path / "vus.csv", other.replace("Time,", "Time (UTC),")))
    with pytest.raises(FileError, match=text_of(__file__, "other_clock")):
        import_files(paths)
