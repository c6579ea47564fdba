"""Periods of steady load, counters, and recordings joined on one clock."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pytest

from calibration.recordings.counters import usual_step
from calibration.recordings.importing import import_files
from calibration.recordings.series import Requests, Series, series_of
from calibration.recordings.windows import RAMP, windows
from qmodel.errors import FileError

BEGIN = 1_795_472_200


def of(quantity, values, step=1.0):
    rows = [(step * (i + 1), step, value) for i, value in enumerate(values)]
    return series_of(quantity, "", "", rows)


def test_users_in_steps_without_their_ramps():
    users = [2] * 20 + [3, 4, 5, 6, 7] + [8] * 30
    found, told = windows([of("population", users)], (0.0, 55.0))
    assert told == "steps of users"
    assert found == [(20 * RAMP, 20.0), (25.0 + 30 * RAMP, 55.0)]


@pytest.mark.parametrize("seed", range(5))
def test_changes_of_throughput_are_found_where_they_are(seed):
    random = np.random.default_rng(seed)
    levels = np.repeat([100.0, 160.0, 80.0], (40, 60, 50))
    found, told = windows([of("throughput", levels + random.normal(0, 8, 150))], (0.0, 150.0))
    assert told == "steps of throughput"
    assert [end for _, end in found] == pytest.approx([40, 100, 150], abs=2)


def test_production_of_a_day_is_told_by_its_hours_but_not_where_users_are_known():
    rates = of("throughput", 70.0 + 60.0 * np.sin(np.arange(1440) * np.pi / 720.0), 60.0)
    found, told = windows([rates], (600.0, 86_400.0))
    assert told == "its hours"
    assert found == [(3600.0 * hour, 3600.0 * (hour + 1)) for hour in range(1, 24)]
    assert windows([rates, of("population", [5] * 1440, 60.0)], (0.0, 86_400.0))[1] != told


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_one_period(seed):
    rates = 100 + np.random.default_rng(seed).normal(0, 10, 300)
    assert windows([of("throughput", rates)], (0.0, 300.0))[1] == "one steady period"


@pytest.mark.parametrize("seed", range(5))
def test_a_rare_class_at_a_constant_load_is_one_period(seed):
    random = np.random.default_rng(seed)
    whole, rare = (of("throughput", random.poisson(rate, 600)) for rate in (5.0, 0.2))
    found = windows([whole, replace(rare, of="/rare")], (0.0, 600.0))
    assert found[1] == "one steady period"


def test_requests_are_counted_where_they_end_and_classes_do_not_explode():
    requests = Requests()
    for i in range(300):
        name = "/late" if i > 250 else f"/orders/{i}/items" if i % 3 else f"/page/p{i}"
        requests.add(10.0 + i / 100, 0.25, name)
    found = {each.name: each for each in requests.series()}
    assert found["throughput"].value.tolist() == [100, 100, 100]
    assert found["throughput"].end.tolist() == [11, 12, 13]
    assert found["response_time"].mean(0, 99) == 0.25
    names = [each.of for each in found.values() if each.quantity == "throughput" and each.of]
    assert (len(names), names[0], names[1], names[-1]) == (
        51, "/orders/:id/items", "/late", "other")  # fmt: skip
    requests.add(10.0, None)
    assert requests.notes == ("1 of 301 requests have no time and are in no mean of it",)
    requests.add(1_795_471_200.0, 0.25)
    with pytest.raises(ValueError, match="over 400 days; leave out lines of a wrong clock"):
        requests.series()


def cpu(values, instance="web1:9100", core="0", mode="idle", times=None):
    times = times or [BEGIN + 15 * i for i in range(len(values))]
    labels = {"__name__": "node_cpu_seconds_total", "cpu": core, "mode": mode, "instance": instance}
    return {"metric": labels, "values": [[t, str(v)] for t, v in zip(times, values)]}


def prometheus(path, *results):
    data = {"status": "success", "data": {"resultType": "matrix", "result": list(results)}}
    path.write_text(json.dumps(data))
    return str(path)


def test_a_reset_a_stale_marker_and_missing_samples(tmp_path):
    idle = [i * 6.0 for i in range(40)]  # 40 % idle
    reset = idle[:25] + [value - idle[24] for value in idle[25:]]
    stale = ["NaN" if 10 <= i < 12 else value for i, value in enumerate(reset)]
    found = import_files([prometheus(tmp_path / "a.json", cpu(stale))])
    assert found.table.values("utilization", "cpu") == pytest.approx([0.6] * len(found.table.lines))
    assert "30 s of samples are missing" in found.notes
    assert "a counter was reset 1 times" in found.notes
    assert usual_step(np.array([0.0, 15, 30, 60]), "x")[1] == ("15 s of samples are missing",)


def test_a_period_without_a_sample_of_the_processor_is_left_out(tmp_path):
    seen = [*range(20), *range(40, 60)]
    idle = cpu([i * 6.0 for i in seen], times=[BEGIN + 15 * i for i in seen])
    rates = "".join(f"{BEGIN + i},{(10, 20, 15)[i // 300]}\n" for i in range(0, 900, 5))
    (tmp_path / "g.csv").write_text("Time,RPS\n" + rates)
    found = import_files([str(tmp_path / "g.csv"), prometheus(tmp_path / "a.json", idle)])
    columns = found.table.values("throughput") + found.table.values("utilization", "cpu")
    assert columns == pytest.approx([10.0, 15.0, 0.6, 0.6])
    assert "1 of 3 periods has no sample of the processor; left out" in found.notes
    at = [datetime.fromtimestamp(BEGIN + s, UTC).isoformat() for s in (0, 300, 600, 900)]
    levels = "".join(f"{a},{b},9\n" for a, b in pairwise(at))
    (tmp_path / "l.csv").write_text(f"start,end,users\n{levels}")
    paths = [str(tmp_path / name) for name in ("l.csv", "g.csv", "a.json")]
    within = import_files(paths)
    assert within.table.values("utilization", "cpu") == (0.6, None, 0.6)
    assert within.table.values("servers", "cpu") == (1.0, 1.0, 1.0)
    assert within.notes[-1].startswith(f"{paths[0]}:3: no sample of cpu lies inside")
    rare = cpu([0.0, 180.0, 360.0], times=[BEGIN, BEGIN + 450, BEGIN + 900])
    found = import_files([str(tmp_path / "g.csv"), prometheus(tmp_path / "a.json", rare)])
    assert found.notes[0].endswith("; its utilization is left out: sample more often"), found.notes


def test_processors_by_what_they_did_or_by_what_they_did_not(tmp_path):
    parts = [cpu([i * s for i in range(20)], core=c, mode=m)
             for c in "01" for m, s in (("idle", 6.0), ("user", 6.0), ("system", 3.0))]  # fmt: skip
    for kept in (parts, parts[0::3], [*parts[1::3], *parts[2::3]]):
        table = import_files([prometheus(tmp_path / "a.json", *kept)]).table
        assert table.values("utilization", "cpu")[0] == pytest.approx(0.6)
        assert table.values("servers", "cpu")[0] == 2.0


def test_hosts_are_named_and_may_be_two_stations(written, tmp_path):
    values = [[i * 6.0 for i in range(20)], [i * 12.0 for i in range(20)]]
    two = prometheus(tmp_path / "a.json", cpu(values[0]), cpu(values[1], "db1:9100"))
    one = import_files([two], hosts=["db1"]).table
    assert one.values("utilization", "cpu")[0] == pytest.approx(0.2)
    both = import_files([two], hosts=["web1", "db1"]).table
    assert both.values("utilization", "web1.cpu")[0] == pytest.approx(0.6)
    start, end = (datetime.fromtimestamp(BEGIN + s, UTC).isoformat() for s in (0, 240))
    levels = written("levels.csv", f"start,end,users,throughput [1/s]\n{start},{end},10,2.0\n")
    within = import_files([str(levels), two], hosts=["db1"]).table
    assert within.values("utilization", "cpu")[0] == pytest.approx(0.2)


def test_files_of_one_kind_are_metrics_together_and_the_first_of_two_counts(tmp_path):
    half = [cpu([i * 6.0 for i in range(20)], core=c) for c in "01"]
    paths = [prometheus(tmp_path / f"{c}.json", each) for c, each in zip("ab", half)]
    assert import_files(paths).table.values("servers", "cpu")[0] == 2.0
    text = "Time,CPU %\n" + "".join(f"{BEGIN + 15 * i},10\n" for i in range(20))
    (tmp_path / "g.csv").write_text(text)
    found = import_files([str(tmp_path / "g.csv"), paths[0]])
    assert found.table.values("utilization", "cpu")[0] == pytest.approx(0.1)
    assert any("utilization not used" in note for note in found.notes)


def test_clocks_that_do_not_meet_are_refused(written, tmp_path):
    early = prometheus(tmp_path / "a.json", cpu(range(20)))
    late = written("g.csv", "Time,RPS\n" + "".join(f"{BEGIN + 9000 + i},10\n" for i in range(20)))
    with pytest.raises(FileError, match="no time in common"):
        import_files([early, str(late)])
    late.write_text("Time,RPS\n" + "".join(f"2026-11-23 10:00:{i:02},10\n" for i in range(20)))
    with pytest.raises(FileError, match=r"has times in UTC, and .* without a time zone"):
        import_files([str(late), early])


def test_a_mean_counts_whole_samples_by_length_or_requests():
    rows = Series("x", "", "", np.array([10.0, 40.0]), np.array([10.0, 30.0]), np.array([1.0, 5.0]))
    assert rows.mean(0.0, 40.0) == 4.0
    assert rows.mean(5.0, 40.0) == 5.0
    assert rows.mean(5.0, 39.0) is None


def test_a_pause_between_two_runs_is_in_no_period():
    run = of("throughput", [50.0] * 200)
    part = (run.end <= 100.0) | (run.end > 150.0)
    runs = replace(run, end=run.end[part], interval=run.interval[part], value=run.value[part])
    for others in ([], [of("population", [9.0] * 200)]):
        found, told = windows([runs, *others], (0.0, 200.0))
        assert found == [(100 * RAMP, 100.0), (150 + 50 * RAMP, 200.0)]
        assert told == "runs with pauses between them"


def test_what_says_nothing_of_users_or_of_stations(tmp_path):
    rows = "".join(f"{BEGIN + i},10,{1 + i % 2},20\n" for i in range(40))
    (tmp_path / "g.csv").write_text("Time,RPS,VUs,CPU %\n" + rows)
    found = import_files([str(tmp_path / "g.csv")])
    assert found.table.values("population") == (None,)
    assert "users are left out where their mean is no whole number, as 1.5" in found.notes
    with pytest.raises(FileError, match="nothing is busier than 1 %; record it under load"):
        import_files([prometheus(tmp_path / "a.json", cpu([i * 14.97 for i in range(40)]))])
