"""The same input gives the same bytes, and says what it was made of."""

import hashlib
import json
import os

import pytest

from tests.advisor.configurations import ROOT
from tests.cli.conftest import in_a_process

CALIBRATED, NEW = "examples/mail_server_calibrated.toml", "examples/new_server.toml"
COMMANDS = [
    ("solve", "examples/two_tier.toml", "--json"),
    ("sweep", "examples/two_tier.toml", "--vary", "population.edit=10:30:10", "--json"),
    ("advise", NEW, "--json"),
    ("predict", "examples/calibrated/load_test.json", "--users", "10,20", "--json"),
    ("calibrate", "examples/load_test.csv", "--json"),
]


@pytest.mark.usefixtures("nothing_remembered")
def test_the_same_bytes_in_a_process_that_hashes_by_another_seed(run, tmp_path):
    names = [f"{i}.{ending}" for i in (0, 1) for ending in ("html", "sarif")]
    here, there = (
        [*COMMANDS, ("report", NEW, "-o", tmp_path / page),
         ("advise", NEW, "--sarif", tmp_path / sarif)]
        for page, sarif in (names[:2], names[2:])
    )  # fmt: skip
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    made = [run(*words) for words in here]
    assert not any(each.code for each in made)
    printed = in_a_process(there, seed)
    for one, other, words in zip(made, printed, there, strict=True):
        assert one.out == other, words
    files = [(tmp_path / name).read_bytes() for name in names]
    assert files[:2] == files[2:]
    for arguments, one in zip(COMMANDS, printed, strict=False):
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
    done = run("predict", CALIBRATED, "--users", "20", "--json")
    paths = [each["path"] for each in json.loads(done.out)["provenance"]["inputs"]]
    assert paths == ["examples/calibrated/load_test.json", CALIBRATED]
