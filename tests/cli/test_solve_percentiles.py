"""``qmodel solve MODEL --percentiles``: as text, as JSON, and what it refuses."""

import json

import qmodel as qm
from qmodel.formats.model_file import load_network
from tests.advisor.configurations import ROOT

MODEL = "examples/central_server.json"


def test_text_has_the_numbers_and_what_they_assume(run):
    done = run("solve", MODEL, "--percentiles", "50,99.9")
    assert done.code == 0
    assert "p50" in done.out
    assert "p99.9" in done.out
    assert "assumes " in done.out


def test_json_is_that_of_the_library(run):
    done = run("solve", MODEL, "--percentiles", "50,90,95,99", "--json")
    found = json.loads(done.out)["percentiles"]
    expected = qm.percentiles(qm.solve(load_network(ROOT / MODEL)), (0.5, 0.9, 0.95, 0.99))
    assert found == expected.to_dict()


def test_nothing_is_said_of_them_unasked(run):
    assert "percentiles" not in json.loads(run("solve", MODEL, "--json").out)
