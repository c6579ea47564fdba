"""Commands on several machines: the answer first, one screen, one form of JSON."""

import json

import pytest

from tests.cli.test_answers import followed
from tests.tables import rows, text_of

SHOP = "examples/shop.toml"
ASKED = {
    "advise": (),
    "predict": ("--users", "100:600:100"),
    "whatif": ("--set", "service.shop.connections=8", "--alternative", "x: machine.db.drives=4"),
    "size": ("--vary", "service.shop.connections=2:12"),
}


@pytest.mark.parametrize("command", ASKED)
def test_each_command_has_a_screen_and_a_form(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    shown = run(command, SHOP, *ASKED[command])
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    data = followed(run(command, SHOP, *ASKED[command], "--json"), command)
    if command == "size":
        assert data["cheapest"]["settings"] == {"service.shop.connections.orders": 5}


def test_all_commands_answer_one_question_alike(run):
    advised = followed(run("advise", SHOP, "--json"), "advise")
    predicted = followed(run("predict", SHOP, "--users", "600", "--json"), "predict")
    changed = followed(run("whatif", SHOP, *ASKED["whatif"], "--json"), "whatif")
    assert advised["now"] == predicted["predictions"][0] == changed["before"]
    assert advised["verdict"]["users_that_fit"] == predicted["verdict"]["users_that_fit"]


def test_advice_for_other_users_is_what_is_predicted_of_them(run):
    advised = followed(run("advise", SHOP, "--users", "300", "--json"), "advise")
    predicted = followed(run("predict", SHOP, "--users", "300", "--json"), "predict")
    assert advised["now"] == predicted["predictions"][0]


def test_no_size_that_meets_the_targets_is_said(run):
    assert run("size", SHOP, "--vary", "service.shop.connections=1,2").code == 3
    assert run("advise", SHOP, "--fail-on", "error").code == 1


def test_the_report_has_the_curve_of_the_pool(run, tmp_path):
    path = tmp_path / "shop.html"
    outcome = run("report", SHOP, "-o", path, "--today", "2026-01-02")
    assert (outcome.code, outcome.out) == (0, "")
    page = path.read_text(encoding="utf-8")
    for said in ("TOO SLOW", "shop→orders connections: 4 → 9", "of use: 9", "POOL001"):
        assert said in page
    assert "Response time by shop→orders connections" in page
    assert "<script" not in page
    assert run("report", SHOP, "-o", path).code == 2


def test_the_layered_model_behind_it_is_shown_and_solved(run, written):
    path = written("layers.toml", run("explain", "--network", SHOP).out)
    solved = json.loads(run("solve", path, "--json").out)
    advised = followed(run("advise", SHOP, "--json"), "advise")["now"]["metrics"]
    time = solved["users"]["buyers"]["response_time"]
    assert time == pytest.approx(advised["response_time"]["mid"], rel=1e-9)


@pytest.mark.parametrize("words", rows(__file__, "few_users"))
def test_a_class_that_so_few_users_lack_has_its_column(run, written, words):
    """It is called as a service is."""
    shown = run(words[0], written("classes.toml", text_of(__file__, "classes")), *words[1:])
    assert (shown.code, "shop p95" in " ".join(shown.out.split())) == (0, True)
    assert " -  " in shown.out


def test_any_number_is_the_largest(run):
    asked = ("--users", "400", "--vary", "service.shop.threads=any,200,150")
    found = followed(run("size", SHOP, *asked, "--json"), "size")["candidates"]
    assert [each["settings"]["service.shop.threads"] for each in found] == [150, 200, "any"]
