"""The chapters as notebooks that run in the reader's browser, with nothing from outside.

Called by scripts/make_book.py when the pages and `pyodide/` beside them are there. JupyterLite is
served from `lite/`; Python is the one that the Run buttons use.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from browser_python import KERNEL as PRELOADED

BOOK = Path(__file__).resolve().parents[1] / "book"
MADE = BOOK.parent / "build" / "notebooks"
#: Lite's plugin that starts Python.
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
#: A page that names no icon asks for one at the root of the host.
ICON = '<link rel="icon" href="data:,">'
#: What a chapter's cells lead to, and what then must be fetched; Lite sees only what they import.
FETCHED = {
    "needs-arrays": ("numpy", "scipy"),
    "pictures.plot": ("matplotlib",),
    "symbolic": ("sympy",),
    "calibration": ("rich", "networkx"),
    "advisor": ("rich", "networkx"),
}


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
            KERNEL: {
                "pyodideUrl": "./../pyodide/pyodide.mjs",
                "disablePyPIFallback": True,
                "loadPyodideOptions": {"packages": list(PRELOADED)},
            }
        },
    }
    config = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (MADE / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
    whole = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}
    (MADE / "overrides.json").write_text(json.dumps(whole), encoding="utf-8")
    command = [
        sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", MADE,
        "--contents", contents, "--output-dir", built / "lite", "--apps", "notebooks",
        "--apps", "lab", "--no-sourcemaps", "--no-unused-shared-packages",
    ]  # fmt: skip
    subprocess.run(list(map(str, command)), check=True, stdin=subprocess.DEVNULL, cwd=MADE)
    for page in (built / "lite").rglob("index.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("<head>", f"<head>{ICON}", 1), encoding="utf-8")


def notebook(chapter: dict[str, Any]) -> dict[str, Any]:
    """A chapter without the cells that only check its prose, in Markdown that Jupyter reads."""
    cells = [fetching(chapter)] if fetching(chapter) else []
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
        elif "hide-cell" in tags:
            folded = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}
            cells.append({**cell, "metadata": folded, "source": source})
        else:
            cells.append({**cell, "metadata": {}, "source": source})
    kernel = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": chapter["nbformat"],
        "nbformat_minor": chapter["nbformat_minor"],
    }


def fetching(chapter: dict[str, Any]) -> dict[str, Any] | None:
    """The first cell of a chapter that needs more than the library: what is to be fetched."""
    text = json.dumps([(c["source"], c["metadata"]) for c in chapter["cells"]])
    modules = dict.fromkeys(m for word, of in FETCHED.items() if word in text for m in of)
    if "needs-arrays" not in text:
        return None
    source = f"# Fetched once, some 30 MB; then everything below runs.\nimport {', '.join(modules)}"
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [],
            "execution_count": None, "id": "fetching"}  # fmt: skip


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
        r"^:{3}\{ask\} *(.*?)\n:answer: (.*?)\n(?::within: .*?\n)?(?::unit: ?(.*?)\n)?"
        r"(\n(?:.*\n)*?)?:{3}$",
        r"<details><summary>\1</summary>\n\n\2 \3\n\4</details>",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(
        r"^(`{3,})\{math\}\n(?::label: .*\n)?(.*?)^\1$",
        r"$$\n\2$$",
        text,
        flags=re.MULTILINE | re.DOTALL,
    )
    text = re.sub(r"^:{3,}(\{[\w-]+\} *(.*))?$", r"\2", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\.(?:md|html)(?:#[^)]*)?\)", r"\1", text)
