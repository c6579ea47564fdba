"""A sweep as a CSV file, one row per point, that grows under another name until it is whole."""

import csv
import io
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qmodel.analysis.sweep.figures import Sweep
from qmodel.documents.writing import harmless_cell
from qmodel.errors import FileError


class CsvStore:
    """A file that grows by appending; what is behind the last known byte is cut off.

    Until the file is whole it is called ``<name>.partial``, with ``<name>.manifest``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.partial = path.with_name(f"{path.name}.partial")
        self.manifest = path.with_name(f"{path.name}.manifest")

    def open(self, known: int) -> None:
        """Cut the file to the bytes that the manifest knows, or begin it."""
        whole = self.path.exists() and self.path.stat().st_size == known
        if known and whole and not self.partial.exists():
            self.path.replace(self.partial)  # stopped between the last two steps of an earlier run
        with self.partial.open("ab") as file:
            if file.tell() < known:
                raise FileError(
                    str(self.partial),
                    f"is shorter than the {known} bytes its manifest knows; use --force to begin "
                    "anew",
                )
            file.truncate(known)

    def write(self, sweep: Sweep, start: int) -> int:
        """Append rows; the size up to which the file is good."""
        with self.partial.open("ab") as file:
            file.write(rows_text(sweep, header=start == 0).encode())
            file.flush()
            os.fsync(file.fileno())
            return file.tell()

    def finish(self) -> None:
        """Give the file its name."""
        self.partial.replace(self.path)
        self.manifest.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove the file, and an unfinished one."""
        for path in (self.manifest, self.partial, self.path):
            path.unlink(missing_ok=True)

    def occupied(self) -> bool:
        """Whether there is a file of that name; an empty part is what a stopped start leaves."""
        begun = self.partial.exists() and self.partial.stat().st_size > 0
        return self.path.exists() or begun

    def read(self) -> dict[str, NDArray[Any]]:
        """The file's columns, numbers as numbers."""
        with self.path.open(encoding="utf-8", newline="") as file:
            names, *table = csv.reader(file)
        return {
            name: np.array([float(cell) if cell else np.nan for cell in column])
            if name != "problem"
            else np.array(column)
            for name, column in zip(names, zip(*table, strict=True), strict=True)
        }


def rows_text(sweep: Sweep, *, header: bool) -> str:
    """Rows of CSV, every float in the fewest digits that read back as itself.

    The last column says why a point has no answer; its figures are empty.
    """
    columns = sweep.columns()
    out = io.StringIO()
    if header:
        csv.writer(out, lineterminator="\n").writerow([*columns, "problem"])
    # nan is the one number that is not itself.
    texts = [[repr(v) if v == v else "" for v in x.tolist()] for x in columns.values()]  # noqa: PLR0124
    said = [harmless_cell(sweep.problems.get(i, "")) for i in range(len(sweep))]
    problems = ['"' + text.replace('"', '""') + '"' if text else "" for text in said]
    out.writelines(",".join(row) + "\n" for row in zip(*texts, problems, strict=True))
    return out.getvalue()
