"""Suppressions: who may be silenced, until when, and what that does to a review."""

import json
from datetime import timedelta

import pytest

import advisor
from advisor.loading import configuration_of
from qmodel.documents.document import parse_document
from qmodel.errors import FileError
from tests.advisor.configurations import EXAMPLES, QUIET
from tests.advisor.reports import TODAY, silenced, suppressing, with_suppressions
from tests.tables import rows

DAY = timedelta(days=1)
#: Of one class, with five findings.
SMALL = EXAMPLES / "groupwise52_netbench.toml"


def codes(review):
    return {each.rule for each in review.findings}


def test_a_suppressed_finding_is_listed_and_does_not_count(overloaded):
    found = silenced()
    assert codes(overloaded) - codes(found) == {"MEM001"}
    suppressed, _ = found.suppressed
    said = (suppressed.state, suppressed.reason, suppressed.until)
    assert said == ("in force", "no free slots", "2026-12-31")
    (located,) = suppressed.findings
    assert located in overloaded.findings
    assert not suppressed.notice
    titles = {a.option.change.title for a in (*found.advice, *found.trades, *found.rejected)}
    assert "install 64 MB" in {a.option.change.title for a in overloaded.advice}
    assert "install 64 MB" not in titles
    assert "install 64 MB" not in {s.advice.option.change.title for s in found.plan.steps}


def test_what_is_suppressed_does_not_reach_a_level():
    every = [("CAP001", "known", ""), ("LAN001", "known", ""), ("TGT001", "known", "")]
    found = suppressing(*every, path=SMALL)
    assert {(each.state, each.until) for each in found.suppressed} == {("in force", "")}
    assert not found.reaches("error")
    assert found.reaches("warning")


@pytest.mark.parametrize(("later", "state"), [(-1, "in force"), (0, "in force"), (1, "expired")])
def test_a_suppression_holds_through_its_last_day(later, state):
    configuration = with_suppressions(("channel-share", "ordered", TODAY.isoformat()), path=SMALL)
    found = advisor.review(configuration, today=TODAY + later * DAY)
    (suppressed,) = found.suppressed
    assert (suppressed.rule, suppressed.state) == ("LAN001", state)
    assert ("LAN001" in codes(found)) == (state == "expired")
    assert bool(suppressed.findings) == (state == "in force")
    assert ("ended on 2026-06-01" in suppressed.notice) == (state == "expired")
    assert configuration.document.text.splitlines()[suppressed.line - 1] == "[[suppress]]"


def test_a_suppression_that_finds_nothing_says_so():
    (suppressed,) = suppressing(("DSK001", "old", ""), path=SMALL).suppressed
    assert suppressed.state == "unused"
    assert suppressed.notice == "the suppression of DSK001 has nothing to suppress"


def test_without_a_day_the_clock_decides():
    dates = ("LAN001", "a", "1999-12-31"), ("CAP001", "b", "9999-12-31")
    configuration = with_suppressions(*dates, path=SMALL)
    states = [each.state for each in advisor.review(configuration).suppressed]
    assert states == ["expired", "in force"]


@pytest.mark.parametrize(("keys", "problem"), rows(__file__, "mistakes_have_a_line"))
def test_mistakes_have_a_line(keys, problem):
    text = with_suppressions().document.text
    assert len(text.splitlines()) == 37
    document = parse_document(f"{text}\n\n[[suppress]]\n{keys}\n", "toml", "server.toml")
    with pytest.raises(FileError) as caught:
        configuration_of(document)
    assert str(caught.value).startswith(problem)


def test_json_writes_the_date_as_text():
    data = {**QUIET, "suppress": [{"rule": "CPU001", "reason": "a", "until": "2026-06-01"}]}
    document = parse_document(json.dumps(data), "json", "server.json")
    assert configuration_of(document).settings.suppress[0].until == TODAY
