"""Every subcommand: its help, the example in it, its JSON, its exit codes, its plain output."""

import json
import re
import shlex

import pytest
import typer

from advisor.cli.app import app
from tests.advisor.configurations import QUIET, varied
from tests.cli.conftest import python

AS_TESTED = "examples/proliant2000_as_tested.toml"
NEW = "examples/new_server.toml"
OVERLOADED = "examples/overloaded.toml"
RECOMMENDED = "examples/proliant2000_recommended.toml"

COMMANDS = sorted(typer.main.get_command(app).commands)

ANSI = "\x1b"


def refuse(constant):
    raise AssertionError(f"{constant} is no JSON")


def parsed(text):
    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_runs(run, name):
    outcome = run(name, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    examples = re.findall(r"^\s*Example: qmodel (.*)$", outcome.out, re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(example)
        assert words[0] == name
        outcome = run(*words)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.strip()
        assert ANSI not in outcome.out


def test_an_option_that_needs_another_says_so():
    commands = typer.main.get_command(app).commands
    for name, needed, options in (
        ("predict", "--growth", {"response", "utilization", "alternatives"}),
        ("simulate", "--until", {"load"}),
    ):
        helps = {each.name: each.help for each in commands[name].params}
        assert all(helps[option].startswith(f"With {needed}: ") for option in options)


def test_no_arguments_is_help(run):
    outcome = run()
    assert outcome.code in {0, 2}  # which of the two is the command-line library's own
    assert "advise" in outcome.out + outcome.err


def test_version(run):
    from qmodel.version import __version__

    assert run("--version").out == f"qmodel {__version__}\n"


def test_numbers_of_users_asked_for(run):
    data = parsed(run("advise", AS_TESTED, "--users", "7:9:2, 3,3", "--json").out)
    assert [row["users"] for row in data["predictions"]] == [3, 7, 9]
    assert data["now"]["users"] == 20


def test_a_single_number_of_users_is_judged(run):
    said = parsed(run("advise", NEW, "--users", "900", "--json").out)
    assert (said["now"]["users"], said["verdict"]["load"]) == (900, 900)
    first = said["plan"]["steps"][0]["effect"][0]
    now = said["now"]["metrics"]["response_time"]
    assert first["before"] == pytest.approx({end: now[end] for end in ("low", "mid", "high")})
    for words in (("advise", NEW), ("report", NEW, "-o", "-")):
        said = " ".join(run(*words, "--users", "612").out.replace("\u00a0", " ").split())
        assert re.search(r"612 users do not fit: utilization of cpu 80\.\d %, target 80\.0 %", said)


#: What is wrong with a server, and the exit code of ``--fail-on`` each level.
FAILS = {
    "error": ({"user": {"cpu": "9 s"}}, {"never": 0, "error": 1, "warning": 1, "note": 1}),
    "warning": ({"disk": {"raid": "raid0"}}, {"never": 0, "error": 0, "warning": 1, "note": 1}),
    "nothing": ({}, {"never": 0, "error": 0, "warning": 0, "note": 0}),
}


def written(tmp_path, **tables):
    path = tmp_path / "server.json"
    path.write_text(json.dumps(varied(QUIET, **tables), indent=1), encoding="utf-8")
    return path


@pytest.mark.parametrize("gravest", FAILS)
def test_exit_codes(run, tmp_path, gravest):
    tables, codes = FAILS[gravest]
    path = written(tmp_path, **tables)
    assert run("advise", path).code == 0
    for level, code in codes.items():
        for form in ((), ("--json",)):
            outcome = run("advise", path, "--fail-on", level, *form)
            assert (outcome.code, outcome.err) == (code, "")
            assert outcome.out


def test_explain_takes_code_or_slug_in_any_case(run):
    manual = run("explain", "CPU001").out
    assert manual.startswith("CPU001 faster-processor\n")
    assert run("explain", "cpu001").out == run("explain", "faster-processor").out == manual


def test_an_error_of_ours_is_one_line_and_no_finding(run, tmp_path, monkeypatch):
    def broken(*_args, **_options):
        raise RuntimeError("wheel came off")

    monkeypatch.setattr("advisor.engine.review", broken)
    monkeypatch.delenv("QMODEL_DEBUG", raising=False)
    outcome = run("advise", written(tmp_path))
    assert outcome.code == 70
    assert outcome.err.count("\n") == 1
    assert "wheel came off" in outcome.err


def test_a_process_prints_plainly_into_a_pipe_and_fails_on_what_it_is_told_to(tmp_path):
    path = written(tmp_path, disk={"raid": "raid0"})
    outcome = python(
        "-m", "advisor.cli", "advise", path, "--fail-on", "warning", TERM="xterm-256color"
    )
    assert (outcome.code, outcome.err) == (1, "")
    assert "FITS" in outcome.out
    assert ANSI not in outcome.out


def test_a_reader_that_has_seen_enough():
    """As in ``qmodel catalogue | true``: neither findings (1) nor a message."""
    script = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-m', 'advisor.cli', 'catalogue'],"
        " stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "p.stdout.close()\n"
        "print(p.wait(), p.stderr.read())\n"
    )
    assert python("-c", script).out == "0 b''\n"
