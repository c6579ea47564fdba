"""What commands refuse: one line that says why, exit code 2, and nothing on standard output."""

import shlex
import tomllib
from pathlib import Path

import pytest

from tests.advisor.configurations import ROOT

TABLE = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))
ROWS = [
    (f"{command} {words}".strip(), said) for command, rows in TABLE.items() for words, said in rows
]


@pytest.mark.parametrize(("words", "said"), ROWS, ids=[words for words, _ in ROWS])
def test_a_mistake_is_one_line_and_exit_code_2(run, words, said):
    before = {path.name for path in ROOT.iterdir()}
    outcome = run(*shlex.split(words))
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert "Traceback" not in outcome.err
    assert "internal error" not in outcome.err
    assert {path.name for path in ROOT.iterdir()} == before
    if "Usage:" not in outcome.err:  # what the command-line library says has its own form
        assert outcome.err.endswith("\n")
        assert outcome.err.rstrip("\n").isprintable()
