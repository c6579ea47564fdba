"""Recordings that real tools wrote: what is read is what they say, and what each other say."""

import csv
import gzip
import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.counters import Metrics
from calibration.recordings.importing import columns_of, import_files, table_text
from calibration.recordings.loading import READERS, load_recording
from calibration.recordings.metric_names import recording_of
from calibration.recordings.span_trees import SpanTrees
from tests.advisor.configurations import ROOT
from tests.tables import rows

HERE = Path(__file__).parent / "telemetry"
K6, PROMETHEUS = (ROOT / "examples/telemetry" / name for name in ("k6.csv.gz", "prometheus.json"))
OF_SERVER = {"utilization:cpu", "servers:cpu"}
OF_DISK = {"utilization:vda", "operations:vda", "volume:vda"}
#: What each file is, its clock, and series that it must have.
FILES = {
    name: (kind, clock, set(series))
    for name, (kind, clock, series) in tomllib.loads(
        Path(__file__).with_name("telemetry_files.toml").read_text(encoding="utf-8")
    ).items()
}


def series(name):
    return {each.name: each for each in load_recording(HERE / name).series}


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_known_by_what_it_holds(name):
    kind, clock, names = FILES[name]
    found = load_recording(HERE / name)
    assert (found.kind, found.clock) == (kind, clock)
    assert names <= {each.name for each in found.series}
    assert found.mapping
    for each in found.series:
        single = each.quantity in {"p95", "p99"}  # of requests, several of which end in a second
        assert each.busy or (each.value >= 0.0).all()
        assert (np.diff(each.end) >= 0.0).all()
        assert single or (np.isfinite(each.value).all() and (np.diff(each.end) > 0.0).all())


def test_every_recorded_file_is_tried_and_only_one_reader_knows_it_first():
    assert {path.name for path in HERE.iterdir()} == {*FILES, "README.md", "prometheus_rates.json"}
    for name in FILES:
        content = (HERE / name).read_bytes()
        head = (gzip.decompress(content) if name.endswith(".gz") else content)[:65536].decode()
        knows = [reader.kind for reader in READERS if reader.knows(head)]
        assert knows[1:] in ([], ["table with times"])


def test_monitors_agree_on_one_minute():
    """The same disk and processors in nine files; sar, sadf and sadf -d are one recording."""
    exact, other = series("sadf.json"), series("sar.txt")
    for name in (*OF_SERVER, *OF_DISK, "volume:eth0"):
        assert other[name].value == pytest.approx(exact[name].value, abs=1e-9)
        assert other[name].end == pytest.approx(exact[name].end)
    for file, name in (("sadf.csv", "utilization:cpu"), ("sadf_disk.csv", "operations:vda"),
                       ("sadf_net.csv", "volume:eth0")):  # fmt: skip
        assert series(file)[name].value == pytest.approx(exact[name].value)
    seen = [series(name)["volume:vda"] for name in ("prometheus_node.json", "node.prom")]
    seen += [series("iostat.json")["volume:vda"], series("iostat.txt")["volume:vda"]]
    seen.append(series("vmstat_t.txt")["volume:disk"])
    for each in seen:
        span = each.end[0] - each.interval[0], each.end[-1]
        inside = exact["volume:vda"]
        wide = inside.mean(span[0] - 2.0, span[1] + 2.0) * (span[1] - span[0] + 4.0)
        narrow = inside.mean(*span) * (span[1] - span[0] - 2.0)
        total = float((each.value * each.interval).sum())
        assert 0.8 * narrow < total < 1.25 * wide


def test_k6_says_the_same_in_all_of_its_forms():
    found = {each.name: each for each in load_recording(K6).series}
    said = json.loads((HERE / "k6_summary.json").read_text())["metrics"]
    count = found["throughput"].value.sum()
    assert count == said["http_reqs"]["count"]
    assert sum(found[f"throughput:{c}"].value.sum() for c in ("search", "checkout")) == count
    mean = found["response_time"].mean(0.0, 1e12)
    assert mean == pytest.approx(said["http_req_duration"]["avg"] / 1e3, rel=1e-9)
    points = series("k6.json.gz")["response_time"]  # its beginning
    both = np.isin(found["response_time"].end, points.end[1:-2])
    assert found["response_time"].value[both] == pytest.approx(points.value[1:-2], rel=1e-6)
    summary = series("k6_summary.json")
    assert summary["response_time"].value[0] == pytest.approx(mean)
    assert summary["p95"].value[0] == pytest.approx(found["p95"].mean(0.0, 1e12), rel=1e-5)
    assert found["p99"].mean(*found["p99"].end[[9, 9]] + [-1.0, 0.0]) is None  # of one second


#: An Aggregate Report as JMeter's manual has it; no tool wrote this one.
REPORT = """\
Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,KB/sec
search,12000,45,40,80,110,190,5,900,0.00%,40.1,100.2
TOTAL,16000,56,45,110,140,250,5,1200,0.03%,53.5,180.3
"""


def test_generators_against_a_second_reading(tmp_path):
    rows = list(csv.DictReader((HERE / "jmeter_csv.jtl").read_text().splitlines()))
    found = series("jmeter_csv.jtl")
    assert found["throughput"].value.sum() == len(rows)
    mean = np.mean([int(row["elapsed"]) for row in rows]) / 1e3
    assert found["response_time"].mean(0.0, 1e12) == pytest.approx(mean)
    times = re.findall(r'<httpSample t="(\d+)"', (HERE / "jmeter_xml.jtl").read_text())
    found = series("jmeter_xml.jtl")
    assert found["throughput"].value.sum() == len(times)
    mean = np.mean([*map(int, times)]) / 1e3
    assert found["response_time"].mean(0.0, 1e12) == pytest.approx(mean)
    history = series("locust_stats_history.csv")["throughput"]
    named = dict(load_recording(HERE / "locust_stats_history.csv").mapping)
    assert named["Total Request Count"] == "throughput"
    last = (HERE / "locust_stats.csv").read_text().splitlines()[-1].split(",")
    assert (history.value * history.interval).sum() == pytest.approx(int(last[2]))
    for text in (REPORT, REPORT.replace(",", ";").replace("53.5", "53,5")):
        (tmp_path / "report.csv").write_text(text, encoding="utf-8")
        taken = import_files([str(tmp_path / "report.csv")]).table
        assert (*taken.values("p95"), *taken.values("throughput")) == (0.14, 53.5)
    logged = [line.split() for line in (HERE / "pgbench_log").read_text().splitlines()]
    found = series("pgbench_log")
    assert found["throughput"].value.sum() == len(logged)
    mean = np.mean([int(row[2]) for row in logged]) / 1e6
    assert found["response_time"].mean(0.0, 1e12) == pytest.approx(mean)
    whole = np.quantile([int(row[2]) for row in logged], 0.95) / 1e6
    assert found["p95"].mean(0.0, 1e12) == pytest.approx(whole)
    assert series("locust_stats.csv")["p99"].value[0] == 0.18
    assert series("wrk_8.txt")["p99"].value[0] == pytest.approx(0.25756)
    said = re.search(r"latency average = ([\d.]+)", (HERE / "pgbench_progress.txt").read_text())[1]
    progress = series("pgbench_progress.txt")["response_time"].mean(0.0, 1e12)
    assert progress == pytest.approx(float(said) / 1e3, rel=0.02)


@pytest.mark.parametrize(("unit", "factor"), [("seconds", 1.0), ("milliseconds", 1000.0)])
def test_percentiles_between_the_bounds_of_a_histogram(unit, factor):
    """Exponential times of 50 ms at 20/s: p95 is 150 ms, p99 230; no bound tells of p99 in /b."""
    seconds = np.arange(1000.0)
    for route, bounds in {"/a": (0.025, 0.1, 0.25, 0.5), "/b": (0.025, 0.1, 0.2)}.items():
        found = Metrics("Prometheus", "shop.json")
        for bound in (*bounds, np.inf):
            label = {"route": route, "le": f"{bound * factor:g}".replace("inf", "+Inf")}
            reached = np.floor(20.0 * seconds * (1.0 - np.exp(-bound / 0.05)))
            found.add(f"http_request_duration_{unit}_bucket", label, seconds, reached)
        said = {each.name: each.mean(0.0, 1000.0) for each in recording_of(found).series}
        assert said["p95"] == pytest.approx(0.05 * np.log(20), rel=1e-3)
        assert said["p99"] == (None if route == "/b" else pytest.approx(0.05 * np.log(100), 1e-3))


def test_logs_and_spans_are_of_the_requests_that_k6_made():
    plain, timed = series("access_common.log"), series("access_combined.log")
    assert plain["throughput"].value.tolist() == timed["throughput"].value.tolist()
    assert timed["response_time"].mean(0.0, 1e12) == pytest.approx(
        series("access_json.log")["response_time"].mean(0.0, 1e12)
    )
    spans, seen = series("otlp_traces.json"), series("k6.json.gz")["response_time"]
    assert 0.3 < spans["response_time"].mean(0.0, 1e12) / seen.mean(0.0, 1e12) < 1.1


def test_time_of_their_own_and_calls_of_services():
    """Two requests; the shop's two children overlap, the database answers once and caches once."""
    rows = [  # span, parent, service, kind, start, end [ms], what a client calls
        ("a", "", "shop", 2, 0, 100, ""), ("b", "a", "shop", 3, 10, 50, "db"),
        ("c", "b", "db", 2, 15, 45, ""), ("d", "a", "shop", 3, 40, 70, "redis"),
        ("e", "", "shop", 2, 200, 260, ""), ("f", "e", "shop", 1, 210, 250, ""),
    ]  # fmt: skip
    trees = SpanTrees()
    for span, parent, service, kind, start, end, called in rows:
        entry = {"spanId": span, "parentSpanId": parent, "kind": kind}
        entry |= {"startTimeUnixNano": start * 10**6, "endTimeUnixNano": end * 10**6}
        trees.add(entry, service, {"db.system": called} if called else {})
    shop, database = trees.services()
    assert shop.self_time == pytest.approx((40 + 20 + 40) / 2e3)
    assert shop.calls == {"db": 0.5, "redis": 0.5}
    assert (database.name, database.self_time) == ("db", pytest.approx(0.015))


def test_a_load_test_and_a_monitor_make_a_table():
    found = import_files([str(K6), str(PROMETHEUS)])
    assert found.told_by == "steps of users"
    table = found.table
    assert table.values("population") == (1.0, 4.0, 8.0, 12.0, 16.0)
    assert set(table.values("servers", "cpu")) == {2.0}
    rate, busy = (
        np.array(table.values(*name)) for name in (("throughput",), ("utilization", "cpu"))
    )
    assert busy[1:] * 2 / rate[1:] == pytest.approx(0.043, rel=0.2)  # seconds of processor
    # The users think for half a second in the mean: Little's law finds it.
    think = np.array([1, 4, 8, 12, 16]) / rate - np.array(table.values("response_time"))
    assert think[1:] == pytest.approx(0.5, rel=0.15)


def test_summaries_are_rows_one_after_the_other():
    table = import_files([str(HERE / f"wrk_{n}.txt") for n in (2, 8)]).table
    assert table.values("population") == (2.0, 8.0)
    assert table.values("think_time") == (0.0, 0.0)
    assert table_text(table).splitlines()[0].startswith("population,think_time [s],throughput")


def test_a_column_that_no_name_tells_is_said():
    columns = columns_of("prometheus_rates=utilization:cpu [1]")
    found = import_files([str(HERE / "prometheus_rates.json")], columns)
    assert found.table.values("utilization", "cpu")[0] > 0.9


DOCUMENTED = {name: said for name, *said in rows(__file__, "documented")}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_by_their_documentation(written, name):
    text, wanted = DOCUMENTED[name]
    found = {each.name: each for each in load_recording(written("recorded", text)).series}
    assert {key: found[key].value[0] for key in wanted} == pytest.approx(wanted)
    assert "population" not in found
