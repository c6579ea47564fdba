"""Text goes to a file whole or not at all, and data written as TOML reads back equal."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from qmodel import FileError
from qmodel.documents.toml_text import toml_text
from qmodel.documents.writing import write_text

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_scalars = st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _text
_values = st.recursive(
    _scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(_text, v, max_size=3)
)


@given(data=st.dictionaries(_text, _values, max_size=4))
def test_toml_reads_back_equal(data):
    assert tomllib.loads(toml_text(data)) == data


def test_toml_looks_as_a_person_would_write_it():
    data = {
        "station": [{"name": "cpu"}, {"name": "disk 1", "rates": [1.0, 2]}],
        "server": {"memory": "64 MB", "fast": True, "none": {}},
        "schema": 1,
    }
    assert toml_text(data) == (
        'schema = 1\n\n[[station]]\nname = "cpu"\n\n[[station]]\nname = "disk 1"\n'
        'rates = [1.0, 2]\n\n[server]\nmemory = "64 MB"\nfast = true\nnone = {}\n'
    )


def refusal(path, text="new", **options):
    with pytest.raises(FileError) as caught:
        write_text(path, text, **options)
    return str(caught.value).removeprefix(str(path))


def test_a_file_is_written(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "één\n")
    assert path.read_bytes() == "één\n".encode()
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


def test_a_file_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    assert refusal(path) == ": exists already; use --force to overwrite it"
    assert path.read_text() == "old"
    write_text(path, "new", force=True)
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_write_leaves_the_old_file_whole(tmp_path, monkeypatch, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def interrupt(*_args):
        raise error

    monkeypatch.setattr(Path, "replace", interrupt)
    expected = FileError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as caught:
        write_text(path, "new", force=True)
    if expected is FileError:
        assert str(caught.value) == f"{path}: cannot write: No space left on device"
    assert path.read_text() == "old"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_written(tmp_path):
    assert refusal(tmp_path) == ": cannot write: is a directory; expected a file"
    assert refusal(tmp_path / "no" / "a.txt") == ": cannot write: there is no such folder"
    assert refusal(tmp_path / "a.txt", "\ud800").startswith(": cannot write '\\ud800'; not a Uni")
    assert not list(tmp_path.iterdir())
