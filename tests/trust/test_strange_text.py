"""Text from a stranger stays text: on a terminal, in files, and where letters are missing."""

import json

import pytest

import qmodel as qm
from tests.advisor.configurations import ROOT
from tests.cli.conftest import python
from tests.tables import asked, rows

NEW = (ROOT / "examples" / "new_server.toml").read_text(encoding="utf-8")
NIGHT = (ROOT / "examples" / "nightly_jobs.toml").read_text(encoding="utf-8")
MODEL = (ROOT / "examples" / "two_tier.toml").read_text(encoding="utf-8")
#: Markup and codes of the console that prints the tables, and of a page.
MARKUP = "[/] [bold red]x :warning: <b> {{ 7 * 7 }} %s"
COMMANDS = (
    ("advise",), ("advise", "--details"), ("predict", "--users", "10"),
    ("predict", "--growth", "3%/month", "--alternative", "x: disk.raid=raid10"),
    ("whatif", "--set", "disk.drives=8"), ("explain", "--network"), ("explain", "CAP001"),
)  # fmt: skip
#: Those of them that print the names of classes.
NAMING = {*COMMANDS[:2], *COMMANDS[3:6]}
#: Characters that are obeyed and not shown, as TOML writes them.
UNSEEN = ("\\u001b[31m", "\\u0000", "\\u0007", "\\u009b", "\\u202e", "\\u2028", "\\u0085")


def written(tmp_path, text, name="server.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_name_is_no_markup(run, tmp_path, words):
    done = run(*words, written(tmp_path, NEW.replace('name = "mail"', f'name = "{MARKUP}"')))
    assert done.code in {0, 1}, done.err
    assert MARKUP.partition(" ")[0] in done.out or words not in NAMING  # a table may fold the rest


def test_a_task_is_no_markup(run, tmp_path):
    path = written(tmp_path, NIGHT.replace('"backup"', f'"{MARKUP}"'))
    done = run("schedule", path, "--slot", "120", "--time-limit", "0.1", "--all")
    assert done.code == 0, done.err
    assert MARKUP.partition(" ")[0] in done.out  # a table may fold the rest


@pytest.mark.parametrize("unseen", UNSEEN)
@pytest.mark.parametrize("place", ['title = "', 'name = "mail'])
def test_what_does_not_show_is_refused_with_its_place(run, tmp_path, place, unseen):
    assert place in NEW
    path = written(tmp_path, NEW.replace(place, place + unseen))
    done = run("advise", path)
    assert (done.code, done.out) == (2, "")
    code = f"U+{unseen[2:6].upper()}"
    assert f"holds the character {code}, which does not show; expected plain text" in done.err
    assert done.err.startswith(f"{path}:")
    assert done.err.count("\n") == 1


def test_a_name_is_on_one_line_and_a_reason_need_not_be(run, tmp_path):
    suppress = '\n[[suppress]]\nrule = "CAP001"\nreason = "known\\nfor long"\n'
    assert run("advise", written(tmp_path, NEW + suppress)).code == 0
    done = run("advise", written(tmp_path, NEW.replace('name = "mail"', 'name = "ma\\nil"')))
    assert (done.code, done.out) == (2, "")
    assert 'workload.class[0].name: must be on one line, got "ma\\nil"' in done.err


@pytest.mark.parametrize("unseen", ["\\u001b[31m", "\\n", "\\u202e"])
def test_names_of_a_model_can_be_printed(run, tmp_path, unseen):
    done = run("solve", written(tmp_path, MODEL.replace('"edit"', f'"ed{unseen}it"')))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.rstrip("\n").isprintable()


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\nb", "\u202eab", "a\ud800"])
@pytest.mark.parametrize("record", [record for (record,) in rows(__file__, "names")])
def test_names_of_a_network_can_be_printed(record, name):
    record = asked(record, globals())
    with pytest.raises(qm.InvalidNetwork, match="expected text that can be printed"):
        record(name)


@pytest.mark.parametrize("name", ["Büro", "事務所", "№ 1 🐙", "a\u00a0b", "نام"])
def test_letters_of_any_script_are_names(name):
    assert qm.ClosedClass(name, 1).name == name


@pytest.mark.parametrize(("words"), rows(__file__, "arguments_are_said_on_one_line"))
def test_arguments_are_said_on_one_line(run, tmp_path, words):
    done = run(*words, written(tmp_path, NEW))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.rstrip("\n").isprintable()


def test_a_terminal_with_few_letters_gets_them_spelt(tmp_path):
    path = written(tmp_path, NEW.replace('name = "mail"', 'name = "№"'))
    command = ("-m", "advisor.cli", "advise", path)
    done = python(*command, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.code == 0, done.err
    assert done.err == ""
    assert "###" in done.out
    assert "<- first to fill" in done.out
    assert "ok FITS" in done.out
    assert "\\u2116" in done.out


def test_a_document_is_in_utf_8_whatever_the_terminal_has(tmp_path):
    path = written(tmp_path, NEW.replace('name = "mail"', 'name = "Büro №"'))
    done = python("-m", "advisor.cli", "advise", path, "--json", PYTHONIOENCODING="ascii")
    assert done.code == 0, done.err
    assert '"Büro №"' in done.out
    assert json.loads(done.out)
