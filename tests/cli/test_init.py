"""Configurations to start from: templates, a calibration, and a few numbers of a monitor."""

import pytest
import typer

import advisor
from advisor.cli import init
from advisor.configuration.asked_server import AskedServer, asked_text
from advisor.loading import load_config
from qmodel.errors import InvalidInput
from tests.advisor.configurations import ROOT

FITTED = ROOT / "examples" / "calibrated" / "load_test.json"


@pytest.mark.parametrize("preset", init.PRESET_NAMES)
def test_every_preset_is_a_server_without_warnings(run, tmp_path, preset):
    path = tmp_path / "server.toml"
    assert run("init", path, "--preset", preset).code == 0
    assert advisor.load_config(path).warnings == ()
    outcome = run("advise", path)
    assert outcome.code == 0
    assert len(outcome.out.splitlines()) <= 40


def test_a_calibration_is_ready_to_advise(run, written, tmp_path):
    of_two = FITTED.read_bytes().replace(b"load_test.csv", b"k1.csv + p1.json", 1)
    file = written("cal.json", of_two)
    assert run("init", "--from", file, "-o", tmp_path / "server.toml").code == 0
    assert 'title = "k1 + p1"' in (tmp_path / "server.toml").read_text(encoding="utf-8")
    assert run("advise", tmp_path / "server.toml").code == 0
    again = run("init", "--from", file, "-o", tmp_path / "server.toml")
    assert again.code == 2
    assert "exists" in again.err
    assert run("init", "--from", file, "-o", tmp_path / "server.toml", "--force").code == 0


def test_a_measured_day_is_the_profile(run, written, tmp_path):
    rates = [5] * 6 + [10, 20, 40, 80, 90, 95, 100, 90, 90, 85, 80, 50, 40, 30, 20, 10, 5, 5]
    day = [
        f"2026-11-18 {hour:02}:00:00,2026-11-18 {hour:02}:59:00,{x},{0.8 * x},1"
        for hour, x in enumerate(rates)
    ]
    head = "start,end,throughput [1/s],utilization:cpu [%],servers:cpu"
    table = written("day.csv", "\n".join([head, *day]).encode())
    assert run("calibrate", table, "-o", tmp_path / "day.json").code == 0
    assert run("init", "--from", tmp_path / "day.json", "-o", tmp_path / "day.toml").code == 0
    workload = load_config(tmp_path / "day.toml").settings.workload
    assert (workload.arrival_rate, str(workload.peak)) == (100.0, "09:00-17:00")
    assert [share for _, share in workload.profile.steps[:3]] == [0.05, 0.1, 0.2]


def test_a_calibration_elsewhere_is_named_with_a_place_that_would_do(run, written, tmp_path):
    (tmp_path / "a").mkdir()
    file = written("cal.json", FITTED.read_bytes())
    for place in (file, tmp_path / "a" / ".." / file.name):
        outcome = run("init", "--from", place, "-o", tmp_path / "a" / "server.toml")
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)
        assert str(tmp_path / "server.toml") in outcome.err


def test_what_a_monitor_shows_gives_the_demands():
    """Exactly, where the numbers come from a network that is known."""
    asked = AskedServer("x", 4, 0.6, 0.120, 0.25, users=120, think_time=3.0)
    assert asked.throughput == pytest.approx(120 / 3.12)
    assert asked.demand == pytest.approx(0.6 * 4 / asked.throughput)
    with pytest.raises(InvalidInput, match="more than the response time"):
        asked_text(AskedServer("x", 64, 0.9, 0.120, 0.25, users=120, think_time=3.0))
    for busy, means in ((0.9, "900 ms"), (1.0, "queues without end")):
        with pytest.raises(InvalidInput, match=f"% busy at 10 requests/s means {means}"):
            asked_text(AskedServer("x", 1, busy, 0.150, 0.25, arrival_rate=10.0))


def test_the_usual_answers_fit_and_a_contradiction_is_asked_again(monkeypatch):
    given = {"many users": [20, 300], "busy": ["40", "40 %"]}

    def prompt(question, default, **_):
        return next((v.pop(0) for key, v in given.items() if key in question and v), default)

    monkeypatch.setattr(typer, "prompt", prompt)
    assert ("users = 300" in init._asked(), "users = 400" in init._asked()) == (True, True)


@pytest.mark.parametrize("known", ["users", "requests"])
def test_the_numbers_in_brackets_fit_a_busy_processor(monkeypatch, known):
    once = {"cores": [1], "busy": ["90 %"], "users or": [known]}
    monkeypatch.setattr(typer, "prompt", lambda question, default, **_: next(
        (answers.pop() for key, answers in once.items() if key in question), default
    ))  # fmt: skip
    assert "my server" in init._asked()


def test_the_usual_rate_is_a_plain_number(monkeypatch):
    shown = {}
    monkeypatch.setattr(typer, "prompt", lambda question, default, **_: shown.setdefault(
        question, "requests" if "users or" in question else default
    ))  # fmt: skip
    init._asked()
    assert shown["How many requests per second?"] == "80 /s"


@pytest.mark.parametrize("drives", [0, 2, 6])
@pytest.mark.parametrize("answer", ["users", "requests"])
def test_the_questions_lead_to_what_was_observed(monkeypatch, written, answer, drives):
    answers = {
        "server for": 'the "shop"', "cores": 8, "drives": drives,
        "read and write": "1.99 MB/s", "busy": "half", "on average": "110 ms",
        "users or": answer, "at work": 210, "an answer": "2 s", "per second?": "99.5 /s",
        "may a request": "250 ms",
    }  # fmt: skip

    def prompt(question, **_):
        key = next(k for k in answers if k in question)
        if key == "busy":  # an answer that means nothing is asked again
            given, answers["busy"] = answers["busy"], "50 %"
            return given
        return answers[key]

    monkeypatch.setattr(typer, "prompt", prompt)
    found = advisor.predict(advisor.load_config(written("server.toml", init._asked()))).outlook
    assert found.response_time.mid == pytest.approx(0.110, rel=0.01)
    assert found.resource("cpu").utilization.mid == pytest.approx(0.5, rel=0.01)
    assert ("disk" in [r.name for r in found.resources]) == (drives > 0)
