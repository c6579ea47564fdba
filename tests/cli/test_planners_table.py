"""A table as planners have one, without think times or numbers of cores: every command takes it."""

import json
from math import inf

import pytest

from tests.advisor.configurations import ROOT
from tests.tables import text_of

TELEMETRY = ROOT / "tests/calibration/recordings/telemetry"
TABLE = text_of(__file__, "table")


@pytest.mark.usefixtures("few_laws")
def test_no_command_ends_without_saying_what_is_missing(run, tmp_path):
    measured, kept, server = (tmp_path / name for name in ("t.csv", "c.json", "s.toml"))
    measured.write_text(TABLE, encoding="utf-8")
    said = run("calibrate", measured, "-o", kept).out
    assert "measured percentiles are met within" in said
    assert run("init", "--from", kept, "-o", server).code == 0
    said = " ".join(run("advise", server).out.split())
    assert "Next add a column servers:cpu to the table; then more can be tried" in said
    assert "\n200*" in run("advise", server, "--users", "50,200").out
    assert "is HTML; write it to .html" in run("report", server, "-o", tmp_path / "a.pdf").err
    rows = run("predict", server, "--users", "50,100", "--percentiles", "95,99").out
    assert {"p95", "p99"} <= set(rows.split())
    one = run("predict", "examples/nightly_jobs.toml", "--percentiles", "95", "--users", "1,9").out
    assert " -  " in one  # one user is of one class
    assert "requests/s fit" in run("predict", server, "--rate", "100,900").out
    assert "missed in" in run("predict", server, "--growth", "3%/month").out
    said = " ".join(run("size", server, "--users", "200").out.split())
    assert "no part of it can vary: give its parts, or their number in a column servers:cpu" in said
    web = tmp_path / "web.toml"
    run("init", "--preset", "web", web)
    said = run("size", web, "--users", "3000").out
    assert "the fastest solved is server.cores = 32; --vary KEY=LOW:HIGH:STEP tries more" in said


RATES = text_of(__file__, "rates")


@pytest.mark.usefixtures("few_laws")
def test_a_rate_that_saturates_is_compared_in_what_can_be(run, tmp_path):
    measured, kept, server = (tmp_path / name for name in ("t.csv", "c.json", "s.toml"))
    measured.write_text(f"Tuesday\n\n{RATES}", encoding="utf-8")  # a sheet has a title
    run("calibrate", measured, "-o", kept)
    run("init", "--from", kept, "-o", server)
    text = server.read_text(encoding="utf-8")
    server.write_text(f'{text}\nresponse_time = {{ p95 = "50 ms" }}\n', encoding="utf-8")
    now = json.loads(run("advise", server, "--json").out)["now"]["metrics"]
    done = json.loads(run("whatif", server, "--set", "workload.arrival_rate=255/s", "--json").out)
    found = {each["quantity"]: each for each in done["alternatives"][0]["differences"]}
    for quantity in ("response time", "p95"):
        rise = found[quantity]["change"]
        assert 0.0 < rise["low"] < rise["mid"] < (rise["high"] or inf)
    assert found["p95"]["before"]["high"] == pytest.approx(now["p95:users"]["high"])
    busy = found["utilization"]
    assert busy["difference"]["mid"] <= 1.0 - busy["before"]["mid"] + 1e-9
    assert "users" not in run("budget", server).out.partition("by the hour:")[2].split("\n")[1]


QUEUE = "VUs,RPS,Latency (ms)\n10,50,100\n20,95,110\n40,170,135\n80,230,250\n"
FLAT = "VUs,RPS,Latency (ms)\n10,50,100\n20,100,101\n40,199,100\n80,400,102\n"


def test_a_load_test_without_monitors_goes_all_the_way_or_says_why_not(run, tmp_path):
    measured, kept, server = (tmp_path / name for name in ("t.csv", "c.json", "s.toml"))
    measured.write_text(QUEUE, encoding="utf-8")
    assert run("calibrate", measured, "-o", kept).code == 0
    assert run("init", "--from", kept, "-o", server).code == 0
    for words in (["advise"], ["predict"], ["report", "-o", "-"], ["size", "--users", "90"]):
        assert "not measured" in run(words[0], server, *words[1:]).out
    assert "an unmeasured queue is full" in run("predict", kept, "--users", "100").out
    measured.write_text(FLAT, encoding="utf-8")
    assert run("calibrate", measured, "-o", kept, "--force").code == 0
    assert "no station limits" in run("predict", kept, "--users", "100").out
    for words in (["init", "--from", kept], ["advise", server]):
        done = run(*words)
        assert done.code == 2
        assert "nothing that was measured is ever full; measure the processors'" in done.err
    measured.write_text("VUs,Latency (ms)\n10,10\n20,20\n40,40\n80,80\n", encoding="utf-8")
    assert "measure throughput, or give think_time" in run("calibrate", measured).err
    hours = enumerate(((50, 10), (100, 11), (200, 14), (300, 25), (350, 60)), 10)
    rows = "\n".join(f"2026-11-20 {hour}:00,{rate},{time}" for hour, (rate, time) in hours)
    measured.write_text(f"Timestamp,RPS,Latency (ms)\n{rows}\n", encoding="utf-8")
    assert "an unmeasured queue, at 369 /s" in run("calibrate", measured).out
    two = "users:a,users:b,latency:a [ms],latency:b [ms],think time [s]\n4,2,60,80,1\n"
    measured.write_text(f"{two}20,9,170,200,1\n40,19,900,950,1\n", encoding="utf-8")
    assert "hidden delay (b)" in run("calibrate", measured, "--all").out
    without_pauses = (TELEMETRY / name for name in ("wrk_2.txt", "wrk_8.txt"))
    assert "✓ USABLE" in run("calibrate", *without_pauses).out
