"""Planted faults: is each one-line fault of `faults.toml` caught by the suite?

A fault is put into a copy of the packages, beside a copy of the tests, and the tests that it names
are run there until the first failure. A fault that survives means a hole in the tests.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from compileall import compile_dir
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from py_compile import PycInvalidationMode

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).parent / "faults.toml"
COPIED = ("qmodel", "calibration", "advisor", "tests", "examples")


@dataclass(frozen=True)
class Fault:
    """A text of a file, what replaces it, what that breaks, and the tests that must notice."""

    file: str
    text: str
    replacement: str
    breaks: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """Whether the suite caught a fault, by which test, after how long."""

    fault: Fault
    caught: bool
    by: str
    seconds: float
    problem: str = ""


def faults() -> list[Fault]:
    """All planted faults."""
    with LIST.open("rb") as file:
        entries = tomllib.load(file)["fault"]
    return [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


def try_out(fault: Fault) -> Verdict:
    """Run the tests that a fault names, with the fault."""
    return _run(fault, fault.tests)


def without_any(some: Sequence[Fault]) -> Verdict:
    """Run all tests that some faults name, which must pass."""
    return _run(None, tuple(dict.fromkeys(name for fault in some for name in fault.tests)))


def _run(fault: Fault | None, tests: Sequence[str]) -> Verdict:
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="qmodel-fault-") as folder:
        copy = Path(folder)
        shutil.copytree(Path(_compiled().name), copy, dirs_exist_ok=True)
        if fault is not None:
            try:
                plant(fault, copy)
            except ValueError as error:
                return Verdict(fault, False, "", 0.0, str(error))
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
            cwd=copy, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    by = failed[0].split(" - ")[0].partition(" ")[2] if failed else ""
    seconds = time.perf_counter() - begun
    return Verdict(fault or Fault("", "", "", "nothing", ()), run.returncode == 1, by, seconds)


@cache
def _compiled() -> tempfile.TemporaryDirectory[str]:
    """A copy of everything, compiled once; a fault is told by its content, whatever its time."""
    folder = tempfile.TemporaryDirectory(prefix="qmodel-faults-")
    copy = Path(folder.name)
    for name in COPIED:
        ignore = shutil.ignore_patterns("__pycache__", ".hypothesis")
        shutil.copytree(ROOT / name, copy / name, ignore=ignore, copy_function=shutil.copyfile)
    shutil.copy(ROOT / "pyproject.toml", copy)
    compile_dir(copy, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return folder


def plant(fault: Fault, root: Path) -> None:
    """Put a fault into the package below ``root``."""
    path = root / fault.file
    before = path.read_text()
    if before.count(fault.text) != 1:
        raise ValueError(f"{fault.file} has {before.count(fault.text)} times {fault.text!r}")
    path.write_text(before.replace(fault.text, fault.replacement))
