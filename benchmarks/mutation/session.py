"""One module mutated: a copy of the project, a session of the tool, and its survivors."""

from __future__ import annotations

import ast
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from compileall import compile_dir
from contextlib import contextmanager, suppress
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from benchmarks.mutation.record import explained

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / ".peers" / "mutation"
VERSION = "8.7.0"
COPIED = ("qmodel", "calibration", "advisor", "tests", "examples", "benchmarks")
TIMEOUT = 120.0  # seconds for the tests of one mutant


def tool() -> Path:
    """The mutation tool, in an environment of its own."""
    command = TOOL / "bin" / "cosmic-ray"
    if not command.exists():
        venv.create(TOOL, with_pip=True)
        pip = [TOOL / "bin" / "python", "-m", "pip", "install", "--quiet", f"cosmic-ray=={VERSION}"]
        subprocess.run(pip, check=True)
    return command


def mutated(module: str, entry: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Try the mutants of a module."""
    cosmic_ray = tool()
    with _copied() as copy:
        tests = " ".join(entry["tests"])
        pytest = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {tests}"
        (copy / "mutation.toml").write_text(
            f'[cosmic-ray]\nmodule-path = "{module}"\ntimeout = {TIMEOUT}\n'
            f'excluded-modules = []\ntest-command = "{pytest}"\n'
            '[cosmic-ray.distributor]\nname = "local"\n'
        )

        def run(*arguments: str) -> None:
            done = subprocess.run(
                [cosmic_ray, *arguments],
                cwd=copy, env=_environment(), check=False, capture_output=True, text=True,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
            if done.returncode:
                raise RuntimeError(f"{module}: {done.stderr[-2000:]}{done.stdout[-2000:]}")

        run("init", "mutation.toml", "session.sqlite")
        source = (copy / module).read_text()
        every = _choose(copy / "session.sqlite", source, entry["most"], seed)
        run("baseline", "mutation.toml")
        run("exec", "mutation.toml", "session.sqlite")
        survivors = _survivors(copy / "session.sqlite", source)
    found = {"tests": entry["tests"], "most": entry["most"], **every}
    found["killed"] = every["tried"] - len(survivors)
    return _with_left(found, [each for each in survivors if not explained(module, each)])


def again(module: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Try what survived without a reason once more, after the tests have changed."""
    left = []
    with _copied() as copy:
        path = copy / module
        source = path.read_text()
        if not _pass(entry["tests"], copy):
            raise RuntimeError(f"{module}: its tests fail without any mutant")
        tried = [each for each in entry["left"] if not explained(module, each)]
        for each in tried:
            lines = source.splitlines(keepends=True)
            places = [i for i, line in enumerate(lines) if line.strip() == each["line"]]
            if len(places) != 1:
                left += [each] * bool(places)  # it cannot be told which it was, or it is gone
                continue
            lines[places[0]] = lines[places[0]].replace(each["line"], each["now"])
            path.write_text("".join(lines))
            with suppress(subprocess.TimeoutExpired):  # one that never ends is caught
                if _pass(entry["tests"], copy):
                    left.append(each)
            path.write_text(source)
    return _with_left({**entry, "killed": entry["killed"] + len(tried) - len(left)}, left)


def _with_left(entry: Mapping[str, Any], left: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """What is recorded of a module; survivors only where they have no reason."""
    bare = {key: value for key, value in entry.items() if key != "left"}
    return {**bare, "left": list(left)} if left else bare


def _pass(tests: Sequence[str], copy: Path) -> bool:
    """Whether the tests of a module pass."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=copy, env=_environment(), check=False, capture_output=True,
        timeout=TIMEOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return not done.returncode


@contextmanager
def _copied() -> Iterator[Path]:
    """A copy of the project, compiled once.

    Told apart by content: a mutant may be as long as the line it replaces.
    """
    with tempfile.TemporaryDirectory(prefix="qmodel-mutant-") as folder:
        copy = Path(folder)
        for name in COPIED:
            ignore = shutil.ignore_patterns("__pycache__", ".hypothesis", "mutation")
            shutil.copytree(ROOT / name, copy / name, ignore=ignore, copy_function=shutil.copyfile)
        shutil.copy(ROOT / "pyproject.toml", copy)
        compile_dir(copy, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        yield copy


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def _choose(session: Path, source: str, most: int, seed: int) -> dict[str, int]:
    """Leave in a session what is to be tried."""
    silent = _silent(source)
    with sqlite3.connect(session) as database:
        jobs = sorted(
            database.execute(
                "select job_id, operator_name, operator_args, occurrence, start_pos_row, "
                "start_pos_col from mutation_specs"
            ).fetchall(),
            key=lambda row: row[1:],
        )
        counted = [
            row
            for row in jobs
            if row[4] not in silent
            and "Decorator" not in row[1]
            and not _impossible(row[1])
            and not _promised(source.splitlines()[row[4] - 1][: row[5]])
        ]
        chosen = random.Random(seed).sample(counted, min(most, len(counted)))
        kept = {row[0] for row in chosen}
        for job, *_ in jobs:
            if job not in kept:
                for table in ("mutation_specs", "work_items"):
                    database.execute(f"delete from {table} where job_id = ?", (job,))
    return {"mutants": len(counted), "tried": len(chosen)}


def _impossible(operator: str) -> bool:
    """Bit operators on floats: a TypeError that any test notices, and tells nothing."""
    return any(word in operator for word in ("Bit", "Shift", "Invert"))


def _promised(before: str) -> bool:
    """What is written for safety and changes no answer: strict zips, frozen records, slots."""
    return before.endswith(("strict=", "frozen=", "slots="))


def _silent(source: str) -> set[int]:
    """Lines of annotations, of fields of records and of docstrings: no code that runs."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.AnnAssign) and node.value is None:
            lines |= set(range(node.lineno, node.end_lineno + 1))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            lines.add(node.lineno)
        if isinstance(node, ast.FunctionDef):
            for each in (node.returns, *(a.annotation for a in node.args.args)):
                if each is not None and not node.args.defaults:
                    lines |= set(range(each.lineno, each.end_lineno + 1))
    return lines


def _survivors(session: Path, source: str) -> list[dict[str, str]]:
    lines = source.splitlines()
    with sqlite3.connect(session) as database:
        rows = database.execute(
            "select s.operator_name, s.occurrence, s.start_pos_row, s.start_pos_col, "
            "r.test_outcome, r.diff from mutation_specs s join work_results r "
            "on s.job_id = r.job_id order by s.start_pos_row, s.start_pos_col, s.operator_name"
        ).fetchall()
    return [
        {"line": lines[row - 1].strip(), "now": _now(diff)}
        for _, _, row, _, outcome, diff in rows
        if str(outcome).lower().endswith("survived")
    ]


def _now(diff: str | None) -> str:
    """What the mutated line says."""
    added = [line[1:].strip() for line in (diff or "").splitlines() if line.startswith("+")]
    return " ".join(line for line in added if not line.startswith("++"))
