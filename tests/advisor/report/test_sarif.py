"""SARIF 2.1.0: valid by the published schema, and every finding where it stands in the file.

The schema is that of SchemaStore (2.1.0-rtm.5), as the npm package @microsoft/jest-sarif
1.0.0-beta.0 carries it under the MIT licence.
"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

import advisor
from advisor.findings.baseline import Known, compare
from advisor.report.sarif import FINGERPRINT, sarif_data
from advisor.rules import RULES
from tests.advisor.configurations import MEASURED, configured, varied
from tests.advisor.reports import HOSTILE, SERVERS, hostile, review_of, silenced

SCHEMA = json.loads(
    (Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft4Validator(SCHEMA)


def valid(review, baseline=None):
    log = json.loads(json.dumps(sarif_data(review, baseline), allow_nan=False))
    errors = [f"{list(e.path)}: {e.message}" for e in VALIDATOR.iter_errors(log)]
    assert not errors
    (run,) = log["runs"]
    return run


def test_the_schema_is_that_of_the_version():
    assert SCHEMA["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    assert list(VALIDATOR.iter_errors({"version": "2.1.0", "runs": [{}]}))
    assert not list(
        VALIDATOR.iter_errors({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "a"}}}]})
    )


@pytest.mark.parametrize("path", SERVERS, ids=lambda path: path.stem)
def test_every_example_is_valid(path):
    review = review_of(path)
    assert len(valid(review)["results"]) == len(review.findings)


def test_rules_have_their_manual(overloaded):
    rules = valid(overloaded)["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == [each.code for each in RULES]
    for each, rule in zip(rules, RULES, strict=True):
        assert each["help"]["text"] == rule.manual.strip()
        assert each["fullDescription"]["text"].endswith(".")
        assert "\n" not in each["fullDescription"]["text"]


def test_results_point_at_rule_and_key(overloaded):
    run = valid(overloaded)
    lines = overloaded.configuration.document.text.splitlines()
    for result, located in zip(run["results"], overloaded.findings, strict=True):
        assert result["level"] == located.finding.level
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["ruleId"] == located.rule
        assert result["message"]["text"].startswith(located.finding.message)
        assert result["partialFingerprints"] == {FINGERPRINT: located.fingerprint}
        (place,) = result["locations"]
        region = place["physicalLocation"]["region"]
        line = lines[region["startLine"] - 1]
        marked = line[region["startColumn"] - 1 : region["endColumn"] - 1]
        assert marked == next(k for k in reversed(located.finding.key) if isinstance(k, str))


def test_a_key_that_is_not_written_is_the_table_around_it():
    review = advisor.review(configured(varied(MEASURED, server={"processor": "486DX/50"})))
    for result in valid(review)["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        line = review.configuration.document.text.splitlines()[region["startLine"] - 1]
        assert line[region["startColumn"] - 1 : region["endColumn"] - 1].strip()


def test_suppressions_baseline_and_skipped_rules():
    review = silenced()
    known = [
        Known(
            rule=f.rule, slug=f.slug, level=f.finding.level, message=f.finding.message,
            fingerprint=f.fingerprint,
        )
        for f in review.findings[1:]
    ]  # fmt: skip
    gone = Known(rule="OLD001", slug="a", level="note", message="b", fingerprint="0" * 16)
    run = valid(review, compare(review, (*known, gone)))
    by_state = {}
    for each in run["results"]:
        by_state.setdefault(each.get("baselineState"), []).append(each["ruleId"])
    assert by_state["new"] == [review.findings[0].rule]
    assert by_state["absent"] == ["OLD001"]
    assert by_state[None] == ["MEM001"]
    assert len(by_state["unchanged"]) == len(known)
    (suppressed,) = (r for r in run["results"] if "suppressions" in r)
    (suppression,) = suppressed["suppressions"]
    assert suppression["kind"] == "inSource"
    assert suppression["justification"] == "no free slots (until 2026-12-31)"
    (invocation,) = run["invocations"]
    assert any("ended on" in n["message"]["text"] for n in invocation["toolExecutionNotifications"])


def test_a_rule_that_could_not_judge_is_a_notification_and_no_result(recommended):
    skipped = {each.rule for each in recommended.skipped}
    run = valid(recommended)
    assert not skipped & {each["ruleId"] for each in run["results"]}
    said = run["invocations"][0]["toolExecutionNotifications"]
    assert skipped <= {each.get("associatedRule", {}).get("id") for each in said}


def messages(part):
    if isinstance(part, dict):
        if isinstance(part.get("text"), str) and "markdown" not in part:
            yield part["text"]
        for each in part.values():
            yield from messages(each)
    elif isinstance(part, list):
        for each in part:
            yield from messages(each)


def test_text_of_the_configuration_is_no_link_and_no_placeholder():
    review, _ = hostile()
    run = valid(review)
    texts = list(messages({k: v for k, v in run.items() if k != "tool"}))
    with_text = [text for text in texts if "alert(1)" in text]
    assert with_text
    for text in with_text:
        assert "](" not in text
        assert "{0}" not in text.replace("{{0}}", "")
    (result, *_) = (r for r in run["results"] if "suppressions" in r)
    assert result["suppressions"][0]["justification"] == HOSTILE
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%3Cb%3E%26%27.json"
