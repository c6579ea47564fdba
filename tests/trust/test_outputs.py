"""What a command writes: whole or not at all, never over another file unless forced."""

from pathlib import Path

import pytest

from qmodel.documents import writing
from tests.tables import rows

#: Every command that writes a file: its arguments, and the option that names the file.
WRITING = rows(__file__, "writing")


def names(case):
    words, option, name = case
    return f"{words[0]} {option} {name}"


def call(run, case, path, *more):
    words, option, _ = case
    return run(*words, *((option,) if option else ()), path, *more)


@pytest.mark.parametrize("case", WRITING, ids=names)
def test_nothing_is_overwritten_or_half_written(run, written, tmp_path, monkeypatch, case):
    path = written(case[2], b"old")
    refused = call(run, case, path)
    assert (refused.code, refused.out) == (2, "")
    assert f"{path}: exists already; use --force" in refused.err
    assert path.read_bytes() == b"old"
    if case[0][0] in {"sweep", "fleet"}:
        return  # goes on where it was stopped instead: test_store.py, test_fleet.py

    def stopped(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", stopped)
    done = call(run, case, path, "--force")
    assert done.code == 2
    assert "cannot write: No space left on device" in done.err
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == [case[2]]


def test_force_replaces(run, written, tmp_path):
    path = written("a.toml", b"old")
    assert run("init", path, "--force").code == 0
    assert path.read_bytes().startswith(b"#")
    assert [found.name for found in tmp_path.iterdir()] == ["a.toml"]


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "real" / "a.txt", tmp_path / "a.txt"
    target.parent.mkdir()
    target.write_text("old")
    link.symlink_to(target)
    writing.write_text(link, "new", force=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_every_command_that_writes_is_listed():
    listed = {words[0] for words, _, _ in WRITING}
    folder = Path("advisor/cli")
    root = Path(__file__).resolve().parents[2]
    forcing = {
        path.stem.removesuffix("_server").removesuffix("_files")
        for path in (root / folder).glob("*.py")
        if '"--force"' in path.read_text(encoding="utf-8") and path.stem != "examples"
    }
    assert forcing == listed
