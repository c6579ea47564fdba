"""The targets of the fuzzer start from good files, and a few spoilt ones of each are answered.

`make fuzz` goes on for as long as it is told.
"""

import sys

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import tests.strategies  # noqa: F401, loads the suite's profile of hypothesis
from tests.fuzz.changes import spoilt, spoilt_text
from tests.fuzz.targets import ARGUMENTS, TARGETS, _example
from tests.fuzz.verdict import wrong

if sys.platform == "win32":
    pytest.skip("there is no fork", allow_module_level=True)

from tests.fuzz.__main__ import preload
from tests.fuzz.forked import command, forked

#: The machine may be busy; `make fuzz` measures.
PATIENT = 60.0
FEW = settings(max_examples=1, phases=(Phase.generate,))


@pytest.fixture(scope="module", autouse=True)
def loaded():
    preload()


def prepared(target, folder):
    for name, text in target.beside:
        (folder / name).write_text(text(), encoding="utf-8")


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
def test_good_files_are_answered(target, tmp_path):
    prepared(target, tmp_path)
    for text in target.good()[:1]:
        (tmp_path / target.file).write_text(text, encoding="utf-8")
        done = forked(lambda: command(list(target.arguments)), tmp_path)
        assert done.code in {0, 1, target.usual}, done.err
        assert wrong(done, PATIENT) is None


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
def test_spoilt_files_are_answered(target, tmp_path_factory):
    folder = tmp_path_factory.mktemp("spoilt")
    prepared(target, folder)

    @FEW
    @given(st.sampled_from(target.good()).flatmap(lambda text: spoilt(text, target.kind)))
    def run(content):
        (folder / target.file).write_bytes(content)
        assert wrong(forked(lambda: command(list(target.arguments)), folder), PATIENT) is None

    run()


@pytest.mark.parametrize(("words", "good", "example"), ARGUMENTS, ids=lambda v: str(v)[:30])
def test_arguments_are_answered(words, good, example, tmp_path_factory):
    folder = tmp_path_factory.mktemp("arguments")
    (folder / "c.toml").write_text(_example(example)(), encoding="utf-8")

    def done_with(text):
        given_words = [text if word == "{}" else word for word in words]
        return forked(lambda: command(given_words), folder)

    assert done_with(good).code == 0

    @FEW
    @given(st.data())
    def run(data):
        text = spoilt_text(data.draw, good).replace("\0", "").encode("utf-8", "replace").decode()
        assert wrong(done_with(text), PATIENT) is None

    run()


def test_the_verdict_sees_what_none_may_do(tmp_path):
    def crash():
        raise ZeroDivisionError("here")

    assert "exit code 101" in wrong(forked(crash, tmp_path))
    assert "exit code 4" in wrong(forked(lambda: 4, tmp_path))
    assert "without a word" in wrong(forked(lambda: 2, tmp_path))
    assert "control" in wrong(forked(lambda: print("\x1b[1m", file=sys.stderr) or 2, tmp_path))
    assert "nan" in wrong(forked(lambda: print("x nan") or 0, tmp_path))
    assert "of the processor" in wrong(forked(lambda: sum(range(4 * 10**6)) and 0, tmp_path), 0.01)
    assert "MB" in wrong(forked(lambda: len(bytes(2**29) + b"x") and 0, tmp_path), 60.0)
    assert wrong(forked(lambda: print("all is well") or 0, tmp_path)) is None
