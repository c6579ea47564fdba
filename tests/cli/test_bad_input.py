"""What a user may get wrong: one line with file, line, key and remedy, and exit code 2."""

from pathlib import Path

import pytest

from advisor.loading import load_config
from qmodel import FileError
from tests.tables import rows, text_of

GOOD = Path(__file__).with_name("good_input.toml").read_text(encoding="utf-8")
NOTES = text_of(__file__, "notes")

#: What is replaced by what, on which line and key it is told, and the words of the message.
MISTAKES = rows(__file__, "given")  # fmt: skip
NOTES_MISTAKES = rows(__file__, "measured")  # fmt: skip
PLACES = [(line, key) for _, _, line, key, _ in (*MISTAKES, *NOTES_MISTAKES)]


def one_line(outcome, code=2):
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.endswith("\n")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    assert "internal error" not in outcome.err
    assert outcome.err.rstrip("\n").isprintable()
    return outcome.err


def refusal(run, tmp_path, content, name="server.toml", code=2):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    said = one_line(run("advise", path), code)
    assert said.startswith(str(path))
    return said.removeprefix(str(path))


def test_the_good_ones_are_good(run, written):
    for name, text in (("given.toml", GOOD), ("notes.toml", NOTES)):
        outcome = run("advise", written(name, text))
        assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize(
    ("text", "right", "wrong", "line", "key", "words"),
    [(GOOD, *mistake) for mistake in MISTAKES] + [(NOTES, *mistake) for mistake in NOTES_MISTAKES],
    ids=[f"{key} {line}" for line, key in PLACES],
)
def test_a_mistake_is_one_line_with_its_place(run, tmp_path, text, right, wrong, line, key, words):
    assert text.count(right) == 1, "the fixture changed"
    said = refusal(run, tmp_path, text.replace(right, wrong))
    assert said.startswith(f":{line}: {key}: ")
    assert words in said


def test_everything_wrong_is_known_and_the_first_is_told(written):
    nothing = GOOD.replace("cpus = 1", "cpus = 0").replace("users = 20", "users = 0")
    path = written("server.toml", nothing)
    with pytest.raises(FileError) as caught:
        load_config(path)
    assert (caught.value.line, caught.value.key) == (3, "server.cpus")
    assert [other.key for other in caught.value.others] == ["workload.users"]


def test_a_cycle_and_a_window_too_short_are_told_together(run, written):
    text = GOOD.replace('name = "index"', 'name = "index"\nafter = ["repl"]\nduration = "2 h"')
    text += '[[batch]]\nname = "repl"\nafter = ["index"]\nduration = "1 h"\n'
    path = written("server.toml", text)
    first, second = run("advise", path).err.splitlines()
    assert first.startswith(f"{path}:22: batch: dependency cycle index -> repl -> index")
    assert "batch[0].duration: 2 h does not fit window 22:00-23:00" in second


def test_no_demand_at_all(run, tmp_path):
    text = GOOD.replace('"917 s"', '"0 s"').replace('"68 s"', '"0 s"')
    text = text.replace("5500", "0").replace("11500", "0")
    said = refusal(run, tmp_path, text)
    assert said.startswith(":16: workload.class[0]: all demands and the think time are 0")


def test_an_empty_file(run, tmp_path):
    for name in ("server.toml", "server.json"):
        said = refusal(run, tmp_path, "", name)
        assert said.startswith(": empty configuration; required table [workload] missing")


@pytest.mark.parametrize("command", ["audit", "calibrate"])
def test_a_measured_utilization_above_100_percent(run, written, command):
    path = written("runs.csv", "users,cpu\n5,41\n15,122\n")
    assert ":3:2: cpu = 122 %: utilization above 100 % for 1 CPU; percent of" in one_line(
        run(command, path)
    )


def test_an_unknown_extension_and_the_option_that_helps(run, written):
    path = written("server.txt", GOOD)
    said = one_line(run("advise", path))
    assert '".txt"; expected a name that ends in .toml or .json, or --format toml' in said
    assert run("advise", "--format", "toml", path).code == 0
    assert run("explain", "--format", "toml", "--network", path).code == 0
    assert "yaml" in one_line(run("advise", "--format", "yaml", path))


def test_arrivals_that_cannot_be_served_are_advised_on(run, written):
    path = written("server.toml", GOOD.replace('think_time = "917 s"', 'arrival_rate = "1 /s"'))
    outcome = run("advise", path)
    assert outcome.code == 0
    assert "OVERLOADED" in outcome.out


MODEL = text_of(__file__, "model")


def test_a_model_with_a_mistake(run, written):
    path = written("model.toml", MODEL.replace("population = 3", "populaton = 3"))
    said = one_line(run("solve", path))
    assert said.startswith(f"{path}:6: class[0].populaton: ")
    assert 'did you mean "population"?' in said


def test_a_model_without_an_answer(run, written):
    served = MODEL.replace("population = 3", 'arrival_rate = "3 /s"')
    path = written("model.toml", served.replace('think_time = "1 s"\n', ""))
    assert "unstable" in one_line(run("solve", path), code=3)
    path.write_text(MODEL)
    assert run("solve", path).code == 0
    assert "mva" in one_line(run("solve", path, "--method", "mav"))
