"""The published schema of what predicts as JSON: all output follows it, and nothing else does."""

import copy
import json
import re

import pytest
from jsonschema import Draft202012Validator, ValidationError

from advisor.findings.baseline import Known, compare
from advisor.report.answers import answer, schema_text
from advisor.report.json_report import review_data
from advisor.report.prediction_data import verdict_data
from tests.advisor.reports import PAGES, SERVERS, hostile, review_of, reviewed, silenced

SCHEMA = json.loads(schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def plain(data, command="advise"):
    return json.loads(json.dumps(answer(command, data), allow_nan=False))


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)
    assert len(SERVERS) >= 7


@pytest.mark.parametrize("path", SERVERS, ids=lambda path: path.stem)
def test_every_example_follows_it(path):
    found = reviewed(path) if path in PAGES else (review_of(path), ())
    VALIDATOR.validate(plain(review_data(*found)))


def test_reviews_in_which_every_rule_speaks_follow_it(reviews):
    for each in reviews:
        VALIDATOR.validate(plain(review_data(each, ())))
    VALIDATOR.validate(plain(review_data(*hostile())))


def test_suppressions_and_a_baseline_follow_it():
    found = silenced()
    gone = Known(rule="A001", slug="a", level="note", message="b", fingerprint="0" * 16)
    data = plain(review_data(found, (), compare(found, (gone,))))
    VALIDATOR.validate(data)
    assert [each["state"] for each in data["suppressed"]] == ["in force", "expired"]
    assert data["baseline"]["gone"][0]["rule"] == "A001"
    assert len(data["baseline"]["new"]) == len(data["findings"])


def tables(schema):
    """Every part of the schema that describes an object."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for each in schema.values():
            yield from tables(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from tables(each)


def test_every_table_is_closed_and_every_key_described():
    found = list(tables(SCHEMA))
    assert len(found) > 30
    for table in found:
        # Tables whose keys are names of the user's say what their values are.
        assert table["additionalProperties"] is False or not table["properties"]
        assert table["description"]
        for name, part in table["properties"].items():
            described = re.search(r"'(description|\$ref)'", str(part))
            assert part == {} or described or part["items"] == {"type": "string"}, name


@pytest.mark.parametrize("key", sorted(SCHEMA["$defs"]["advise"]["required"]))
def test_nothing_may_be_missing_or_added(overloaded, key):
    data = plain(review_data(overloaded, ()))
    VALIDATOR.validate(data)
    less = copy.deepcopy(data)
    del less[key]
    with pytest.raises(ValidationError):
        VALIDATOR.validate(less)
    with pytest.raises(ValidationError):
        VALIDATOR.validate({**data, f"{key}_2": 1})


def test_a_verdict_says_in_whole_users_what_limits_them(overloaded):
    found = verdict_data(overloaded.verdict)
    fit = found["users_that_fit"]
    assert [type(fit[end]) for end in ("low", "mid", "high")] == [int] * 3
    assert fit["unit"] == "users"
    assert fit["mid"] <= overloaded.verdict.most.mid < fit["mid"] + 1
    assert found["limited_by"]["what"] in {"response_time", "utilization"}
    assert found["fits"] is (found["state"] in {"FITS", "AT RISK"})
