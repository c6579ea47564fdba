"""Every command that prints JSON says its form and version, and every answer follows it."""

import json
from functools import cache, partial

import pytest
from jsonschema import Draft202012Validator

import qmodel as qm
from advisor.cli.app import COMMANDS
from advisor.report.answers import PREDICTING, VERSION, schema_text
from scripts.json_calls import CALLS, MODEL, called
from tests.advisor.configurations import ROOT
from tests.tables import rows

#: What has no answer of its own: files are all they write.
WITHOUT = {"init", "report"}
#: What takes seconds: its form was made from it, and `test_simulate` holds a check to it.
LONG = {("agreement",), ("audit", "--all"), ("solve", MODEL, "--check"),
        ("calibrate", "examples/load_test.csv", "--profile")}  # fmt: skip
#: Models of every kind that are examples.
MODELS = sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "examples").glob("*.toml")
    if "[[station]]" in path.read_text(encoding="utf-8")
)  # fmt: skip


@cache
def validator(command):
    schema = json.loads(schema_text(command))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def held(run, words):
    done = run(*words, "--json")
    assert done.code in {0, 1, 3}, done.err
    data = json.loads(done.out)
    assert (data["schema"], data["command"]) == (VERSION, words[0])
    wrong = [f"{e.json_path}: {e.message[:200]}" for e in validator(words[0]).iter_errors(data)]
    assert not wrong, "python -m scripts.write_schemas"


#: What predicts is held to its form in `test_answers`.
SHORT = [words for words in CALLS if words[0] not in PREDICTING and words not in LONG]


@pytest.mark.parametrize("words", SHORT, ids=" ".join)
def test_every_answer_follows_its_form(run, tmp_path, words, monkeypatch):
    """Whatever a simulation's intervals are."""
    fewer = partial(qm.simulate_over_time, replications=4)
    monkeypatch.setattr(qm, "simulate_over_time", fewer)
    held(run, called(words, tmp_path))


@pytest.mark.parametrize("words", rows(__file__, "beside"), ids=" ".join)
def test_an_answer_that_no_form_was_made_of_follows_one(run, words):
    held(run, words)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_of_the_examples(run, model):
    held(run, ["solve", model])


@pytest.mark.parametrize("command", sorted({*COMMANDS} - WITHOUT))
def test_every_command_prints_its_form(run, command):
    assert command in {words[0] for words in CALLS}
    done = run(command, "--schema")
    assert done.code == 0
    assert done.out == schema_text(command)


@pytest.mark.parametrize("command", sorted({*COMMANDS} - WITHOUT - {*PREDICTING}))
def test_parts_of_the_answers_have_one_form(command):
    for name, part in json.loads(schema_text(command))["$defs"].items():
        assert part == json.loads(schema_text())["$defs"][name], "python -m scripts.write_schemas"


def test_a_wrong_answer_does_not_follow():
    good = {"schema": VERSION, "command": "examples", "folder": "x", "examples": ["a"]}
    assert validator("examples").is_valid(good)
    for wrong in ({"schema": 1}, {"command": "solve"}, {"examples": [1]}, {"more": 1}):
        assert not validator("examples").is_valid({**good, **wrong})
