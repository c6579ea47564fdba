"""Every subcommand: its help, the example in it, its JSON, its exit codes, its plain output."""

import json
import re
import shlex
import sys

import pytest
import typer

from advisor.cli.app import app
from calibration.systems import SYSTEM_NAMES
from tests.advisor.configurations import QUIET, ROOT, varied
from tests.cli.conftest import python

AS_TESTED = "examples/proliant2000_as_tested.toml"
OVERLOADED = "examples/overloaded.toml"
RECOMMENDED = "examples/proliant2000_recommended.toml"

COMMANDS = sorted(typer.main.get_command(app).commands)

#: Arguments under which every command with ``--json`` prints something for programs.
FOR_PROGRAMS = [
    ("advise", AS_TESTED),
    ("advise", OVERLOADED),
    ("advise", RECOMMENDED, "--users", "1,3"),
    ("solve", "examples/two_tier.toml"),
    ("convert", "examples/two_tier.toml", "--to", "json"),
    ("convert", "examples/two_tier.toml", "--to", "jmva"),
    ("sweep", "examples/two_tier.toml", "--vary", "population.edit=10:40:10"),
    ("audit", ROOT / "examples" / "load_test.csv"),
    ("agreement",),
    ("agreement", "notes31"),
    ("agreement", "domino5_raid"),
    ("tables",),
    ("tables", "notes31"),
    ("tables", "notes31/table_4_2"),
    ("tables", "notes31/table_3_3", "--printed"),
    ("rules",),
    ("explain", "CPU001"),
    ("explain", "batch-at-peak"),
    ("explain", "CPU001", OVERLOADED),
    ("explain", "--network", OVERLOADED),
]
ANSI = "\x1b"


def refuse(constant):
    raise AssertionError(f"{constant} is no JSON")


def parsed(text):
    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_that_runs(run_once, name):
    outcome = run_once(name, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    examples = re.findall(r"^\s*Example: qmodel (.*)$", outcome.out, re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(example)
        assert words[0] == name
        outcome = run_once(*words)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.strip()
        assert ANSI not in outcome.out


def test_help_lists_every_command(run_once):
    outcome = run_once("--help")
    assert outcome.code == 0
    for name in COMMANDS:
        assert re.search(rf"^\s+{name}\s+\S", outcome.out, re.MULTILINE)


def test_no_arguments_is_help(run):
    outcome = run()
    assert outcome.code in {0, 2}  # which of the two is the command-line library's own
    assert "advise" in outcome.out + outcome.err


def test_version(run):
    from qmodel.version import __version__

    assert run("--version").out == f"qmodel {__version__}\n"


@pytest.mark.parametrize("arguments", FOR_PROGRAMS, ids=lambda a: " ".join(str(w) for w in a)[-40:])
def test_json_parses_and_holds_no_nan(run_once, arguments):
    outcome = run_once(*arguments, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert parsed(outcome.out)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in {"init", "report"}])
def test_every_command_has_json_but_those_that_write_a_file(run_once, name):
    """The example in its help, for programs."""
    said = run_once(name, "--help").out
    example = re.search(r"^\s*Example: qmodel (.*)$", said, re.MULTILINE)[1]
    words = [word for word in shlex.split(example) if word != "--json"]
    outcome = run_once(*words, "--json")
    assert outcome.code == 0
    assert parsed(outcome.out)


def test_advise_as_json(run_once):
    data = parsed(run_once("advise", AS_TESTED, "--json").out)
    assert data["now"]["bottleneck"] == "cpu"
    assert [row["users"] for row in data["predictions"]] == [1, 5, 10, 20, 40]
    for row in data["predictions"]:
        time = row["alone"]["metrics"]["response_time"]
        assert time["low"] < time["mid"] < time["high"]
    keys = {s["key"]: s["to"] for a in data["advice"] for s in a["settings"]}
    assert "server.memory" not in keys  # 64 MB were needed to replicate, and nothing here does
    assert [keys["batch[0].window"], keys["batch[1].window"]] == [["22:00", "06:00"]] * 2
    assert keys["disk.raid"] in {"raid5", "raid10"}
    assert {"server.processor", "workload.users"} <= set(keys)
    assert all(a["sources"] for a in data["advice"])
    assert all(f["line"] > 0 and f["message"] for f in data["findings"])
    assert len(data["plan"]["steps"]) >= 3


def test_advise_in_the_terminal(run_once):
    first = run_once("advise", AS_TESTED).out
    assert "bottleneck" in first
    assert "░" in first
    assert len(first.splitlines()) <= 40
    said = run_once("advise", AS_TESTED, "--details").out
    for users in (1, 5, 10, 20, 40):
        assert re.search(rf"^\s*{users}\*?\s+\d+ s \(", said, re.MULTILINE)
    for words in (
        "Pentium/100",
        "install 64 MB",
        "rebuild_view off-peak",
        "create_index off-peak",
        "Table 3-2, row",
        "184430-001",
        "line 9",
    ):
        assert words in " ".join(said.split())


def test_numbers_of_users_asked_for(run):
    data = parsed(run("advise", AS_TESTED, "--users", "7, 3,3", "--json").out)
    assert [row["users"] for row in data["predictions"]] == [3, 7]


def test_one_user_with_a_class_that_then_has_nobody(run, tmp_path):
    """The table starts at one user: nobody is then in a first class of 10 %."""
    classes = [
        {"name": "few", "cpu": "0.1 s", "share": 0.1},
        {"name": "many", "cpu": "0.1 s", "share": 0.9},
    ]
    lunch = {"name": "index", "cpu": "1 s", "window": ["12:00", "13:00"]}
    path = written(tmp_path, workload={"class": classes}, batch=[lunch])
    for arguments in ((), ("--json",), ("--users", "1")):
        outcome = run("advise", path, *arguments)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out
    (row,) = parsed(run("advise", path, "--users", "1", "--json").out)["predictions"]
    assert list(row["alone"]["population"]) == ["many"]


def test_arrivals_can_be_advised(run, tmp_path):
    """Open users: an option without a steady state is refused, and the rest is printed."""
    path = written(
        tmp_path,
        disk={"raid": "raid0"},
        workload={"arrival_rate": "0.01 /s"},
        user={"cpu": "1 s", "disk_kb": 150_000, "write_share": 1},
    )
    assert run("advise", path).code == 0
    assert "raid5" in json.dumps(parsed(run("advise", path, "--json").out)["rejected"])


def test_a_billion_users(run, tmp_path):
    outcome = run("advise", written(tmp_path, workload={"users": 10**9}), "--basis")
    assert outcome.code == 0
    assert "1000000000 is beyond exact solution" in outcome.err
    assert outcome.err.count("\n") == 1
    assert "2000000000" in outcome.out  # twice as many, in the table


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


def test_agreement_of_all_systems_shows_failures_and_the_open_ends_of_limits(run_once):
    data = parsed(run_once("agreement", "--json").out)
    assert [each["system"] for each in data["systems"]] == list(SYSTEM_NAMES)
    rows = [c for each in data["systems"] for c in each["comparisons"]]
    failures = {c["cell"] for c in rows if c["known_failure"]}
    assert "groupwise52/table_1:100:memory" in failures
    limits = [c for c in rows if None in (c["measured"]["low"], c["measured"]["high"])]
    counted = {each["status"]: each for each in data["coverage"]}
    assert sum(each["limits"] for each in counted.values()) == len(limits) > 0
    held_out = [c for c in rows if c["status"] == "held out" and c not in limits]
    assert counted["held out"]["count"] == len(held_out)
    assert counted["held out"]["inside"] == sum(c["inside"] for c in held_out)
    for each in data["systems"]:
        assert each["models"]
        assert each["not_modelled"]


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_agreement_as_a_picture(run, tmp_path, ending):
    target = tmp_path / f"agreement.{ending}"
    outcome = run("agreement", "groupwise52", "--plot", target)
    assert outcome.code == 0
    assert f"drawn: {target}" in outcome.err
    starts = {"png": b"\x89PNG", "pdf": b"%PDF"}
    assert target.read_bytes().startswith(starts[ending])


def test_pictures_of_the_same_numbers_are_the_same_files(run, tmp_path):
    for name in ("one.svg", "two.svg"):
        assert run("agreement", "groupwise52", "--plot", tmp_path / name).code == 0
    first, second = ((tmp_path / name).read_text() for name in ("one.svg", "two.svg"))
    assert first == second
    for words in ("groupwise52", "Ethernet, throughput", "predicted over measured"):
        assert words in first


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("picture.gif", "expected .svg, .png, .pdf"),
        ("folder", "has no ending"),
        ("file/picture.svg", "cannot write"),
    ],
)
def test_a_picture_that_cannot_be_is_one_line(run, tmp_path, target, said):
    (tmp_path / "file").touch()
    outcome = run("agreement", "groupwise52", "--plot", tmp_path / target)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert not outcome.out


def test_a_picture_without_its_library_says_what_to_install(run, tmp_path, monkeypatch):
    for name in [n for n in sys.modules if n.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = run("agreement", "groupwise52", "--plot", tmp_path / "a.svg")
    assert outcome.code == 2
    assert outcome.err == (
        "drawing needs matplotlib; install it with: pip install 'qmodel-capacity[plot]'\n"
    )
    assert run("agreement", "groupwise52").code == 0


def test_solve_as_json_has_the_promised_keys(run_once):
    data = parsed(run_once("solve", "examples/two_tier.toml", "--json").out)
    assert {
        "method",
        "stations",
        "classes",
        "throughput",
        "response_time",
        "residence_time",
        "queue_length",
        "utilization",
        "bottleneck",
    } <= set(data)
    classes, stations = len(data["classes"]), len(data["stations"])
    for key in ("residence_time", "queue_length", "utilization"):
        assert [len(row) for row in data[key]] == [stations] * classes
    for c in range(classes):
        assert sum(data["residence_time"][c]) == pytest.approx(data["response_time"][c])
    assert data["bottleneck"] in data["stations"]


def test_a_table_shows_its_errata_at_the_cell(run_once):
    data = parsed(run_once("tables", "notes31/table_4_2", "--json").out)
    assert data["source"].startswith("Compaq TechNote 184430-001")
    assert len(data["rows"]) == 2
    corrected, printed = (
        parsed(run_once("tables", "notes31/table_3_3", *how, "--json").out)["caption"]
        for how in ((), ("--printed",))
    )
    assert corrected != printed


def test_explain_takes_code_or_slug_in_any_case(run_once):
    manual = run_once("explain", "CPU001").out
    assert manual.startswith("CPU001 faster-processor\n")
    assert (
        run_once("explain", "cpu001").out == run_once("explain", "faster-processor").out == manual
    )


def test_the_derivation_shows_each_demand_with_its_formula(run_once):
    data = parsed(run_once("explain", "--network", OVERLOADED, "--json").out)
    assert [c["name"] for c in data["calibrations"]] == ["client delay", "unseen queue"]
    for calibration in data["calibrations"]:
        assert {d["class"] for d in calibration["demands"]} == {"edit", "search", "replicate"}
        assert all(d["formula"] and d["demand"] >= 0 for d in calibration["demands"])


def test_init_writes_what_advise_takes(run, tmp_path):
    path = tmp_path / "server.toml"
    outcome = run("init", path)
    assert outcome.code == 0
    assert path.read_text(encoding="utf-8") == run("init").out
    assert run("advise", path).code == 0
    again = run("init", path)
    assert (again.code, again.err.count("\n")) == (2, 1)
    assert "--force" in again.err
    path.write_text("mine")
    assert run("init", path, "--force").code == 0
    assert path.read_text(encoding="utf-8") != "mine"
    assert run("init", tmp_path).code == 2


def test_an_error_of_ours_is_one_line_and_no_finding(run, tmp_path, monkeypatch):
    def broken(*_args, **_options):
        raise RuntimeError("wheel came off")

    monkeypatch.setattr("advisor.engine.review", broken)
    monkeypatch.delenv("QMODEL_DEBUG", raising=False)
    outcome = run("advise", written(tmp_path))
    assert outcome.code == 3
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
    """As in ``qmodel tables | true``: neither findings (1) nor a message."""
    script = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-m', 'advisor.cli', 'tables'],"
        " stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "p.stdout.close()\n"
        "print(p.wait(), p.stderr.read())\n"
    )
    assert python("-c", script).out == "0 b''\n"
