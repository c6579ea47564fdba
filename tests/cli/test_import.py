"""``qmodel import`` and the commands that take recordings: three commands, and bad input."""

import gzip
import json
import re  # noqa: F401, named in the table
from time import process_time

import pytest

from advisor.cli.import_files import imported
from calibration.recordings.counters import SERIES_LIMIT  # noqa: F401, named in the table
from tests.advisor.configurations import ROOT
from tests.calibration.recordings.test_windows import BEGIN, cpu, prometheus  # noqa: F401
from tests.tables import asked, rows

K6, MONITOR = "examples/telemetry/k6.csv.gz", "examples/telemetry/prometheus.json"
HERE = ROOT / "tests/calibration/recordings/telemetry"


def test_from_recordings_to_an_answer(run, tmp_path):
    """Three commands; the same files directly give the same."""
    runs, model = tmp_path / "runs.csv", tmp_path / "shop.json"
    outcome = run("import", K6, MONITOR, "-o", runs)
    assert outcome.code == 0
    assert "✓ 5 runs, from steps of users" in outcome.out
    assert "http_req_duration" in outcome.out
    every = run("import", K6, MONITOR, "--all").out.splitlines()
    heads = [line for line in every if line.strip().startswith("start ")]
    assert len(heads) > 1
    assert "servers cpu" in " ".join(heads)
    assert run("import", K6, MONITOR, "-o", runs).code == 2  # it exists
    direct = json.loads(run("calibrate", K6, MONITOR, "--json").out)
    outcome = run("calibrate", runs, "-o", model, "--json")
    kept = json.loads(outcome.out)
    assert kept["parameters"] == direct["parameters"]
    values = {p["name"]: p["value"] for p in kept["parameters"]}
    assert values["demand of cpu"] == pytest.approx(0.043, rel=0.15)
    assert values["think time"] == pytest.approx(0.5, rel=0.1)
    said = json.loads(run("predict", model, "--users", "10", "--json").out)
    again = json.loads(run("predict", K6, MONITOR, "--users", "10", "--json").out)
    assert again["predictions"] == said["predictions"]
    said, again = run("audit", runs).out, run("audit", K6, MONITOR).out
    assert unwrapped(said, runs) == unwrapped(again, f"{K6} + {MONITOR}")


def test_a_day_of_cloudwatch_says_what_a_request_costs(run, tmp_path):
    """60 ms on one of 2 processors, whose number no cloud says; see scripts/make_cloudwatch_day."""
    runs, model = tmp_path / "runs.csv", tmp_path / "shop.json"
    assert run("import", "examples/telemetry/cloudwatch_day.json.gz", "-o", runs).code == 0
    header, *rows = runs.read_text().splitlines()
    runs.write_text("\n".join([f"{header},servers:cpu", *(f"{row},2" for row in rows)]))
    (demand,) = json.loads(run("calibrate", runs, "-o", model, "--json").out)["parameters"]
    assert demand["value"] == pytest.approx(0.060, abs=1.645 * demand["standard_error"])
    (said,) = json.loads(run("predict", model, "--rate", "15", "--json").out)["predictions"]
    low, _, high, *_ = said["metrics"]["response_time"].values()
    assert low < 0.060 / (1.0 - (15 * 0.060 / 2) ** 2) < high  # M/M/2


def unwrapped(text, path):
    """A report without its file, whose length decides where the lines end."""
    return "".join(text.split()).replace("".join(str(path).split()), "")


def test_the_table_of_levels_may_say_the_periods(run, tmp_path):
    levels = tmp_path / "levels.csv"
    times = [line.split(",")[:2] for line in run_rows(run)]
    levels.write_text("from;to;VUs\n" + "".join(f"{a};{b};9\n" for a, b in times))
    outcome = json.loads(run("import", levels, K6, MONITOR, "--json").out)
    names = [column["name"] for column in outcome["columns"]]
    assert names.index("VUs") < names.index("response_time")
    assert "population" not in names


def run_rows(run):
    return [",".join(row) for row in json.loads(run("import", K6, MONITOR, "--json").out)["rows"]]


def test_other_columns_and_what_is_missing(run, written):
    path = written(
        "g.csv", "Time,busy,req\n" + "".join(f"{BEGIN + i},50,{10 + i % 2}\n" for i in range(30))
    )
    outcome = run("import", path, "--columns", "busy=utilization:cpu [%],req=RPS")
    assert (outcome.code, outcome.err) == (0, "")
    assert "cpu [%]" in outcome.out
    outcome = run("import", path, "--columns", "busy=cpu")
    assert outcome.out.startswith("? ")
    assert "note: not used: req" in outcome.out
    assert "no users and no requests per second" in outcome.out
    assert run("import", path, "--columns", "busy").code == 2
    outcome = run("import", path, "--columns", "busy=cpu,Typo=users")
    assert (outcome.code, outcome.err) == (
        2,
        "--columns Typo: no such column; there is busy, req\n",
    )


@pytest.mark.parametrize(("every", "mark"), [(10, "?"), (50, "✓")])
def test_many_failed_requests_are_a_doubt(run, written, every, mark):
    lines = (f"{BEGIN + i}000,20,{i % every > 0},5\n".lower() for i in range(600))
    log = written("a.jtl", "timeStamp,elapsed,success,allThreads\n" + "".join(lines))
    busy = written("c.csv", "Time,CPU %\n" + "".join(f"{BEGIN + i},9\n" for i in range(600)))
    said = run("import", log, busy).out
    assert ("they count as served, and shorten" in said, said[0]) == (mark == "?", mark)


def recorded(name):
    content = (HERE / name).read_bytes()
    return gzip.decompress(content) if name.endswith(".gz") else content


def many(count):
    return [
        {"metric": {"__name__": "http_requests_total", "path": f"/user/{i}"},
         "values": [[BEGIN, "1"], [BEGIN + 15, "2"]]}
        for i in range(count)
    ]  # fmt: skip


MIXED = [BEGIN + 15 * i for i in range(40)] + [BEGIN + 600 + 60 * i for i in range(20)]
TABLE = "Time,RPS\n" + "".join(f"{BEGIN + i},{20 - 2 * i}\n" for i in range(20))
VUS = b"metric_name,timestamp,metric_value,name\n" + b"vus,1795472200,1,\n" * 2**16
#: What is wrong: how a file gets so, and what is said of it.
BAD = {name: said for name, *said in rows(__file__, "bad")}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_soon(run, tmp_path, name):
    content, words = BAD[name]
    path = tmp_path / "bad.json"
    content = asked(content, globals() | {"path": path})
    if isinstance(content, bytes):
        path.write_bytes(content)
    began = process_time()
    outcome = run("import", path)
    assert process_time() - began < 8.0  # 2 s where the machine is not slowed down
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"{path}:")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err


def test_megabytes_a_second(written):
    """A gigabyte of k6 in a minute is 17 MB a second; half of it in CPU time where others work."""
    header, _, body = gzip.decompress((ROOT / K6).read_bytes()).partition(b"\n")
    path = written("k6.csv", header + b"\n" + body * 20)
    began = process_time()
    imported([path])
    assert path.stat().st_size / 1e6 / (process_time() - began) > 8.0
