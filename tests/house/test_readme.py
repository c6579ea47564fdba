"""What the README shows, runs: its commands with nothing installed that `make advise` does not."""

import re
import shlex
import shutil
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from advisor.cli.app import main
from scripts.write_readme import PICTURE, answered, picture
from tests.remembered import remember, shared

#: Packages by what can be imported, found once.
DISTRIBUTIONS = cache(packages_distributions)
ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("qmodel ")
]


@pytest.mark.parametrize("code", CODE, ids=range(len(CODE)))
def test_python_blocks_run(code, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})


@pytest.fixture
def as_make_advise_left_it(monkeypatch, tmp_path_factory):
    """Packages that requirements/run.txt does not have cannot be imported."""
    lock = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    there = {"qmodel-capacity", *re.findall(r"^([\w.-]+)==", lock.lower(), re.MULTILINE)}
    assert {"numpy", "rich"} <= there
    assert not {"matplotlib", "pandas", "numba", "pytest"} & there
    for package, names in DISTRIBUTIONS().items():
        runs_the_test = package.lstrip("_").startswith(
            ("py", "pluggy", "xdist", "execnet", "hypothesis", "sphinx")  # which scipy asks after
        )
        if not runs_the_test and not {re.sub("[-_.]+", "-", n.lower()) for n in names} & there:
            monkeypatch.setitem(sys.modules, package, None)
    assert sys.modules["matplotlib"] is sys.modules["pandas"] is None
    remember(monkeypatch, folder=shared(tmp_path_factory), anew=True)  # for other tests


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("as_make_advise_left_it")
def test_commands_run(command, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(ROOT)
    here = str(tmp_path / "report.html")
    words = [word.replace("report.html", here) for word in shlex.split(command)]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert ended.value.code == 0, said.err
    assert said.err in ("", f"wrote {here}\n")
    assert said.out or Path(here).exists()


def test_from_recordings_to_advice(monkeypatch, capsys, tmp_path):
    for name in ("k6.csv.gz", "prometheus.json"):
        shutil.copy(ROOT / "examples/telemetry" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    steps = re.findall(r"(?m)^\$ (qmodel .* shop.*)$", README)
    assert len(steps) == 3
    for step in steps:
        monkeypatch.setattr("sys.argv", shlex.split(step))
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
    assert "✓ FITS   16 users" in capsys.readouterr().out


def test_there_is_something_to_run():
    assert len(CODE) >= 2
    assert len(COMMANDS) >= 12


def test_the_answer_and_the_picture_are_those_of_today(monkeypatch, tmp_path_factory):
    """`python -m scripts.write_readme` writes them anew."""
    remember(monkeypatch, folder=shared(tmp_path_factory))
    assert answered(README) == README
    assert picture() == PICTURE.read_text(encoding="utf-8")
    assert f"](examples/{PICTURE.name})" in README
