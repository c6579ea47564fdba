"""A file of one kind given to a command that takes another: one line says so."""

import gzip  # noqa: F401, named in the table
import io
import json
import zipfile

import pytest

from advisor.cli.file_kind import CONFIGURATION, OPTIONS, TAKES, kind_of
from tests.advisor.configurations import ROOT
from tests.tables import asked, rows

EXAMPLES = ROOT / "examples"


def archive(name):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr(name, "<x/>")
    return content.getvalue()


def example(name):
    return (EXAMPLES / name).read_bytes()


#: Of each kind: a name, its content, what it is called and what takes it.
FILES = {
    kind: (name, asked(content, globals()), *said)
    for kind, name, content, *said in rows(__file__, "files")
}
#: The command line with the file last, and the kinds that it takes.
GIVEN = {name: (taken, words) for name, taken, words in rows(__file__, "given")}
#: These are given every kind; the others, which read a file as they do, one kind that is common.
EVERY = {"advise", "convert", "calibrate"}
MIXED_UP = [
    pytest.param(words, *file, id=f"{command}, {kind}")
    for command, (taken, words) in GIVEN.items()
    for kind, file in FILES.items()
    if kind not in taken and (command in EVERY or kind in {"table", "configuration"})
]


def test_every_command_and_option_that_takes_a_file_is_tried():
    assert {*TAKES, *OPTIONS} == {*GIVEN, "--cost", "--load"}


@pytest.mark.parametrize(("words", "name", "content", "kind", "remedy"), MIXED_UP)
def test_another_kind_of_file_is_called_by_its_name(
    run, written, words, name, content, kind, remedy
):
    path = written(name, content)
    outcome = run(*words, path)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    said, _, advice = outcome.err.removeprefix(f"{path}: ").partition("; ")
    what, wanted = said.split(", not ")
    assert kind in what
    assert kind not in wanted
    assert remedy in advice


@pytest.mark.parametrize("name", ["server.csv", "server", "table.json"])
def test_a_kind_is_told_by_content_and_not_by_name(run, written, name):
    path = written(name, example("overloaded.toml"))
    assert kind_of(str(path)) is CONFIGURATION
    assert "a server's configuration, not a table" in run("audit", path).err
    assert "not a server's configuration" not in run("advise", path).err


@pytest.mark.parametrize(("words", "wanted"), rows(__file__, "names"))
def test_a_file_where_a_name_is_asked_for(run, words, wanted):
    outcome = run(*words, "examples/load_test.csv")
    assert outcome.code == 2
    assert outcome.err.startswith("examples/load_test.csv: a table of measured runs, not ")
    assert wanted in outcome.err


@pytest.mark.parametrize("words", [words for _, words in GIVEN.values()], ids=list(GIVEN))
@pytest.mark.parametrize("name", ["empty.csv", "empty", "folder.toml"])
def test_nothing_and_directories(run, tmp_path, words, name):
    path = tmp_path / name
    if name.startswith("empty"):
        path.write_bytes(b" \n")
    else:
        path.mkdir()
    outcome = run(*words, path)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert ("empty" if name.startswith("empty") else "directory") in outcome.err


def test_a_file_that_a_configuration_names_is_judged_by_the_configuration(run, tmp_path):
    """A table where a calibration belongs: it is not what stands on the command line."""
    text = (EXAMPLES / "mail_server_calibrated.toml").read_text(encoding="utf-8")
    assert "calibrated/load_test.json" in text
    (tmp_path / "server.toml").write_text(text.replace("calibrated/load_test.json", "runs.json"))
    (tmp_path / "runs.json").write_bytes(example("load_test.csv"))
    outcome = run("advise", tmp_path / "server.toml")
    assert outcome.code == 2
    assert "not a server's configuration" not in outcome.err


@pytest.mark.parametrize(
    "text",
    ["a: &a [x, x]\nb: [y, y]\n", "- a, b\n- c, d\n", "a = [1, 2]\nb = [3, 4]\n", "one, two\n"],
)
def test_keys_with_commas_are_no_table(written, text):
    assert kind_of(str(written("server.yaml", text))) is None


def test_long_json_is_known_by_its_first_key(written):
    path = written("sar.json", json.dumps({"sysstat": ["x" * 2**21]}))
    assert kind_of(str(path)).name == "a recording"
