"""A run held against an earlier one: new, unchanged, graver, gone; and fingerprints."""

import copy
import json
from dataclasses import replace
from functools import cache

import pytest

import advisor
from advisor.findings.baseline import compare, load_baseline
from advisor.findings.records import fingerprint
from advisor.report.answers import answer
from advisor.report.json_report import review_data
from qmodel.errors import FileError
from tests.advisor.configurations import OVERLOADED, example
from tests.advisor.reports import review_of, silenced
from tests.tables import asked, rows


@pytest.fixture(params=[1, 2])
def earlier(request, tmp_path):
    """Findings of a review, as read back from a file of either form that an earlier run wrote."""

    def earlier(review):
        path = tmp_path / "old.json"
        data = answer("advise", review_data(review, ()))
        if request.param == 1:
            new = ("command", "verdict", "now", "after", "alone", "predictions")
            data = {key: value for key, value in data.items() if key not in new}
            data |= {"schema": 1, "outlook": {}, "users_alone": {}, "growth": []}
        path.write_text(json.dumps(data), encoding="utf-8")
        return load_baseline(path)

    return earlier


def marks(findings):
    return [each.fingerprint for each in findings]


def test_against_itself_all_is_unchanged(overloaded, earlier):
    found = compare(overloaded, earlier(overloaded))
    assert (found.new, found.gone) == ((), ())
    assert found.unchanged == overloaded.findings


@cache
def with_memory():
    return advisor.review(example(OVERLOADED, server={"memory": "64 MB"}))


def test_what_was_mended_is_gone_and_what_came_is_new(overloaded, earlier):
    better = with_memory()
    there = compare(better, earlier(overloaded))
    assert [each.rule for each in there.gone] == ["MEM001"]
    assert there.new == ()
    back = compare(overloaded, earlier(better))
    assert [each.rule for each in back.new] == ["MEM001"]
    assert back.gone == ()


def test_two_findings_of_one_rule_are_two(overloaded, earlier):
    first, second = (f for f in overloaded.findings if f.rule == "TGT001")
    assert first.fingerprint != second.fingerprint
    twice = replace(overloaded, findings=(first, first))
    found = compare(twice, earlier(replace(overloaded, findings=(first,))))
    assert (len(found.new), len(found.unchanged)) == (1, 1)


def test_a_graver_finding_is_new(overloaded, earlier):
    first = overloaded.findings[0]
    assert first.finding.level == "error"
    milder = replace(first, finding=replace(first.finding, level="warning"))
    was_milder = compare(overloaded, earlier(replace(overloaded, findings=(milder,))))
    assert first in was_milder.new
    is_milder = compare(replace(overloaded, findings=(milder,)), earlier(overloaded))
    assert milder in is_milder.unchanged


def test_suppressed_findings_are_neither_gone_nor_known(overloaded, earlier):
    quiet = silenced()
    assert compare(quiet, earlier(overloaded)).gone == ()
    assert [each.rule for each in compare(overloaded, earlier(quiet)).new] == ["MEM001"]


def test_numbers_do_not_change_a_fingerprint(overloaded):
    more = advisor.review(example(OVERLOADED, workload={"users": 44}))
    assert marks(more.findings) == marks(overloaded.findings)
    said = [f.finding.message for f in overloaded.findings]
    assert [f.finding.message for f in more.findings] != said


def test_a_task_before_another_does_not_change_its_fingerprint():
    review = review_of(OVERLOADED)
    (located,) = (f for f in review.findings if f.rule == "SCH001")
    data = copy.deepcopy(review.configuration.data)
    data["batch"].insert(0, {"name": "another"})
    moved = replace(located.finding, key=("batch", 1, "window"))
    assert fingerprint("SCH001", moved, data) == located.fingerprint
    assert fingerprint("SCH001", located.finding, data) != located.fingerprint
    assert fingerprint("SCH002", moved, data) != located.fingerprint


@pytest.mark.parametrize(("text", "problem"), rows(__file__, "another_file_is_refused"))
def test_another_file_is_refused(tmp_path, text, problem):
    path = tmp_path / "old.json"
    path.write_text(asked(text, globals()), encoding="utf-8")
    with pytest.raises(FileError, match=r"old\.json:") as caught:
        load_baseline(path)
    assert problem in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"none\.json: cannot read: no such file"):
        load_baseline(tmp_path / "none.json")
