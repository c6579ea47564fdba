"""The chapters as notebooks that run in the reader's browser, with nothing from outside.

Called by scripts/make_book.py when the pages and `pyodide/` beside them are there. JupyterLite is
served from `lite/`; Python is the one that the Run buttons use.
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

BOOK = Path(__file__).resolve().parents[1] / "book"
MADE = BOOK.parent / "build" / "notebooks"
#: Lite's plugin that starts Python.
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
#: Import names of wheels where they differ from the distribution's.
IMPORTS = {"qmodel-capacity": ["qmodel", "calibration", "advisor"], "ipython": ["IPython"]}
#: A page that names no icon asks for one at the root of the host.
ICON = '<link rel="icon" href="data:,">'
MISSING = "# Needs numpy or matplotlib, which are not here; below is what the book's run showed.\n"


def make_notebooks(built: Path, executed: Path) -> None:
    """Put JupyterLite with every chapter into the built handbook."""
    for old in (MADE, built / "lite"):
        shutil.rmtree(old, ignore_errors=True)
    contents = MADE / "contents"
    for path in sorted(executed.rglob("*.ipynb")):
        if not (built / path.relative_to(executed)).with_suffix(".html").exists():
            continue  # of a chapter that is no more
        target = contents / path.relative_to(executed)
        target.parent.mkdir(parents=True, exist_ok=True)
        chapter = json.loads(path.read_text(encoding="utf-8"))
        target.write_text(json.dumps(notebook(chapter), indent=1), encoding="utf-8")
    settings = {
        "appName": "qmodel notebooks",
        "disabledExtensions": [
            "@jupyterlab/extensionmanager-extension",
            # Nothing here reads files from Python, and what a worker keeps outlives a version.
            "@jupyterlite/application-extension:service-worker-manager",
        ],
        "litePluginSettings": {
            KERNEL: {"pyodideUrl": "./../pyodide/pyodide.mjs", "disablePyPIFallback": True}
        },
    }
    config = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (MADE / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
    command = [
        sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", MADE,
        "--contents", contents, "--output-dir", built / "lite", "--apps", "notebooks",
        "--apps", "lab", "--no-sourcemaps", "--no-unused-shared-packages",
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, stdin=subprocess.DEVNULL, cwd=MADE)
    for page in (built / "lite").rglob("index.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("<head>", f"<head>{ICON}", 1), encoding="utf-8")
    _python_packages(built / "pyodide")


def notebook(chapter: dict[str, Any]) -> dict[str, Any]:
    """A chapter without the cells that only check its prose, in Markdown that Jupyter reads."""
    cells = []
    for found in chapter["cells"]:
        cell = dict(found)
        tags = cell["metadata"].get("tags", [])
        if "remove-cell" in tags:
            continue
        source = "".join(cell["source"])
        if "outputs" in cell:
            cell["outputs"] = [_joined(output) for output in cell["outputs"]]
        if cell["cell_type"] == "markdown":
            cells.append({**cell, "metadata": {}, "source": plain(source)})
        elif "needs-arrays" in tags:
            tagged = {"tags": ["raises-exception"]}
            cells.append({**cell, "metadata": tagged, "source": MISSING + source})
        else:
            cells.append({**cell, "metadata": {}, "source": source})
    kernel = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": chapter["nbformat"],
        "nbformat_minor": chapter["nbformat_minor"],
    }


def _joined(output: dict[str, Any]) -> dict[str, Any]:
    """An output whose texts are single strings; Lite takes lists of lines as they are."""
    found: dict[str, Any] = {k: "".join(v) if k == "text" else v for k, v in output.items()}
    if "data" in found:
        data = found["data"].items()
        found["data"] = {k: "".join(v) if isinstance(v, list) else v for k, v in data}
    return found


def plain(text: str) -> str:
    """Markdown of the book as Markdown of Jupyter: folds, no dials, no links between pages."""
    text = re.sub(
        r"^(:{3,}|`{3,})\{anywidget\}.*?^:title: (.*?)$.*?^\1$",
        r"*The dial \2 is on the chapter's page.*",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    text = re.sub(
        r"^(:{3,})\{dropdown\} *(.*?)\n(.*?)^\1$",
        r"<details><summary>\2</summary>\n\n\3\n</details>",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    text = re.sub(
        r"^(`{3,})\{math\}\n(?::label: .*\n)?(.*?)^\1$",
        r"$$\n\2$$",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    text = re.sub(r"^:{3,}(\{[\w-]+\} *(.*))?$", r"\2", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\.(?:md|html)(?:#[^)]*)?\)", r"\1", text)


def _python_packages(pyodide: Path) -> None:
    """The wheels of the kernel and of the library, and a list of packages that names only them."""
    for old in pyodide.glob("*-none-any.whl"):
        old.unlink()
    command = [
        sys.executable, "-m", "pip", "download", "-q", "--require-hashes", "--no-deps",
        "--only-binary=:all:", "--python-version", "3.14", "--platform", "any",
        "-d", pyodide, "-r", BOOK / "wheels.txt",
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    library = pyodide / "qmodel.whl"
    name, package = _package(library)
    proper = f"{name.replace('-', '_')}-{package['version']}-py3-none-any.whl"
    shutil.copy(library, pyodide / proper)  # installers insist on such a name
    wheels = sorted(pyodide.glob("*-none-any.whl"))
    packages = dict(_package(wheel) for wheel in wheels)
    for name, package in packages.items():
        if name != "qmodel-capacity":  # a class of users needs the standard library alone
            package["depends"] = [n for n in package["depends"] if n in packages]
        else:
            package["depends"] = []
    lock["packages"] = packages
    (pyodide / "pyodide-lock.json").write_text(json.dumps(lock, indent=1), encoding="utf-8")


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
