"""What is told of periods and clocks: each planted fault is named, and nothing where none is."""

import json
import re
from datetime import UTC, datetime

import numpy as np
import pytest

from calibration.estimation.fit import NotCalibratable
from calibration.fitting.calibrate import calibrate
from calibration.recordings.importing import import_files
from calibration.recordings.load_kind import kind_of_load, omitted
from calibration.recordings.series import Series
from calibration.recordings.steadiness import drift, standard_error
from tests.calibration.recordings.test_telemetry import HERE, K6, PROMETHEUS
from tests.calibration.recordings.test_windows import BEGIN, cpu, of, prometheus


def correlated(random, count, memory):
    """A first-order autoregression with a standard deviation of 1."""
    value = random.normal(size=count)
    for i in range(1, count):
        value[i] = memory * value[i - 1] + value[i] * (1.0 - memory**2) ** 0.5
    return value


@pytest.mark.parametrize("memory", [0.0, 0.8])
def test_standard_errors_count_correlation(memory):
    random = np.random.default_rng(1)
    runs = [of("throughput", 50.0 + correlated(random, 1024, memory)) for _ in range(60)]
    truth = np.std([each.mean(0.0, 1024.0) for each in runs])
    errors = [standard_error(each, (0.0, 1024.0)) for each in runs]
    assert 0.75 < np.mean(errors) / truth < 1.5
    assert standard_error(runs[0], (0.0, 7.0)) is None


def test_drifts_of_noise_are_rare_and_of_a_backlog_certain():
    random = np.random.default_rng(2)
    noise = [0.1 * np.exp(0.5 * correlated(random, 300, 0.8)) for _ in range(100)]
    assert sum(drift(of("response_time", each), (0.0, 300.0)) is not None for each in noise) <= 3
    rising = of("response_time", noise[0] + np.linspace(0.1, 1.0, 300))
    assert drift(rising, (0.0, 300.0)) == pytest.approx((0.2, 1.1), abs=0.1)


def shifted(path, seconds, tmp_path):
    """What Prometheus answered, with its clock off."""
    content = json.loads(path.read_text())
    for each in content["data"]["result"]:
        each["values"] = [[at + seconds, value] for at, value in each["values"]]
    (tmp_path / "shifted.json").write_text(json.dumps(content))
    return str(tmp_path / "shifted.json")


def day(path, seed, *, job=False, shift=0.0, every=30.0, hours=6):
    """A server's day: an access log's rates of two classes and processors that follow them."""
    random = np.random.default_rng(seed)
    count = int(hours * 3600 / every)
    at = BEGIN + every * np.arange(1, count + 1)
    level = random.uniform(5.0, 30.0, (2, hours * 2)).repeat(count // hours // 2, axis=1)
    rates = random.poisson(level * every) / every
    busy = np.array([0.005, 0.02]) @ rates + random.normal(0.0, 0.01, count)
    if job:
        busy[count // 2 : count // 2 + int(3600 / every)] += 0.25
    table = "Time,throughput:a [1/s],throughput:b [1/s],throughput [1/s],response_time [ms]\n"
    table += "".join(f"{t:.0f},{a},{b},{a + b},50\n" for t, a, b in zip(at, *rates))
    (path / "rates.csv").write_text(table)
    idle = np.concatenate([[0.0], np.cumsum((1.0 - busy) * every)])
    times = [BEGIN + shift, *(at + shift)]
    return [str(path / "rates.csv"), prometheus(path / "cpu.json", cpu(idle.tolist(), times=times))]


def test_a_job_of_an_hour_is_named_and_left_out(tmp_path):
    demands = {}
    for job in (False, True):
        found = import_files(day(tmp_path, 3, job=job))
        named = [note for note in found.notes if "background job?" in note]
        assert len(named) == job
        x = np.array([found.table.values("throughput", name) for name in "ab"])
        demands[job] = np.linalg.lstsq(
            x.T, np.array(found.table.values("utilization", "cpu")), rcond=None
        )[0]
    begin, end = (datetime.fromtimestamp(BEGIN + 3 * 3600 + s, UTC) for s in (0, 3600))
    said = re.match(r"(\d\d:\d\d):\d\d to (\d\d:\d\d):\d\d: cpu is 2[3-7]% busier", named[0])
    assert said.groups() == (f"{begin:%H:%M}", f"{end:%H:%M}")
    assert demands[True] == pytest.approx([0.005, 0.02], rel=0.05)
    assert demands[False] == pytest.approx([0.005, 0.02], rel=0.05)


@pytest.mark.parametrize("seed", range(6))
def test_no_fault_is_named_where_none_is(tmp_path, seed):
    notes = import_files(day(tmp_path, seed)).notes
    assert [each for each in notes if not each.startswith("classes: ")] == []


@pytest.mark.parametrize("shift", [-90.0, 60.0])
def test_a_clock_that_is_off_is_set_right(tmp_path, shift):
    notes = import_files(day(tmp_path, 5, shift=shift)).notes
    words = "ahead of" if shift > 0 else "behind"
    assert any(f"its clock is about {abs(shift):.0f} s {words}" in note for note in notes)


def test_a_clock_seven_seconds_off_in_a_recorded_load_test(tmp_path):
    right = import_files([str(K6), str(PROMETHEUS)])
    assert not any("clock" in note for note in right.notes)
    found = import_files([str(K6), shifted(PROMETHEUS, 7, tmp_path)])
    named = [note for note in found.notes if "its clock is about" in note]
    assert len(named) == 1
    assert 6.0 <= float(re.search(r"about ([\d.]+) s ahead", named[0])[1]) <= 8.0
    assert found.table.values("utilization", "cpu")[2:] == pytest.approx(
        right.table.values("utilization", "cpu")[2:], rel=0.15
    )


def test_a_monitor_that_saw_other_work_is_one_clear_line():
    files = [str(HERE / name) for name in ("access_combined.log", "prometheus_node.json")]
    with pytest.raises(NotCalibratable, match=r"cpu is 100% busy at .*: other work"):
        calibrate(import_files(files).table)


def two(rate, took, users=None):
    found = [of("throughput", rate), of("response_time", took)]
    return found if users is None else [*found, of("population", users)]


def test_open_and_closed_are_told_from_data():
    random = np.random.default_rng(4)
    took = 0.1 * np.exp(0.6 * correlated(random, 600, 0.9))
    half = [(0.0, 300.0), (300.0, 600.0)]
    users = np.repeat([10.0, 40.0], 300)
    assert kind_of_load(two(users / (took + 0.5), took, users), half).startswith(
        "closed: users think for 0.49"
    )
    assert kind_of_load(two(np.full(600, 20.0), took, users), half).startswith("open or closed is")
    noisy = random.poisson(200.0, 600) / 10.0
    assert kind_of_load(two(noisy, took), half).startswith("open, as far as")
    assert kind_of_load(two(noisy / (took + 0.05), took), half).startswith("closed: throughput")
    assert kind_of_load(two(noisy[:15], took[:15]), [(0.0, 15.0)]) == ""


def test_requests_that_were_held_back():
    rate, took = np.full(100, 50.0), np.full(100, 0.02)
    assert omitted(two(rate, took, np.full(100, 5.0)), [(0.0, 100.0)]) == 0.0
    rate[40:48], took[48], rate[48] = 0.0, 8.0, 5.0  # a stall: five answers after 8 s
    some = rate > 0.0
    series = two(rate, took, np.full(100, 5.0))
    seen = series[1]
    series[1] = Series("response_time", "", "", seen.end[some], seen.interval[some],
                       took[some], rate[some])  # fmt: skip
    assert omitted(series, [(0.0, 100.0)]) == pytest.approx(8 * 50 / 5000, rel=0.1)
    assert omitted(series[:2], [(0.0, 100.0)]) == 0.0
