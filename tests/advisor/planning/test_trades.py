"""Trades: what protects and costs response time is neither recommended nor rejected."""

import json
from io import StringIO

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

import advisor
from advisor.findings.targets import missed
from advisor.report.answers import answer, schema_text
from advisor.report.explanation import explanation_lines
from advisor.report.html_report import html_report
from advisor.report.json_report import review_data
from advisor.report.planning import trade_text
from advisor.report.sarif import sarif_data
from advisor.report.terminal import SECTIONS, show_review
from advisor.rule_support.rule import Rule
from advisor.rules import RULES
from tests.advisor.configurations import quiet
from tests.advisor.planning.test_ranking import option, reviewed
from tests.tables import asked, rows

SAFE = {"benefit": "one drive may fail without loss of data"}
#: Fast drives that hardly anybody waits for: any protection is felt.
FAST = {
    "disk": {"raid": "raid0", "drives": 4, "drive": "NVMe SSD"},
    "workload": {"users": 50, "think_time": "5 s"},
    "user": {"cpu": "2 ms", "disk_kb": 400, "lan_kb": 10, "write_share": "50 %"},
    "lan": {"rate": "1 Gb/s"},
}


@pytest.fixture(scope="module")
def fast():
    return advisor.review(quiet(**FAST, targets={"response_time": "100 ms"}))


def test_protection_of_fast_drives_is_offered_and_not_called_worse(fast):
    offered = {a.option.change.settings[0][1] for a in fast.trades if a.rule == "RAID001"}
    assert {"raid5", "raid10"} <= offered
    assert not [a for a in fast.rejected if a.rule == "RAID001"]
    for each in fast.trades:
        assert "protects" not in each.rejected
        assert each.reason is None
        assert not each.recommended


def test_a_trade_is_no_recommendation(fast):
    """Neither advice nor a step of the plan, and no part of the plan's effect."""
    assert fast.trades
    traded = {a.option.change for a in fast.trades}
    assert not traded & {a.option.change for a in fast.advice}
    assert not traded & {step.advice.option.change for step in fast.plan.steps}
    assert not traded & {left.advice.option.change for left in fast.plan.left}


def test_the_cheapest_comes_first(fast):
    costs = [a.trade.cost.change.mid for a in fast.trades]
    assert costs == sorted(costs)
    assert len(costs) >= 3


@pytest.mark.parametrize(("targets", "words"), rows(__file__, "targets_held"))
def test_it_says_whether_the_targets_still_hold(targets, words):
    targets = asked(targets, globals())
    found = advisor.review(quiet(**FAST, **({"targets": targets} if targets else {})))
    for each in found.trades:
        assert trade_text(each).endswith(words)
        after = each.option.change.apply(found.configuration)
        assert each.trade.missed == missed(after, advisor.predict(after).outlook)


def test_a_target_that_is_met_today_and_not_with_it_is_named():
    today = advisor.predict(quiet(**FAST)).outlook.time_of("edit").high
    limit = f"{today * 1.005!r} s"
    found = advisor.review(quiet(**FAST, targets={"response_time": limit}))
    for each in found.trades:
        assert [m.what for m in each.trade.newly] == ["response time of edit"]
        assert "then missed: response time of edit" in trade_text(each)


SLOW = {"server.cpu_speed": 0.5}
QUICK = {"server.cpu_speed": 2.0}
EVEN = {"server.memory": "1 GB"}


@pytest.mark.parametrize(("settings", "more", "where"), rows(__file__, "what_is_a_trade"))
def test_what_is_a_trade(settings, more, where):
    found = reviewed(
        quiet(workload={"users": 15}),
        option("an option", asked(settings, globals()), **asked(more, globals())),
    )
    places = {name: len(getattr(found, name)) for name in ("advice", "trades", "rejected")}
    assert places == {name: int(name == where) for name in places}
    if where != "rejected":
        assert not found.rejected


def test_what_leaves_no_steady_state_is_no_trade():
    open_ = quiet(workload={"arrival_rate": "9 /s"})
    found = reviewed(open_, option("slow and safe", {"server.cpu_speed": 0.5}, **SAFE))
    assert [a.reason for a in found.rejected] == ["no steady state"]
    assert not found.trades


def test_a_trade_neither_dominates_nor_is_dominated():
    configuration = quiet(workload={"users": 15})
    safe = option("slow and safe", SLOW, **SAFE)
    fast_ = option("fast", QUICK)
    found = reviewed(configuration, safe, fast_)
    assert [a.option for a in found.trades] == [safe]
    assert [a.option for a in found.advice] == [fast_]


def test_every_report_tells_it_as_a_trade(fast):
    growth = ((fast.alone, fast.outlook),)
    said = trade_text(fast.trades[0])
    title = fast.trades[0].option.change.title
    assert said.startswith(SAFE["benefit"])

    data = json.loads(json.dumps(answer("advise", review_data(fast, growth))))
    Draft202012Validator(json.loads(schema_text())).validate(data)
    assert [each["title"] for each in data["trades"]] == [
        a.option.change.title for a in fast.trades
    ]
    assert data["trades"][0]["trade"]["promised"] is True
    assert all(each["trade"] is None for each in (*data["advice"], *data["rejected"]))

    page = html_report(fast, growth)
    assert "Trades, for you to weigh" in page
    assert 'id="trade-1"' in page
    assert 'href="#trade-1"' in page

    console = Console(width=300, record=True, file=StringIO())
    show_review(console, fast, growth, sections=SECTIONS)
    text = console.export_text()
    assert "trades, for you to weigh" in text
    assert f"1. {title} (RAID001): {said}" in text

    (result,) = (r for r in sarif_data(fast)["runs"][0]["results"] if r["ruleId"] == "RAID001")
    assert f"Trade: {title}: {said}." in result["message"]["text"]
    assert f"{title}: {said}" in result["properties"]["trades"]

    (rule,) = (each for each in RULES if each.code == "RAID001")
    assert isinstance(rule, Rule)
    located = [f for f in fast.findings if f.rule == "RAID001"]
    lines = "\n".join(explanation_lines(fast, rule, located))
    assert f"option: {title} (a trade: {said})" in lines
