"""A sweep that goes to disk as it comes, and goes on where it was stopped.

Beside the results stands a manifest: the digest of the request, and how far it is. It is replaced
as a whole after each chunk, once the chunk itself is safe, so that whatever stops the program, a
call with the same request goes on behind the last chunk that the manifest knows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from qmodel.analysis.sweep.chunks import solved_in_order
from qmodel.analysis.sweep.csv_store import CsvStore, NpzStore
from qmodel.analysis.sweep.figures import Sweep, part
from qmodel.analysis.sweep.tasks import Source
from qmodel.documents.writing import replace_bytes
from qmodel.errors import FileError, NotWritten
from qmodel.tabular import Tabular

#: Reasons that are kept in a manifest; the others are counted.
KEPT = 100


@dataclass(frozen=True, slots=True)
class StoredSweep(Tabular):
    """A sweep on disk.
    As a table: a row per point, named as in the file.

    Attributes
    ----------
    path : str
        The file or folder.
    points : int
        Points in all.
    resumed : int
        Points that were there already.
    without_answer : int
        Points that are nan.
    problems : dict of int to str
        Why, for the first of them.
    methods : tuple of str
        Methods that were used.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from qmodel import ClosedClass, Network, QueueingStation, sweep
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 1, 5.0)], [[0.5]])
    >>> with TemporaryDirectory() as folder:
    ...     stored = sweep(network, {"users": range(1, 1001)}, to=Path(folder, "users.csv"))
    ...     stored.points, float(stored.columns()["throughput"][-1])
    (1000, 2.0)
    """

    path: str
    points: int
    resumed: int
    without_answer: int
    problems: dict[int, str]
    methods: tuple[str, ...]

    def columns(self) -> dict[str, NDArray[Any]]:
        """All results as columns of one row per point, as `Sweep.columns`; they must fit memory."""
        return store_at(Path(self.path)).read()

    def _caption(self) -> str:
        return f"{self.path}: {self.points} points, {self.without_answer} without an answer"

    def _columns(self) -> dict[str, NDArray[Any]]:
        return self.columns()


class Store(Protocol):
    """A place for results: takes them chunk by chunk, and knows what a manifest says of them."""

    manifest: Path

    def open(self, done: dict[str, Any] | None) -> None:
        """Begin, or go on behind what a manifest knows."""

    def write(self, sweep: Sweep, start: int) -> dict[str, Any]:
        """Make a chunk safe; what is returned goes into the manifest."""

    def finish(self) -> None:
        """All is there."""

    def clear(self) -> None:
        """Remove what is there."""

    def occupied(self) -> bool:
        """Whether something else is in the place."""

    def read(self) -> dict[str, NDArray[Any]]:
        """All results."""


def store_at(path: Path) -> Store:
    """The store for a path, told by its extension.

    Raises `FileError` if there is no store for such a file.
    """
    if path.suffix.lower() == ".csv":
        return CsvStore(path)
    if path.suffix == "" and path.name not in {"", ".", ".."}:
        return NpzStore(path)
    raise FileError(
        str(path),
        f"cannot tell the format from {(path.suffix or path.name)!r}; expected a .csv file, or a "
        "folder without extension for parts in .npz",
    )


def stored(
    source: Source,
    to: str | PathLike[str],
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
    *,
    force: bool,
) -> StoredSweep:
    """Solve all points that are not on disk yet; see `qmodel.sweep`."""
    path = Path(fspath(to))
    store = store_at(path)
    try:
        manifest = _begin(source, store, path, force=force)
        resumed = manifest["done"]
        for start, figures in solved_in_order(source, resumed, executor, progress):
            manifest["store"] = store.write(part(source, figures), start)
            manifest["done"] = start + len(figures.throughput)
            manifest["without_answer"] += len(figures.problems)
            for i, problem in list(figures.problems.items())[: KEPT - len(manifest["problems"])]:
                manifest["problems"][str(start + i)] = problem
            manifest["methods"] = [*dict.fromkeys([*manifest["methods"], *figures.methods])]
            replace_text(store.manifest, json.dumps(manifest, indent=1))
        store.finish()
    except OSError as error:
        raise NotWritten(str(path), f"cannot write: {error.strerror or error}") from None
    return StoredSweep(
        str(path), source.points, resumed, manifest["without_answer"],
        {int(i): problem for i, problem in manifest["problems"].items()},
        tuple(manifest["methods"]),
    )  # fmt: skip


def _begin(source: Source, store: Store, path: Path, *, force: bool) -> dict[str, Any]:
    """The manifest to go on with, and the store open behind it."""
    digest = source.digest()
    record = None if force else _read_manifest(store, path)
    if force:
        store.clear()
    elif record is not None and record["request"] != digest:
        raise FileError(
            str(path),
            "holds another sweep, or one of another version of qmodel; use another name, or "
            "--force (force=True) to overwrite it",
        )
    elif record is None and store.occupied():
        raise NotWritten(str(path), "exists already; use --force (force=True) to overwrite it")
    if record is None:
        record = {
            "qmodel_sweep": 1, "request": digest, "points": source.points, "chunk": source.chunk,
            "done": 0, "without_answer": 0, "problems": {}, "methods": [], "store": None,
        }  # fmt: skip
    store.open(record["store"])
    if not record["done"]:  # before the first results, which would belong to no request without it
        replace_text(store.manifest, json.dumps(record, indent=1))
    return record


def _read_manifest(store: Store, path: Path) -> dict[str, Any] | None:
    try:
        content = store.manifest.read_bytes()
    except FileNotFoundError:
        return None
    try:
        record = json.loads(content.decode())
        if _is_manifest(record):
            return dict(record)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise FileError(
        str(store.manifest), f"is no manifest of a sweep; remove it, or use --force for {path}"
    )


def _is_manifest(manifest: Any) -> bool:
    """Whether it is what a sweep writes: one that was changed must not hide what is missing."""
    where = manifest["store"]
    return (
        manifest["qmodel_sweep"] == 1
        and isinstance(manifest["request"], str)
        and all(_counts(manifest[name]) for name in ("points", "done", "without_answer"))
        and manifest["without_answer"] <= manifest["done"] <= manifest["points"]
        and all(i.isdecimal() and isinstance(text, str) for i, text in manifest["problems"].items())
        and isinstance(manifest["methods"], list)
        and all(isinstance(name, str) for name in manifest["methods"])
        and bool(where) is bool(manifest["done"])
        and (where is None or all(_counts(number) for number in where.values()))
    )


def _counts(number: Any) -> bool:
    return type(number) is int and number >= 0


def replace_text(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it, so that it is whole or not there."""
    replace_bytes(path, text.encode())
