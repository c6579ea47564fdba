"""The command run inside this process, as ``main`` runs it, and as a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import partial

import pytest

import advisor.cli.app  # noqa: F401, with all commands, before one is named
from advisor.cli import main
from calibration.fitting import calibrate
from calibration.structures import STRUCTURES
from tests.advisor.configurations import ROOT
from tests.remembered import remember, shared
from tests.tables import text_of


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsys, request, tmp_path_factory):
    """Run ``qmodel`` with some arguments, in the repository's folder."""
    anew = request.path.parent.name == "trust"  # what is asked again may have another answer there

    def run(*arguments) -> Outcome:
        with monkeypatch.context() as patched:
            patched.chdir(ROOT)
            if not anew:
                remember(patched, folder=shared(tmp_path_factory))
            patched.setattr(sys, "argv", ["qmodel", *map(str, arguments)])
            for name in ("stdin", "stdout", "stderr"):  # restored whatever main does to them
                patched.setattr(sys, name, getattr(sys, name))
            with pytest.raises(SystemExit) as caught:
                main()
        code = caught.value.code
        return Outcome(0 if code is None else int(code), *capsys.readouterr())

    return run


@pytest.fixture
def few_laws(monkeypatch):
    """Tables are fitted by the first three structures, where the fit is not what is looked at."""
    monkeypatch.setattr(
        calibrate, "calibrate", partial(calibrate.calibrate, candidates=STRUCTURES[:3])
    )


#: Runs commands one after the other, and prints what each prints as JSON.
SEVERAL = text_of(__file__, "several")


def in_a_process(commands, seed) -> list[str]:
    """What some commands print in a process of their own, which hashes by a seed."""
    words = json.dumps([list(map(str, command)) for command in commands])
    done = python("-c", SEVERAL, words, PYTHONHASHSEED=seed)
    assert done.code == 0, done.err
    return json.loads(done.out)


def python(*arguments, **environment) -> Outcome:
    """A Python of its own, with its output in pipes."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], check=False, cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", **environment},
        capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr)
