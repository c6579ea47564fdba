"""The commands over a server's configuration: predict, whatif, size, growth."""

import csv
import json
import re

import pytest

from tests.advisor.configurations import QUIET, varied

NEW = "examples/new_server.toml"
AS_TESTED = "examples/proliant2000_as_tested.toml"
CALIBRATED = "examples/mail_server_calibrated.toml"


def parsed(outcome):
    assert (outcome.code, outcome.err) == (0, "")
    return json.loads(outcome.out, parse_constant=pytest.fail)


@pytest.fixture
def server(tmp_path):
    def server(**tables):
        path = tmp_path / "server.json"
        path.write_text(json.dumps(varied(QUIET, **tables), indent=1), encoding="utf-8")
        return path

    return server


@pytest.mark.parametrize("config", [NEW, CALIBRATED, AS_TESTED])
def test_predict_a_configuration(run, config):
    data = parsed(run("predict", config, "--users", "5:15:5", "--json"))
    assert [each["users"] for each in data["predictions"]] == [5, 10, 15]
    for each in data["predictions"]:
        queues = [m for name, m in each["metrics"].items() if name.startswith("queue_length:")]
        assert queues
        for queue in queues:
            assert 0.0 <= queue["low"] <= queue["mid"] <= queue["high"]
    assert data["knee"]["users"]["mid"] >= 1
    assert data["saturation"]["resource"] == "cpu"
    said = run("predict", config, "--users", "5:15:5").out
    assert re.search(r"^ *10\*? ", said, re.MULTILINE)
    assert "best balance at " in said
    assert "cpu is full" in said


def test_what_users_alone_would_fill_is_not_marked_beside_batch_tasks(run):
    for config, users, marked in ((NEW, 800, True), (AS_TESTED, 20, False)):
        assert (" full  " in run("predict", config, "--users", users).out) == marked


def test_predict_writes_csv_and_pictures(run, tmp_path):
    table, svg, png = (tmp_path / name for name in ("a.csv", "a.svg", "a.PNG"))
    first = run("predict", NEW, "--users", "300:900:300", "-o", table, "--plot", svg)
    assert first.code == 0
    assert first.err.splitlines() == [f"wrote {table}", f"wrote {svg}"]
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert {row["quantity"] for row in rows} == {
        "response_time", "throughput", "utilization", "queue_length",
    }  # fmt: skip
    assert {row["users"] for row in rows} == {"300", "600", "900"}
    assert all(float(r["low"]) <= float(r["mid"]) <= float(r["high"]) for r in rows)
    drawn = svg.read_text(encoding="utf-8")
    assert 'aria-label="Response time against 300 to 900 users' in drawn
    assert "saturation" in drawn
    assert run("predict", NEW, "--users", "300:900:300", "--plot", png).code == 0
    content = png.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert b"Response time against 300 to 900 users" in content
    again = run("predict", NEW, "--users", "300", "--csv", table)
    assert (again.code, again.out) == (2, "")
    assert again.err == f"{table}: exists already; use --force to overwrite it\n"
    assert run("predict", NEW, "--users", "300", "--csv", table, "--force").code == 0


def test_whatif_without_a_steady_state(run, server):
    path = server(workload={"arrival_rate": "1 /s"})
    outcome = run("whatif", path, "--set", "workload.class.edit.cpu=2 s")
    assert outcome.code == 3
    assert "no steady state" in outcome.out
    assert run("whatif", path, "--set", "workload.class.edit.cpu=2 s", "--json").code == 3


def test_size(run):
    words = ("size", NEW, "--users", "500", "--response", "100ms", "--vary", "server.cpus",
             "--vary", "disk.drives=4,6", "--vary", "disk.raid=raid10,raid5")  # fmt: skip
    data = parsed(run(*words, "--json"))
    assert data["complete"]
    assert data["cost_note"].startswith("no prices are given")
    (same,) = (e for e in data["front"] if e["settings"] == data["cheapest"]["settings"])
    assert same["meets"]
    assert same["cost"] == data["cheapest"]["cost"]
    assert data["cheapest"]["prediction"]["metrics"]["response_time"]["high"] <= 0.1
    assert data["front"][-1]["step"] is None
    assert all(each["step"]["next_settings"] for each in data["front"][:-1])
    said = run(*words)
    assert (said.code, said.err) == (0, "")
    assert "✓ cheapest: cost 15 by the convention below for 500 users" in said.out
    assert "cost is a convention" in re.sub(r"\s+", " ", said.out)


def test_size_when_nothing_meets_the_target(run):
    for form in ((), ("--json",)):
        outcome = run("size", NEW, "--response", "1ms", "--vary", "server.cpus", *form)
        assert (outcome.code, outcome.err) == (3, "")
        assert outcome.out


def test_growth_from_past_months(run, tmp_path):
    path = tmp_path / "users.csv"
    rows = [f"2025-{m:02d},{300 * 1.02**m + m % 2:.1f}" for m in range(1, 8)]
    path.write_text("month,users\n" + "\n".join(rows), encoding="utf-8")
    data = parsed(
        run("predict", NEW, "--history", path, "--alternative", "two: server.cpus=2", "--json")
    )
    assert 0.015 < data["growth_per_month"]["mid"] < 0.025
    (upgrade,) = data["upgrades"]
    assert upgrade["title"] == "two"
    assert upgrade["months_bought"]["low"] > 0.0


def test_parts_without_a_price_are_counted_on_the_first_screen(run, written):
    prices = written(
        "prices.toml",
        '[processor]\n"Intel Xeon Silver 4314" = "700 EUR 2026-10"\n'
        '[drive]\n"Samsung PM9A3" = "420 EUR 2026-11"\n'
        '[network]\n"25 Gb Ethernet" = "300 EUR 2026-11"\n',
    )
    asked = ("size", "examples/processor_of_today.toml", "--cost", prices)
    first, whole = (" ".join(run(*asked, *more).out.split()) for more in ((), ("--all",)))
    assert "cheapest: cost 2,960 EUR for 900 users" in first
    assert "cost in EUR at prices of 2026-10 to 2026-11" in first
    assert "more: --all" in first
    assert 'drive "Samsung BM1743"' not in first
    assert 'drive "Samsung BM1743"' in whole
