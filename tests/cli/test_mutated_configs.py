"""A few mutants of scripts/mutate_configs.py: each is answered or refused in order."""

import importlib.util
import sys

import pytest

from tests.advisor.configurations import ROOT
from tests.fuzz.forked import Run

FEW = 40


@pytest.fixture(scope="module")
def mutants():
    path = ROOT / "scripts" / "mutate_configs.py"
    spec = importlib.util.spec_from_file_location("mutate_configs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_mutant_is_the_same_for_the_same_number(mutants):
    made = [mutants.mutant(number) for number in range(200)]
    assert made == [mutants.mutant(number) for number in range(200)]
    assert len(set(made)) >= 190
    assert {name for name, _ in made} == {"server.toml", "server.json"}


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ((101, "", "Traceback", 0.1, 50.0), "exit code 101"),
        ((2, "", "Traceback\n", 0.1, 50.0), "Traceback"),
        ((3, "", "internal error, please report it\n", 0.1, 50.0), "internal error"),
        ((2, "", "one\ntwo\n", 0.1, 50.0), "2 lines"),
        ((0, " \n", "", 0.1, 50.0), "no answer"),
        ((0, "answer", "", 2.5, 50.0), "2.5 s"),
        ((0, "answer", "", 0.1, 301.0), "301 MB"),
        ((0, "answer", "", 0.1, 50.0), ""),
        ((2, "", "server.toml:1: wrong\n", 0.1, 50.0), ""),
    ],
)
def test_what_is_a_fault(mutants, outcome, words):
    fault = mutants.fault(Run(*outcome))
    assert words in fault
    assert bool(fault) is bool(words)


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
def test_mutants_are_answered_or_refused_in_order(mutants, tmp_path):
    """In processes of their own; what is slow here is judged by the whole run, not by this one."""
    mutants.shutil.copytree(ROOT / "examples" / "calibrated", tmp_path / "calibrated")
    codes = set()
    for number in range(FEW):
        name, content = mutants.mutant(number)
        path = tmp_path / name
        path.write_bytes(content)
        outcome = mutants.in_fork(path)
        fault = mutants.fault(outcome)
        assert not fault or fault.endswith((" s", " MB")), (number, fault, outcome.err)
        codes.add(outcome.code)
    assert {0, 2} <= codes <= {0, 1, 2, 3}
