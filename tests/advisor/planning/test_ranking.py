"""Ranking: why options are rejected, what dominates what, plans and regrets, by brute force."""

import json
from html import unescape
from io import StringIO
from itertools import combinations

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

import advisor
from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.report.answers import answer, schema_text
from advisor.report.explanation import explanation_lines
from advisor.report.html_report import html_report
from advisor.report.json_report import review_data
from advisor.report.planning import left_lines, left_text, rejection_text
from advisor.report.sarif import sarif_data
from advisor.report.terminal import SECTIONS, show_review
from advisor.rule_support.rule import Rule
from tests.advisor.configurations import measured, quiet
from tests.advisor.oracle import users_times
from tests.advisor.test_review import changed_data
from tests.tables import asked, rows


def option(title, settings, effort="setting", **more):
    change = Change(title, tuple((tuple(k.split(".")), v) for k, v in settings.items()))
    return Option(change, ("a test",), effort, **more)


def proposing(*options, level="warning"):
    """A rule that proposes these options whatever it sees."""
    evidence = Evidence("something", 1.0, "1", "given", "a test")

    def check(_case):
        yield Finding(level, "problem", "something", ("server",), (evidence,), options)

    return Rule("TST001", "a-test", "nothing", __doc__, check)


def reviewed(configuration, *options):
    return advisor.review(configuration, [proposing(*options)])


#: The processor is busy, everything else is not.
BUSY = {"workload": {"users": 15}, "user": {"cpu": "1 s"}}
MANY = option("use 16 processors", {"server.cpus": 16}, "part")
FEW = option("use 8 processors", {"server.cpus": 8}, "part")


@pytest.mark.parametrize(
    ("configuration", "options", "reason", "words"), rows(__file__, "rejected")
)
def test_a_rejected_option_is_listed_with_its_reason_everywhere(
    configuration, options, reason, words
):
    options = asked(options, globals())
    review = reviewed(asked(configuration, globals()), *options)
    (found,) = review.rejected
    assert found.reason == reason
    assert words in found.rejected
    assert found.option.change not in [s.advice.option.change for s in review.plan.steps]

    growth = ((review.alone, review.outlook),)
    said = f"{found.option.change.title} (TST001): {rejection_text(found)}"
    console = Console(width=1000, record=True, file=StringIO())
    show_review(console, review, growth, sections=SECTIONS)
    assert said in console.export_text()
    data = json.loads(json.dumps(answer("advise", review_data(review, growth)), allow_nan=False))
    Draft202012Validator(json.loads(schema_text())).validate(data)
    (row,) = data["rejected"]
    assert (row["reason"], row["rejected"]) == (reason, found.rejected)
    page = unescape(html_report(review, growth)).replace("\u00a0", " ")
    assert rejection_text(found) in page
    (result,) = sarif_data(review)["runs"][0]["results"]
    assert result["properties"]["rejected"] == [said.replace(" (TST001)", "")]
    lines = list(explanation_lines(review, proposing(*options), review.findings))
    assert any(f"not recommended, {rejection_text(found)}" in line for line in lines)


def test_a_recommended_option_has_no_reason(reviews):
    for review in reviews:
        assert all(a.reason is None and not a.rejected for a in review.advice)
        assert all(a.reason and a.rejected for a in review.rejected)


COUNTS = [("server.cpus", 1), ("server.cpus", 2), ("server.cpus", 3), ("server.cpus", 5)]


@pytest.mark.parametrize("cpu", ["0.2 s", "0.5 s", "1 s", "3 s"])
@pytest.mark.parametrize("users", [3, 8, 20])
def test_of_one_part_no_more_is_advised_than_can_be_felt(cpu, users):
    """Against every pair by brute force: fewer of the same that nobody could tell from more."""
    configuration = quiet(workload={"users": users}, user={"cpu": cpu})
    options = [option(f"use {n}", {"server.cpus": n}, "part") for n in (6, 2, 4, 3, 16)]
    review = reviewed(configuration, *options)
    times = {}
    for each in options:
        after = advisor.predict(each.change.apply(configuration)).outlook
        times[each.change.title] = (each.change.settings[0][1], after.time_of("edit").mid)
    advised = [times[a.option.change.title] for a in review.advice]
    for (n, time), (m, other) in combinations(sorted(advised), 2):
        assert n < m
        assert other < time / 1.01 * (1 + 1e-9)
    for each in review.rejected:
        if each.reason == "dominated":
            n, time = times[each.option.change.title]
            assert any(m < n and other <= time * 1.01 * (1 + 1e-9) for m, other in advised)


def test_of_two_settings_that_exclude_each_other_the_better_one_dominates():
    better = option("64 KB", {"disk.stripe": "64 KB"})
    worse = option("4 KB", {"disk.stripe": "4 KB"})
    busy = quiet(disk={"stripe": "1 KB"}, user={"disk_kb": 1000}, workload={"users": 10})
    for order in ((better, worse), (worse, better)):
        review = reviewed(busy, *order)
        assert [a.option for a in review.advice] == [better]
        assert [(a.option, a.reason) for a in review.rejected] == [(worse, "dominated")]


@pytest.mark.parametrize(
    "spared", [{"benefit": "one drive may fail without loss of data"}, {"effort": "part"}]
)
def test_what_has_something_to_be_said_for_it_is_not_dominated(spared):
    """A benefit that the better one lacks; a part whose price nobody knows."""
    kind = spared.get("effort", "setting")
    better = option("64 KB", {"disk.stripe": "64 KB"}, kind, side_effects=())
    other = option("4 KB", {"disk.stripe": "4 KB"}, **{"effort": kind, **spared})
    busy = quiet(disk={"stripe": "1 KB"}, user={"disk_kb": 1000}, workload={"users": 10})
    assert not reviewed(busy, better, other).rejected


def test_a_side_effect_that_only_the_better_one_has_speaks_against_it():
    better = option("64 KB", {"disk.stripe": "64 KB"}, side_effects=("lose a night",))
    other = option("4 KB", {"disk.stripe": "4 KB"})
    busy = quiet(disk={"stripe": "1 KB"}, user={"disk_kb": 1000}, workload={"users": 10})
    assert not reviewed(busy, better, other).rejected


def test_options_of_different_keys_never_dominate_each_other():
    fast = option("fast", {"server.cpu_speed": 2.0})
    review = reviewed(quiet(**BUSY), fast, option("two", {"server.cpus": 2}, "part"))
    assert len(review.advice) == 2


#: Options of which some exclude each other, some overlap, some bring nothing.
CHOICES = (
    option("Pentium/100", {"server.processor": "Pentium/100"}, "part"),
    option("Pentium/90", {"server.processor": "Pentium/90"}, "part"),
    option("10 Mb/s", {"lan.rate": "10 Mb/s"}, "setting"),
    option("two segments", {"lan.segments": 2}, "part"),
    option("large blocks", {"disk.stripe": "16 KB"}, "setting"),
)
CASES = {
    "processor": {"workload": {"users": 20}},
    "wire": {"workload": {"users": 15}, "lan": {"rate": "2 Mb/s"}},
    "drives": {"workload": {"users": 15}, "disk": {"stripe": "1 KB"}},
    "all": {"workload": {"users": 20}, "lan": {"rate": "3 Mb/s"}, "disk": {"stripe": "2 KB"}},
}


def every_set(options):
    """All sets of options of which no two set the same key."""
    for size in range(len(options) + 1):
        for chosen in combinations(options, size):
            keys = [key for each in chosen for key, _ in each.change.settings]
            if len(keys) == len(set(keys)):
                yield chosen


def relative(data, chosen):
    """Mean response time after some options, of all calibrations, against that of today."""
    before = users_times(data)
    for each in chosen:
        data = changed_data(data, each.change.settings)
    return sum(new[0] for new in users_times(data)) / sum(old[0] for old in before)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_plan_is_as_good_as_the_best_of_all_sets(case):
    """All sets of options by the plain recursion; the last percent of each step is left out."""
    configuration = measured(**case)
    plan = reviewed(configuration, *CHOICES).plan
    found = {chosen: relative(configuration.data, chosen) for chosen in every_set(CHOICES)}
    assert len(found) == 3 * 2 * 2 * 2
    best = min(found.values())
    chosen = {step.advice.option for step in plan.steps}
    mine = next(each for options, each in found.items() if set(options) == chosen)
    assert plan.steps[-1].effect[0].change.mid == pytest.approx(mine - 1)
    left_out = len(CHOICES) - len(chosen)
    assert mine <= best * 1.01**left_out

    # Each step counts: without any one of them it would be felt, or it excludes a lesser one.
    for step in chosen:
        fewer = relative(configuration.data, chosen - {step})
        assert fewer > mine * 1.005


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_is_left_out_brings_what_is_said(case):
    configuration = measured(**case)
    plan = reviewed(configuration, *CHOICES).plan
    steps = tuple(step.advice.option for step in plan.steps)
    reached = relative(configuration.data, steps)
    keys = {key for each in steps for key, _ in each.change.settings}
    assert {each.advice.option for each in plan.left}.isdisjoint(steps)
    for each in plan.left:
        option_ = each.advice.option
        excluded = bool({key for key, _ in option_.change.settings} & keys)
        assert (each.reason == "instead") is excluded
        if each.gain:
            then = relative(configuration.data, (*steps, option_))
            assert each.gain.change.mid == pytest.approx(then / reached - 1, abs=1e-9)
            assert f"{each.gain.change.mid * 100:+.1f} % after the steps".replace(
                "-0.0", "+0.0"
            ) in left_text(each)


def test_overlapping_benefits_are_said_to_overlap():
    """Two segments and a faster wire each nearly halve the wire; the second brings little."""
    configuration = measured(workload={"users": 15}, lan={"rate": "2 Mb/s"})
    wire, segments = CHOICES[2], CHOICES[3]
    plan = reviewed(configuration, wire, segments).plan
    assert [step.advice.option for step in plan.steps] == [wire]
    (left,) = plan.left
    assert left.reason == "too small"
    assert left.advice.effect[0].change.mid < -0.03
    assert abs(left.gain.change.mid) < 0.01
    assert "two segments" in " ".join(left_lines(plan))
