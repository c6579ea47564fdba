"""What predicts prints one form with ``--json``, and one schema says which."""

import json

import pytest
from jsonschema import Draft202012Validator

from advisor.report.answers import schema_text
from calibration.fitting.saved import load_calibration
from tests.advisor.configurations import EXAMPLES
from tests.advisor.reports import SERVERS

VALIDATOR = Draft202012Validator(json.loads(schema_text()))
CALIBRATIONS = sorted((EXAMPLES / "calibrated").glob("*.json"))


def followed(outcome, command):
    data = json.loads(outcome.out, parse_constant=pytest.fail)
    VALIDATOR.validate(data)
    assert (data["schema"], data["command"]) == (2, command)
    return data


@pytest.mark.parametrize("command", ["advise", "predict", "size", "whatif"])
def test_the_schema_is_printed_by_each(run, command):
    outcome = run(command, "--schema")
    assert (outcome.code, outcome.err) == (0, "")
    assert json.loads(outcome.out)["$id"] == "urn:qmodel:answers:2"


#: What the commands are asked, of a configuration; of `advise` see
#: `tests/advisor/report/test_json_schema.py`.
ASKED = {
    "predict": (),
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


@pytest.mark.parametrize("path", CALIBRATIONS, ids=lambda path: path.stem)
def test_a_calibration_and_its_configuration_predict_the_same(run, path, tmp_path):
    """The metrics of the file that `init --from` writes are those of the calibration itself."""
    calibration = load_calibration(path)
    beside = tmp_path / "server.toml"
    copied = tmp_path / path.name
    copied.write_bytes(path.read_bytes())
    assert run("init", beside, "--from", copied).code == 0
    counts = (1, calibration.data.populations[1], 2 * calibration.data.populations[1])
    asked = ("--users", ",".join(map(str, counts)), "--json")
    one = followed(run("predict", copied, *asked), "predict")
    other = followed(run("predict", beside, *asked), "predict")
    for here, there in zip(one["predictions"], other["predictions"], strict=True):
        assert [here[key] for key in ("users", "population", "extrapolated", "bottleneck")] == [
            there[key] for key in ("users", "population", "extrapolated", "bottleneck")
        ]
        shared = here["metrics"].keys() & there["metrics"].keys()
        assert {"response_time", "throughput"} < shared
        for name in shared:
            ends = [here["metrics"][name][end] for end in ("low", "mid", "high")]
            assert ends == pytest.approx(
                [there["metrics"][name][end] for end in ("low", "mid", "high")], rel=1e-9
            ), name
    users = [each["saturation"]["users"]["mid"] for each in (one, other)]
    assert users[0] == pytest.approx(users[1], rel=1e-9)


def test_growth_follows_it(run):
    growth = ("predict", "examples/new_server.toml", "--growth", "3%/month", "--json")
    data = followed(run(*growth, "--alternative", "x: disk.raid=raid10"), "predict")
    assert data["crossings"]
