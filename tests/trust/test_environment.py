"""Whatever surrounds the command: the answer is the same, or one line says what is missing."""

import os
import subprocess
import sys

import pytest

from tests.advisor.configurations import ROOT

NEW, MODEL = "examples/new_server.toml", "examples/two_tier.toml"
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
SMALL = ("0", "1", "x")


def shell(words, tail="", **environment):
    """The command in a shell, with what stands behind it there."""
    kept = {k: v for k, v in os.environ.items() if k not in {"HOME", "COLUMNS", "PYTHONPATH"}}
    line = f'"{sys.executable}" -m advisor.cli {" ".join(words)} {tail}'
    return subprocess.run(
        ["bash", "-c", line], check=False, cwd=ROOT, env={**kept, **environment},
        capture_output=True, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_no_locale_no_home_no_terminal(words):
    done = shell(words, COLUMNS=SMALL[len(words) % 3], **HOSTILE)
    assert done.returncode == (2 if "missing.toml" in words else 0), done.stderr
    assert b"Traceback" not in done.stderr
    assert b"internal" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("tail", "code", "said"),
    [
        (">&-", 0, b""), ("2>&-", 0, b""), ("<&-", 0, b""), ("2>/dev/full", 0, b""),
        ("| head -1; exit ${PIPESTATUS[0]}", 0, b""),
        (">/dev/full", 2, b"standard output: cannot write: No space left on device\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("words", [("solve", MODEL), ("init", "-")], ids=" ".join)
def test_streams_that_are_closed_or_full(words, tail, code, said):
    done = shell(words, tail)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize("tail", [">&-", "2>&-", "2>/dev/full", ">/dev/full"])
def test_a_mistake_keeps_its_exit_code(tail):
    done = shell(("advise", "missing.toml"), tail)
    assert done.returncode == 2
    assert done.stderr == b"" or done.stderr.count(b"\n") == 1


def test_a_folder_that_is_not_there(tmp_path):
    done = shell(("init", f"{tmp_path}/none/a.toml"))
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"cannot write" in done.stderr
