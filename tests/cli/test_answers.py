"""What predicts prints one form with ``--json``, and one schema says which."""

import json

import pytest
from jsonschema import Draft202012Validator

from advisor.report.answers import VERSION, schema_text
from tests.advisor.reports import SERVERS

VALIDATOR = Draft202012Validator(json.loads(schema_text()))


def followed(outcome, command):
    data = json.loads(outcome.out, parse_constant=pytest.fail)
    VALIDATOR.validate(data)
    assert (data["schema"], data["command"]) == (VERSION, command)
    return data


#: What the commands are asked, of a configuration; of `advise` see
#: `tests/advisor/report/test_json_schema.py`.
ASKED = {
    "predict": ("--users", "5,50"),
    "whatif": ("--set", "workload.users=5"),
    "size": ("--vary", "server.cpus=1,2", "--utilization", "99 %"),
}


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize("path", SERVERS, ids=lambda path: path.stem)
def test_every_command_on_every_example_follows_it(run, command, path):
    outcome = run(command, path, "--json", *ASKED[command])
    if not outcome.out:  # it has no answer, and says why in a line
        assert (outcome.code, outcome.err.count("\n")) in {(2, 1), (3, 1)}
        return
    followed(outcome, command)


def test_growth_follows_it(run):
    growth = ("predict", "examples/new_server.toml", "--growth", "3%/month", "--json")
    data = followed(run(*growth, "--alternative", "x: disk.raid=raid10"), "predict")
    units = {each["target"].split(" of ")[0]: each["unit"] for each in data["crossings"]}
    assert units == {"response time": "s", "utilization": "1"}
