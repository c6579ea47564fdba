"""Build sdist and wheel, install from each into a fresh environment, and use what is installed.

Runs outside of the source tree, so that nothing but the installed packages is there; their
dependencies are those of the environment this runs in, which the lock has pinned.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SMOKE = """
import importlib.resources as resources, sys
import qmodel, calibration, advisor
for package in (qmodel, calibration, advisor):
    assert resources.files(package).joinpath("py.typed").is_file(), package
    assert ROOT not in package.__file__, package.__file__
network = qmodel.Network([qmodel.QueueingStation("cpu")], [qmodel.ClosedClass("users", 2, 1.0)],
                         [[0.5]])
assert abs(qmodel.solve(network).throughputs[0] - 1.2) < 1e-12
assert calibration.load_table("notes31/table_4_2").rows
"""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="qmodel-wheels-") as name:
        folder = Path(name)
        build(folder / "dist")
        (sdist,) = (folder / "dist").glob("*.tar.gz")
        (wheel,) = (folder / "dist").glob("*.whl")
        for source in (wheel, sdist):
            environment = folder / source.suffix.removeprefix(".")
            run(installed(environment, source), folder)
            print(f"{source.name}: {source.stat().st_size / 1024:.0f} KB, installed and used")
    return 0


def build(target: Path) -> None:
    """Both, by the build backend that the lock has: nothing is fetched."""
    code = (
        "import sys; from hatchling import build; "
        "print(build.build_sdist(sys.argv[1])); print(build.build_wheel(sys.argv[1]))"
    )
    target.mkdir()
    subprocess.run([sys.executable, "-c", code, target], cwd=ROOT, check=True, capture_output=True)


def installed(environment: Path, source: Path) -> Path:
    """The Python of an environment with one distribution and, from here, its dependencies."""
    venv.create(environment, with_pip=False, symlinks=sys.platform != "win32")
    python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    # The dependencies of this environment, the build backend among them, stand behind what is
    # installed there; its .pth files, one of which leads to the source, are not read.
    (here,) = [path for path in sys.path if path.endswith("site-packages")]
    (site,) = environment.rglob("site-packages")
    (site / "dependencies.pth").write_text(f"import sys; sys.path.append({here!r})\n")
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    subprocess.run(
        [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--no-build-isolation", str(source)],
        check=True,
    )  # fmt: skip
    return python


def run(python: Path, folder: Path) -> None:
    """Use the library and the command as somebody would who has only them."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    smoke = SMOKE.replace("ROOT", repr(str(ROOT)))
    config = folder / "server.toml"
    command = python.with_name("qmodel")
    for arguments in (
        [python, "-c", smoke],
        [command, "--version", "--json"],
        [command, "init", config, "--force"],
        [command, "advise", config],
        [command, "advise", config, "--json"],
    ):
        done = subprocess.run(
            list(map(str, arguments)), cwd=folder, env=environment, capture_output=True, text=True
        )
        if done.returncode or "Traceback" in done.stderr:
            sys.exit(f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
