"""Pin every dependency with its digests: python scripts/lock.py [--upgrade].

Writes requirements/run.txt (the library and the command), test.txt, docs.txt, and lowest.txt (the
oldest versions that pyproject.toml allows, with the tools of the tests at their newest). One file
serves all supported Pythons and systems. Needs uv on the path or in the environment.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
HEADER = "# Written by scripts/lock.py (make lock); not by hand.\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="to the newest versions")
    arguments = parser.parse_args()
    more = ["--upgrade"] if arguments.upgrade else []
    tests = ["--extra", "test", "--extra", "check"]
    newest = ["--constraint", FOLDER / "docs.txt"]
    compile_lock("docs.txt", [*tests, "--extra", "docs", *more])
    compile_lock("test.txt", [*tests, *newest])
    compile_lock("run.txt", newest)
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder) / "tools.txt"
        tools.write_text(tools_of_the_tests(), encoding="utf-8")
        lowest = ["--extra", "test", "--resolution", "lowest-direct", "--constraint", tools]
        compile_lock("lowest.txt", lowest, python="3.11")
    return 0


def compile_lock(name: str, options: list[str | Path], python: str | None = None) -> None:
    """Resolve pyproject.toml with some options into one file."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uv is None:
        sys.exit("uv is needed: pip install uv")
    target = FOLDER / name
    versions = ["--python-version", python] if python else ["--universal"]
    if python:
        target.unlink(missing_ok=True)  # an old lock is a preference, and so not the lowest
    command: list[str | Path] = [
        uv, "pip", "compile", "--quiet", "--generate-hashes", "--no-emit-index-url", "--no-header",
        "--no-annotate", *versions, *options, "pyproject.toml", "requirements/build.in",
        "-o", target,
    ]  # fmt: skip
    if subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
        sys.exit(f"{name} could not be resolved; the message is above")
    text = target.read_text(encoding="utf-8").removeprefix(HEADER)
    target.write_text(HEADER + text, encoding="utf-8")
    print(f"{name}: {text.count('==')} packages")


def tools_of_the_tests() -> str:
    """What only the tests need, as the lock of the tests has it: its age says nothing of ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    offered = [extras[name] for name in ("frame", "plot", "distributed")]
    ours = {name_of(line) for lines in (project["dependencies"], *offered) for line in lines}
    tools = {name_of(line) for line in extras["test"]} - ours | {"hatchling", "editables"}
    lock = (FOLDER / "test.txt").read_text(encoding="utf-8").splitlines()
    kept = [
        line.removesuffix(" \\") for line in lock if "==" in line and line.split("==")[0] in tools
    ]
    return "\n".join(kept) + "\n"


def name_of(requirement: str) -> str:
    """The distribution that a line of pyproject.toml names."""
    for index, character in enumerate(requirement):
        if not (character.isalnum() or character in "-_."):
            return requirement[:index].lower()
    return requirement.lower()


if __name__ == "__main__":
    sys.exit(main())
