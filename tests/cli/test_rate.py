"""The commands by requests per second: what fits, where it ends, and beyond."""

import json
import re

import pytest

from advisor.cli.loads import MOST, rates
from qmodel.errors import InvalidInput
from tests.tables import text_of

SERVER = text_of(__file__, "server")
TABLE = text_of(__file__, "table")


@pytest.fixture
def server(tmp_path):
    def write(rate):
        file = tmp_path / "server.toml"
        file.write_text(SERVER.format(rate=rate))
        return file

    return write


def test_so_many_requests_fit(run, server):
    found = run("predict", server(300), "--rate", "100:500:100")
    assert "320 requests/s fit, then cpu reaches 80 %; you have 300 requests/s" in found.out
    assert "500  unbounded" in found.out
    assert "cpu is full at 400 requests/s" in found.out


def test_a_server_that_gets_too_much_is_advised_on(run, server):
    found = run("advise", server(450))
    assert "OVERLOADED" in found.out
    assert "320 /s would" in found.out
    assert "ends overload" in found.out
    for command in (("advise", server(450), "--details"), ("report", server(450), "-o", "-")):
        told = run(*command).out
        assert "ends overload" in told
        assert not re.search(r'-100\.0.%|"nan"', told)
    said = json.loads(run("advise", server(450), "--json").out)
    assert said["verdict"]["state"] == "OVERLOADED"
    assert said["now"]["metrics"]["response_time"]["mid"] is None
    assert said["now"]["arrival_rate"] == 450
    assert said["after"]["metrics"]["utilization:cpu"]["mid"] <= 0.8


def test_what_ends_an_overload(run, server):
    found = run("whatif", server(450), "--set", "server.cores=16")
    assert "unbounded -> 20.1 ms (ends overload)" in found.out
    assert "-100.0 %" not in found.out
    assert "server.cores = 24" in run("size", server(300), "--rate", "800").out


def test_classes_may_have_rates_of_their_own(run, server):
    file = server(0)
    one = file.read_text().replace('arrival_rate = "0 /s"\n', "")
    rate = 'arrival_rate = "200 /s"\n'
    search = '[[workload.class]]\nname = "search"\ncpu = "40 ms"\n'
    file.write_text(one.replace("[targets]", f"{rate}{search}{rate}[targets]"))
    assert "you have 400 requests/s" in run("predict", file).out
    file.write_text(one.replace("[targets]", f"{rate}{search}[targets]"))
    found = run("predict", file)
    assert "workload.class[1].arrival_rate: required, other classes have one" in found.err


@pytest.mark.usefixtures("few_laws")
def test_a_table_of_rates_from_calibration_to_advice(run, tmp_path):
    table, fitted, config = (tmp_path / name for name in ("t.csv", "t.json", "t.toml"))
    table.write_text(TABLE)
    found = run("calibrate", table, "-o", fitted)
    assert "50 to 350 requests/s" in " ".join(found.out.split())
    run("init", "--from", fitted, "-o", config)
    asked = ("--rate", "350,600", "--json")
    one, other = (json.loads(run("predict", f, *asked).out) for f in (fitted, config))
    for ours, theirs in zip(one["predictions"], other["predictions"], strict=True):
        for name in ("response_time", "throughput", "utilization:cpu"):
            for end in ("low", "mid", "high"):
                a, b = ours["metrics"][name][end], theirs["metrics"][name][end]
                assert a == b or a == pytest.approx(b, rel=1e-9)
    assert one["predictions"][1]["metrics"]["response_time"]["low"] is None


@pytest.mark.parametrize("text", ["", "0", "-1", "1:2:0", "5:1", "x", "1:2:3:4", "nan", "1e99"])
def test_rates_that_mean_nothing(text):
    with pytest.raises(InvalidInput, match="--rate"):
        rates(text)
    with pytest.raises(InvalidInput, match=f"{MOST:,} loads"):
        rates("1:100000")
