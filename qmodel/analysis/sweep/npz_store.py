"""A sweep as a folder of parts in NumPy's format, each a file that is whole or not there."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.analysis.sweep.figures import Sweep
from qmodel.documents.writing import replace_bytes
from qmodel.errors import FileError


class NpzStore:
    """A folder with ``manifest.json`` and ``part-<first point>.npz``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = path / "manifest.json"
        self._parts = 0

    def open(self, done: dict[str, Any] | None) -> None:
        """Make the folder; parts that no manifest knows are written anew."""
        known = done.get("parts", 0) if done else 0
        self._parts = sum(self._known(path, done) for path in self.path.glob("part-*.npz"))
        if self._parts < known:
            raise FileError(
                str(self.path),
                f"has {self._parts} of the {known} parts its manifest knows; use --force to begin "
                "anew",
            )
        self.path.mkdir(parents=True, exist_ok=True)
        for path in self._left_over():
            path.unlink(missing_ok=True)

    def write(self, sweep: Sweep, start: int) -> dict[str, Any]:
        """One part, its arrays named as columns."""
        content = io.BytesIO()
        columns: dict[str, Any] = sweep.columns()
        np.savez(content, **columns)
        replace_bytes(self.path / f"part-{start:012d}.npz", content.getvalue())
        self._parts += 1
        return {"last": start, "parts": self._parts}

    @staticmethod
    def _known(path: Path, done: dict[str, Any] | None) -> bool:
        return done is not None and path.stem <= f"part-{done.get('last', 0):012d}"

    def finish(self) -> None:
        """The manifest stays: it says what the parts are."""

    def clear(self) -> None:
        """Remove the parts; other files in the folder are not touched."""
        if self.path.is_dir():
            for path in (self.manifest, *self.path.glob("part-*.npz")):
                path.unlink(missing_ok=True)

    def occupied(self) -> bool:
        """Whether there is a file of that name, or something else in the folder."""
        if not self.path.is_dir():
            return self.path.exists()
        return bool({*self.path.iterdir()} - {*self._left_over()})

    def _left_over(self) -> list[Path]:
        """What a program that was killed had not renamed yet."""
        return [*self.path.glob(".manifest.json.*"), *self.path.glob(".part-*.npz.*")]

    def read(self) -> dict[str, NDArray[Any]]:
        """All parts one after another."""
        parts = [np.load(path) for path in sorted(self.path.glob("part-*.npz"))]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0].files}
