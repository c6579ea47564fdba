"""The same input gives the same bytes, and says what it was made of."""

import hashlib
import json

from tests.advisor.configurations import ROOT
from tests.cli.conftest import in_a_process

COMMANDS = [
    ("solve", "examples/two_tier.toml", "--json"),
    ("sweep", "examples/two_tier.toml", "--vary", "population.edit=10:40:10", "--json"),
    ("advise", "examples/new_server.toml", "--json"),
    ("predict", "examples/calibrated/load_test.json", "--users", "10,20", "--json"),
    ("calibrate", "examples/load_test.csv", "--json"),
]


def test_the_same_bytes_in_every_process():
    first, second = (in_a_process(COMMANDS, seed) for seed in ("1", "2"))
    for arguments, one, other in zip(COMMANDS, first, second, strict=True):
        assert one == other, arguments
        provenance = json.loads(one)["provenance"]
        content = (ROOT / arguments[1]).read_bytes()
        assert provenance["inputs"] == [
            {"path": arguments[1], "sha256": hashlib.sha256(content).hexdigest()}
        ]
        assert provenance["methods"]


def test_versions_of_what_matters(run):
    done = run("--version", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["qmodel"] == run("--version").out.split()[1]
    assert {"numpy", "scipy", "pydantic"} <= set(found["packages"])
    assert found["python"].count(".") == 2
    assert run("--json").code == 2


def test_what_a_configuration_names_is_an_input_too(run):
    done = run("predict", "examples/mail_server_calibrated.toml", "--users", "20", "--json")
    paths = [each["path"] for each in json.loads(done.out)["provenance"]["inputs"]]
    assert paths == ["examples/calibrated/load_test.json", "examples/mail_server_calibrated.toml"]
