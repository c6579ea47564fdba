"""One command begins a rule, a device, a solver or a monitor reader, and its test."""

import ast
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from scripts import new_room

ROOT = Path(__file__).resolve().parents[2]
BEGUN = {
    ("rule", "cap099_pool_size"): ("advisor/rules/cap099_pool_size.py",),
    ("device", "tape"): ("qmodel/devices/tape.py",),
    ("solver", "amva/my_method"): ("qmodel/solvers/amva/my_method.py", "qmodel/solvers/solve.py"),
    ("reader", "nmon"): ("calibration/recordings/readers/nmon.py",
                         "calibration/recordings/loading.py"),
}  # fmt: skip


@pytest.fixture
def copied(tmp_path, monkeypatch):
    for room in ("advisor/rules", "qmodel/devices", "qmodel/solvers", "calibration/recordings"):
        shutil.copytree(ROOT / room, tmp_path / room)
    for each in tmp_path.rglob("*"):
        each.chmod(0o755)  # also of a checkout that is only to be read
    monkeypatch.setattr(new_room, "ROOT", tmp_path)
    return tmp_path


def begin(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["new_room", *words])
    new_room.main()


@pytest.mark.parametrize(("words", "files"), BEGUN.items(), ids=lambda v: v[0])
def test_it_is_written_listed_and_tested(copied, monkeypatch, capsys, words, files):
    begin(monkeypatch, *words)
    name = words[1].rpartition("/")[2]
    made, *lists = files
    runpy.run_path(str(copied / made), run_name=made.removesuffix(".py").replace("/", "."))
    for each in lists:
        text = (copied / each).read_text()
        ast.parse(text)
        assert text.count(name) > (ROOT / each).read_text().count(name)
    (test,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("tests/")]
    assert "raise AssertionError" in (copied / test).read_text()
    with pytest.raises(SystemExit, match="exists already"):
        begin(monkeypatch, *words)


@pytest.mark.parametrize(("kind", "name"), [("rule", "pool"), ("solver", "x/y"), ("device", "A b")])
def test_a_name_that_is_none_is_refused_in_one_line(copied, monkeypatch, kind, name):
    assert copied.exists()
    with pytest.raises(SystemExit, match="name"):
        begin(monkeypatch, kind, name)
