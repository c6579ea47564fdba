"""Whatever surrounds the command: the answer is the same, or one line says what is missing."""

import json
import os
import subprocess
import sys

import pytest

from tests.advisor.configurations import ROOT
from tests.tables import text_of

NEW, MODEL, INIT = "examples/new_server.toml", "examples/two_tier.toml", ("init", "-")
#: A call of each command that answers at once.
CALLS = (
    ("advise", NEW), ("solve", MODEL), ("convert", MODEL, "--to", "jmva"),
    ("sweep", MODEL, "--vary", "population.edit=1:3"), ("predict", NEW, "--users", "100,400"),
    ("whatif", NEW, "--set", "server.cpus=4"),
    ("audit", "examples/load_test.csv"), ("init", "-"),
    ("import", "examples/telemetry/k6.csv.gz"), ("catalogue",), ("rules",),
    ("explain", "CPU001"), ("examples",), ("advise", "missing.toml"),
)  # fmt: skip
#: All at once: what is on no terminal, has no home, and says nonsense.
HOSTILE = {
    "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TERM": "dumb",
    "PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error", "SOURCE_DATE_EPOCH": "abc",
}  # fmt: skip
#: Calls commands one after the other, each in another width, and says how each has ended.
ALL = text_of(__file__, "all")


def ran(*words, **environment):
    """What a process does that knows little of its surroundings."""
    kept = {k: v for k, v in os.environ.items() if k not in {"HOME", "COLUMNS", "PYTHONPATH"}}
    return subprocess.run(
        words, check=False, cwd=ROOT, env={**kept, **environment}, capture_output=True, timeout=120
    )


def shell(words, tail=""):
    """The command in a shell, with what stands behind it there."""
    return ran("bash", "-c", f'"{sys.executable}" -m advisor.cli {" ".join(words)} {tail}')


def test_no_locale_no_home_no_terminal():
    """All in one process."""
    done = ran(sys.executable, "-c", ALL, json.dumps(CALLS), **HOSTILE)
    assert done.returncode == 0, done.stderr
    for words, said in zip(CALLS, done.stdout.split(b"=====\n")[:-1], strict=True):
        wrong = "missing.toml" in words
        assert said.endswith(b"code 2\n" if wrong else b"\ncode 0\n"), (words, done.stderr)
        assert (said == b"code 2\n") is wrong
    assert b"Traceback" not in done.stderr
    assert b"internal" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    done.stdout.decode("utf-8")


@pytest.mark.parametrize(("words", "tail", "code", "said"), [
    (INIT, "2>&-", 0, b""), (INIT, "<&-", 0, b""), (INIT, "2>/dev/full", 0, b""),
    *((words, *ended) for words in (("solve", MODEL), INIT) for ended in (
        (">&-", 0, b""), ("| head -1; exit ${PIPESTATUS[0]}", 0, b""),
        (">/dev/full", 2, b"standard output: cannot write: No space left on device\n"),
    )),
])  # fmt: skip
def test_streams_that_are_closed_or_full(words, tail, code, said):
    done = shell(words, tail)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize("tail", [">&-", "2>&-", "2>/dev/full"])
def test_a_mistake_keeps_its_exit_code(tail):
    done = shell(("advise", "missing.toml"), tail)
    assert done.returncode == 2
    assert done.stderr == b"" or done.stderr.count(b"\n") == 1


def test_a_folder_that_is_not_there(tmp_path):
    done = shell(("init", f"{tmp_path}/none/a.toml"))
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"cannot write" in done.stderr
