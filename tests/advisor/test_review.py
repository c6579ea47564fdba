"""The engine: every effect is a solved model, what is worse is not recommended, nothing twice."""

from itertools import pairwise

import pytest

import advisor
from advisor.findings.records import LEVELS
from advisor.rules import RULES
from qmodel.documents.toml_text import toml_text
from tests.advisor.configurations import batch, quiet, varied
from tests.advisor.oracle import users_times


def everything(review):
    return (*review.advice, *review.trades, *review.rejected)


def changed_data(data, settings):
    """A file with some keys rewritten, by hand."""
    data = varied(data)
    for key, value in settings:
        place = data
        for part in key[:-1]:
            place = place.setdefault(part, {}) if isinstance(place, dict) else place[part]
        place[key[-1]] = list(value) if isinstance(value, tuple) else value
    return data


def test_effects_are_those_of_the_plain_recursion(as_tested, overloaded):
    """Every option, solved again from the changed file by a solver that shares nothing."""
    count = 0
    for review in (as_tested, overloaded):
        before = users_times(review.configuration.data)
        for advice in everything(review):
            if advice.option.effort == "server":
                continue  # shares of fewer users are tested on their own
            data = changed_data(review.configuration.data, advice.option.change.settings)
            after = users_times(data)
            times = [e for e in advice.effect if e.unit == "s"]
            assert len(times) == len(before[0])
            for c, effect in enumerate(times):
                was = sum(member[c] for member in before) / len(before)
                assert effect.before.mid == pytest.approx(was, rel=1e-9)
                will = sum(member[c] for member in after) / len(after)
                assert effect.after.mid == pytest.approx(will, rel=1e-9)
                relative = [new[c] / old[c] - 1 for old, new in zip(before, after, strict=True)]
                assert effect.change.mid == pytest.approx(will / was - 1, rel=1e-9, abs=1e-12)
                signs = {r > 0 for r in relative if abs(r) > 0.01}
                assert len(signs) < 2 or effect.disagree
            count += 1
    assert count >= 12


def test_effects_are_those_of_the_changed_file(reviews, tmp_path):
    """Every option written into a file, read and predicted anew: all metrics, all ends."""
    for review in reviews:
        for advice in everything(review):
            path = tmp_path / "changed.toml"
            data = changed_data(review.configuration.data, advice.option.change.settings)
            path.write_text(toml_text(data))
            after = advisor.predict(advisor.load_config(path)).outlook
            expected = {
                f"response time of {c.name}": c.response_time for c in after.classes if not c.batch
            }
            expected |= {f"utilization of {r.name}": r.utilization for r in after.resources}
            for effect in advice.effect:
                assert effect.after == expected[effect.metric]
            busiest = max(after.resources, key=lambda r: r.utilization.high)
            assert advice.risk == (busiest.name, busiest.utilization.high)


def test_every_option_of_every_finding_is_tried(reviews):
    for review in reviews:
        tried = {advice.option.change.settings for advice in everything(review)}
        offered = {o.change.settings for f in review.findings for o in f.finding.options}
        assert tried == offered


def test_effects_name_every_class_of_users_and_every_resource(overloaded):
    for advice in overloaded.advice:
        metrics = [e.metric for e in advice.effect]
        assert metrics == [
            "response time of edit", "response time of search", "utilization of cpu",
            "utilization of disk", "utilization of lan",
        ]  # fmt: skip


def test_classes_weigh_by_how_often_their_users_wait(overloaded):
    """Users over the time from one interaction to the next, by Little's law."""
    populations = {"edit": 36, "search": 4}
    for advice in overloaded.advice:
        for effect in advice.effect:
            name = effect.metric.partition(" of ")[2]
            expected = populations[name] / effect.before.mid if effect.unit == "s" else 0.0
            assert effect.weight == pytest.approx(expected, rel=1e-3)


def test_no_advice_is_given_twice(reviews):
    for review in reviews:
        settings = [a.option.change.settings for a in everything(review)]
        assert len(settings) == len(set(settings))
        titles = [a.option.change.title for a in everything(review)]
        assert len(titles) == len(set(titles))


def test_two_rules_with_the_same_change_give_one_advice():
    """80 % is the target and the threshold too: both rules send the same users elsewhere."""
    found = advisor.review(
        quiet(
            workload={"users": 30},
            user={"cpu": "1 s", "disk_kb": 0, "lan_kb": 0, "write_share": 0},
            targets={"utilization": "80 %"},
        )
    )
    offered = [
        (f.rule, o.change)
        for f in found.findings
        for o in f.finding.options
        if o.effort == "server"
    ]
    assert [rule for rule, _ in offered] == ["CAP001", "TGT001"]
    assert offered[0][1] == offered[1][1]
    assert [a.rule for a in found.advice if a.option.effort == "server"] == ["CAP001"]


def test_one_class_slower_is_enough_for_a_trade():
    """A night batch makes room at the processor; its users then crowd the drives."""
    classes = [
        {"name": "edit", "cpu": "0.5 s", "disk_kb": 16, "share": 0.5, "write_share": 0},
        {"name": "store", "cpu": "0.01 s", "disk_kb": 4000, "share": 0.5, "write_share": 1},
    ]
    found = advisor.review(quiet(disk={"raid": "raid0"}, workload={"class": classes, "users": 6}))
    trades = {a.option.change.settings[0][1]: a.trade for a in found.trades}
    assert trades["raid5"].cost.metric == "response time of store"


def test_users_are_sent_elsewhere_although_a_task_does_not_fit_into_the_night():
    """The option would move it as well; nine hours do not fit into eight."""
    stays = batch(window=("08:00", "18:00"), cpu="1 s", duration="9 h")
    found = advisor.review(quiet(workload={"users": 40}, user={"cpu": "1 s"}, batch=[stays]))
    assert {f.rule for f in found.findings} >= {"CAP001", "SCH001"}


def test_findings_come_gravest_first_with_their_line(reviews):
    for review in reviews:
        order = [LEVELS.index(f.finding.level) for f in review.findings]
        assert order == sorted(order)
        text = review.configuration.document.text.splitlines()
        for located in review.findings:
            key = [part for part in located.finding.key if isinstance(part, str)][-1]
            assert key in text[located.line - 1]


def test_ranking(reviews):
    for review in reviews:
        ends_failures = [
            bool(a.finding.level == "error" and a.option.benefit) for a in review.advice
        ]
        assert ends_failures == sorted(ends_failures, reverse=True)
        elsewhere = [a.option.effort == "server" for a in review.advice]
        assert elsewhere == sorted(elsewhere)
        rest = [
            a.effect[0].change.mid
            for a, first, last in zip(review.advice, ends_failures, elsewhere, strict=True)
            if not first and not last
        ]
        assert all(one <= other + 0.01 for one, other in pairwise(rest))


def test_skipped_is_not_passed(recommended):
    found = advisor.review(quiet())
    assert not found.findings
    assert {s.rule for s in found.skipped} >= {"MEM001", "SCH001", "TGT001"}
    assert all(s.reason and s.state in {"not-applicable", "no-evidence"} for s in found.skipped)
    assert not recommended.findings
    skipped = {s.rule for s in recommended.skipped}
    assert not skipped & {"CPU001", "MEM001", "RAID001", "SCH001", "TGT001"}


def test_each_rule_speaks_or_is_skipped_or_is_content(reviews):
    codes = {rule.code for rule in RULES}
    for review in reviews:
        spoken = {f.rule for f in review.findings}
        assert not spoken & {s.rule for s in review.skipped}
        assert spoken | {s.rule for s in review.skipped} <= codes


def test_only_the_rules_asked_for_are_asked():
    configuration = quiet(disk={"raid": "raid0"}, batch=[batch(cpu="1 s")])
    found = advisor.review(configuration, [rule for rule in RULES if rule.code == "RAID001"])
    assert {f.rule for f in found.findings} == {"RAID001"}
    assert not found.skipped


def test_reaches():
    warned = advisor.review(quiet(disk={"raid": "raid0"}))
    assert [warned.reaches(level) for level in LEVELS] == [False, True, True]
    content = advisor.review(quiet())
    assert not any(content.reaches(level) for level in LEVELS)
