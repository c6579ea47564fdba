"""``qmodel simulate`` and ``qmodel solve --check``: one screen, JSON, and what is refused."""

import json

import pytest

import qmodel as qm
from tests.advisor.configurations import ROOT

MODEL = "examples/two_tier.toml"
#: Three stations, one with a finite buffer: no method of analysis takes it.
BEYOND = """
[[station]]
name = "saw"
kind = "queueing"

[[station]]
name = "drill"
kind = "queueing"
buffer = 2

[[station]]
name = "paint"
kind = "queueing"

[[class]]
name = "pallets"
population = 5
demand = { saw = "1 s", drill = "1 s", paint = "1 s" }
"""

#: Intervals are soon narrow where nobody waits.
QUICK = """
[[station]]
name = "lan"
kind = "delay"

[[class]]
name = "users"
population = 20
demand = { lan = "1 s" }
"""


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
    for name in ("seconds", "provenance"):
        document.pop(name, None)
        found.pop(name, None)
    assert document == found


def test_workers_say_the_same(run):
    one, two = (
        run("simulate", MODEL, "--events", "4000", "--workers", n).out.split("events in")[0]
        for n in ("1", "2")
    )
    assert one == two


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_solution_is_checked(run, tmp_path, option):
    path = tmp_path / "delay.toml"
    path.write_text(QUICK, encoding="utf-8")
    said = run("solve", path, "--check", *option).out
    assert "checked by simulation: within" in said
    assert not option or json.loads(said)["check"]["agrees"] is True


def test_what_analysis_refuses_names_the_way_out(run, tmp_path):
    path = tmp_path / "beyond.toml"
    path.write_text(BEYOND, encoding="utf-8")
    refused = run("solve", path)
    assert refused.code == 3
    assert refused.err.endswith(f"; qmodel simulate {path} can do it\n")
    assert run("simulate", path, "--events", "4000").code == 0


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--precision", "abc", "--precision: "),
        ("--precision", "0.000001%", "an hour gives about"),
        ("--until", "-3s", "--until: must be above 0"),
        ("--seconds", "-1", "seconds is -1, expected > 0"),
        ("--events", "0", "events is 0, expected > 0"),
    ],
)
def test_bad_options_are_one_line(run, option, value, said):
    done = run("simulate", MODEL, option, value)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_an_unstable_model_says_where(run, tmp_path):
    path = tmp_path / "unstable.toml"
    text = BEYOND.replace("population = 5", 'arrival_rate = "2 /s"')
    path.write_text(text, encoding="utf-8")
    done = run("simulate", path)
    assert done.code == 3
    assert "unstable" in done.err


def test_a_time_axis_needs_no_stability(run, tmp_path):
    path = tmp_path / "unstable.toml"
    path.write_text(BEYOND.replace("population = 5", 'arrival_rate = "2 /s"'), encoding="utf-8")
    lines = run("simulate", path, "--until", "20s").out.splitlines()
    assert len(lines) == 22
    assert max(map(len, lines)) <= 80
    customers = [float(line.split()[2]) for line in lines[2:]]
    assert customers[-1] > 10.0 > customers[0]
