"""The forty bad inputs: the wanted words, the wanted exit code, no traceback."""

import pytest

from tests.cli.bad_inputs.catalogue import BAD_INPUTS, GOOD


def written(bad, folder):
    path = folder / bad.name
    if bad.content == b"/":
        path.mkdir()
    elif bad.content is not None:
        path.write_bytes(bad.content)
    return path


def test_there_are_forty():
    assert {each.id for each in BAD_INPUTS} == {f"B{n:02d}" for n in range(1, 41)}


def test_the_good_one_is_good(run, tmp_path):
    path = tmp_path / "server.toml"
    path.write_text(GOOD)
    outcome = run("advise", path)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("bad", BAD_INPUTS, ids=lambda bad: f"{bad.id} {bad.fault}, {bad.name}")
def test_a_bad_input_is_told_in_one_line(run, tmp_path, bad):
    path = written(bad, tmp_path)
    outcome = run(bad.command, path)
    assert outcome.code == bad.code
    assert "Traceback" not in outcome.err
    assert "internal error" not in outcome.err
    assert outcome.err.count("\n") == bool(bad.says)
    if bad.says:
        first, *others = bad.says
        assert outcome.err.startswith(f"{path}{first}")
        assert all(words in outcome.err for words in others)
        assert outcome.err.rstrip("\n").isprintable()
    # An answer comes with exit code 0 alone.
    assert bool(outcome.out) is (bad.code == 0)


@pytest.mark.parametrize("bad", [b for b in BAD_INPUTS if b.id == "B40"], ids=lambda bad: bad.id)
def test_a_bad_table_is_not_calibrated_either(run, tmp_path, bad):
    outcome = run("calibrate", written(bad, tmp_path))
    assert (outcome.code, outcome.out) == (2, "")
    assert all(words in outcome.err for words in bad.says)
