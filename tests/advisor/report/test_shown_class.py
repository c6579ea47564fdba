"""Options and plans are shown by the class that misses its target by most."""

import copy

import pytest

from advisor.engine import review
from tests.advisor.configurations import QUIET, configured


def two_classes(target):
    data = copy.deepcopy(QUIET)
    data["workload"]["class"] = [
        {"name": "mail", "share": 0.6, "cpu": "0.1 s", "disk_kb": 80, "write_share": "50 %"},
        {"name": "report", "share": 0.4, "cpu": "0.2 s", "disk_kb": 900, "write_share": "20 %"},
    ]
    return configured(data | {"targets": {"response_time": target}})


@pytest.mark.parametrize(("target", "shown"), [("1 s", "report"), ("0.01 s", "report")])
def test_the_class_that_misses_its_target_by_most_comes_first(target, shown):
    found = review(two_classes(target))
    assert found.plan.steps
    metric = f"response time of {shown}"
    assert {a.effect[0].metric for a in (*found.advice, *found.rejected) if a.effect} == {metric}
    for step in found.plan.steps:
        assert step.effect[0].metric == step.gain.metric == metric
        assert {e.metric for e in step.effect if e.unit == "s"} == {
            "response time of mail",
            "response time of report",
        }


def test_where_no_time_misses_its_target_the_first_class_does():
    found = review(two_classes("100 s"))
    shown = {a.effect[0].metric for a in (*found.advice, *found.rejected) if a.effect}
    assert shown <= {"response time of mail"}
