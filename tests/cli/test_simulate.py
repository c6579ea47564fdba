"""``qmodel simulate`` and ``qmodel solve --check``: one screen, JSON, and what is refused."""

import json
import sys
from functools import partial
from io import StringIO
from pathlib import Path
from time import sleep
from xml.dom.minidom import parseString

import pytest

import qmodel as qm
from advisor.cli import output
from tests.advisor.configurations import ROOT
from tests.cli.test_json_contract import validator
from tests.tables import rows, text_of

MODEL = "examples/two_tier.toml"
#: Three stations, one with a finite buffer: no method of analysis takes it.
BEYOND = Path(__file__).with_name("beyond_analysis.toml").read_text(encoding="utf-8")

#: Intervals are soon narrow where nobody waits.
QUICK = text_of(__file__, "quick")


def test_one_screen_with_the_answer_first(run):
    done = run("simulate", MODEL, "--events", "8000", "--target", "2s")
    lines = done.out.splitlines()
    assert done.code == 0
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert "edit: response time 0." in lines[1]
    assert "late" in done.out
    assert "±" in done.out


def test_json_is_that_of_the_library(run):
    document = json.loads(run("simulate", MODEL, "--events", "4000", "--seed", "4", "--json").out)
    found = qm.simulate(qm.load_network(ROOT / MODEL), events=4_000, seed=4).to_dict()
    for name in ("schema", "command", "seconds", "provenance"):
        document.pop(name, None)
        found.pop(name, None)
    assert document == found


def test_workers_say_the_same(run):
    one, two = (run("simulate", MODEL, "--events", "4000", "--workers", n).out for n in "12")
    assert one.split("events in")[0] == two.split("events in")[0]


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_solution_is_checked(run, tmp_path, option):
    path = tmp_path / "quick.toml"
    text = QUICK.replace('"1 s" }', '"1 s", cpu = "1 ms" }')
    path.write_text(f'{text}[[station]]\nname = "cpu"\nkind = "queueing"\n', encoding="utf-8")
    said = run("solve", path, "--check", *option).out
    assert "checked by simulation: within" in said
    if option:
        assert json.loads(said)["check"]["agrees"] is True
        assert validator("solve").is_valid(json.loads(said))


def test_what_analysis_refuses_names_the_way_out(run, written):
    path = written("beyond.toml", BEYOND)
    refused = run("solve", path)
    assert refused.code == 3
    assert refused.err.endswith(f"; qmodel simulate {path} can do it\n")
    assert run("simulate", path, "--events", "4000").code == 0


def test_an_unstable_model_says_where_and_that_a_time_axis_shows_it(run, tmp_path):
    path = tmp_path / "unstable.toml"
    text = BEYOND.replace("population = 5", 'arrival_rate = "2 /s"').replace("buffer = 2\n", "")
    path.write_text(text, encoding="utf-8")
    for command, said in (("simulate", "unstable"), ("solve", "--until 30min can do it")):
        done = run(command, path)
        assert done.code == 3
        assert said in done.err


@pytest.fixture
def few(monkeypatch):
    """Over time a tenth of the replications: what is looked at does not need narrow intervals."""
    fewer = partial(qm.simulate_over_time, replications=10)
    monkeypatch.setattr(qm, "simulate_over_time", fewer)


@pytest.mark.usefixtures("few")
def test_a_time_axis_needs_no_stability(run, written):
    path = written("unstable.toml", BEYOND.replace("population = 5", 'arrival_rate = "2 /s"'))
    lines = run("simulate", path, "--until", "20s").out.splitlines()
    assert len(lines) == 22
    assert max(map(len, lines)) <= 80
    customers = [float(line[23:32]) for line in lines[2:]]
    assert customers[-1] > 10.0 > customers[0]


@pytest.mark.usefixtures("few")
def test_a_load_over_time_is_shown_and_written(run, tmp_path):
    model, load = tmp_path / "lan.toml", tmp_path / "load.csv"
    model.write_text(QUICK, encoding="utf-8")
    load.write_text("time,load,users\n0,1,1\n10s,200 %,3\n", encoding="utf-8")
    for name in ("curve.svg", "curve.csv"):
        done = run("simulate", model, "--until", "20s", "--load", load, "-o", tmp_path / name)
        assert done.code == 0
    bars = [(line[10:22].strip(), float(line[23:32])) for line in done.out.splitlines()[2:]]
    assert [len(bar) for bar, there in bars] == [round(12 * there / 60.0) for _, there in bars]
    assert {round(there) for _, there in bars} == {20, 60}
    assert max(map(len, done.out.splitlines())) <= 80
    picture = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert picture.count("<path") == 3
    assert parseString(picture).documentElement.namespaceURI == "http://www.w3.org/2000/svg"
    table = (tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()
    assert len(table) == 21
    assert table[-1].startswith('20.0,"users",60.0,')


@pytest.mark.usefixtures("few")
def test_steps_without_answers_and_classes_without_room(run, written, tmp_path):
    path, table = written("never.toml", text_of(__file__, "never")), tmp_path / "a.csv"
    lines = run("simulate", path, "--until", "20s", "-o", table).out.splitlines()
    assert lines[2].split() == ["1", "s", "0", *"----"]
    assert lines[-1] == "1 more class: -o FILE.csv"
    head, first = table.read_text(encoding="utf-8").splitlines()[:2]
    assert head.split(",")[3:5] == ["throughput [1/s]", "response_time [s]"]
    assert first == '1.0,"a",0.0,0.0,,,'


@pytest.mark.parametrize(("text", "said"), rows(__file__, "bad_loads"))
def test_a_bad_load_is_one_line(run, written, text, said):
    done = run("simulate", MODEL, "--until", "1min", "--load", written("load.csv", text))
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_advice_is_checked_and_a_disagreement_is_said_first(run, monkeypatch, tmp_path):
    """A linearizer whose times are a third too long is found out on the first line."""
    from advisor.predicting import checked

    monkeypatch.setattr(checked, "EVENTS", 4_000)
    config = tmp_path / "server.toml"  # of fewer users a simulation is soon warm
    text = (ROOT / "examples/new_server.toml").read_text(encoding="utf-8")
    config.write_text(text.replace("users = 400", "users = 100"), encoding="utf-8")
    assert "Checked by simulation: within" in run("report", config, "--check", "-o", "-").out

    def too_long(network):
        solution = qm.solve(network)
        times = [[1.3 * time for time in row] for row in solution.residence_times]
        return qm.Solution(network, "wrong", solution.throughputs, times)

    monkeypatch.setattr(checked, "solve_network", too_long)
    lines = run("advise", config, "--check").out.splitlines()
    assert lines[0].startswith("✗ simulation differs from wrong")


def test_a_terminal_sees_that_a_long_solution_goes_on(monkeypatch):
    class Terminal(StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(output, "BEAT", 0.01)
    monkeypatch.setattr(sys, "stderr", Terminal())
    with output.working("solving"):
        sleep(0.2)
    assert sys.stderr.getvalue().startswith("\rsolving: 3 s\rsolving: 4 s")
    assert sys.stderr.getvalue().endswith("\r\x1b[K")


def test_a_rough_answer_says_so_first(run):
    first, second, *_ = run("solve", "examples/fcfs_variable_service.toml").out.splitlines()
    assert first.startswith("rough: simulation gives an interval, qmodel simulate examples/fcfs")
    assert "error not recorded for networks like this (stations visited again" in second
