"""A sweep that goes to disk as it comes, and goes on where it was stopped; see THEORY.md."""

import json
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from qmodel.analysis.sweep.chunks import solved_in_order
from qmodel.analysis.sweep.csv_store import CsvStore
from qmodel.analysis.sweep.tasks import Source
from qmodel.documents.writing import write_bytes
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
        The file.
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
        return CsvStore(Path(self.path)).read()

    def _caption(self) -> str:
        return f"{self.path}: {self.points} points, {self.without_answer} without an answer"

    def _columns(self) -> dict[str, NDArray[Any]]:
        return self.columns()


def stored(
    source: Source, to: str | PathLike[str], executor: Executor | None,
    progress: Callable[[int, int], None] | None, *, force: bool,
) -> StoredSweep:  # fmt: skip
    """Solve all points that are not on disk yet; see `qmodel.sweep`."""
    path = Path(fspath(to))
    if path.suffix.lower() != ".csv":
        raise FileError(str(path), "expected a name that ends in .csv")
    store = CsvStore(path)
    try:
        manifest = _begin(source, store, path, force=force)
        resumed = manifest["done"]
        for start, figures in solved_in_order(source, resumed, executor, progress):
            manifest["bytes"] = store.write(figures.named(source.names), start)
            manifest["done"] = start + len(figures.throughput)
            manifest["without_answer"] += len(figures.problems)
            for i, problem in list(figures.problems.items())[: KEPT - len(manifest["problems"])]:
                manifest["problems"][str(start + i)] = problem
            manifest["methods"] = [*dict.fromkeys([*manifest["methods"], *figures.methods])]
            _keep(store, manifest)
        store.finish()
    except OSError as error:
        raise NotWritten(str(path), f"cannot write: {error.strerror or error}") from None
    return StoredSweep(
        str(path), source.points, resumed, manifest["without_answer"],
        {int(i): problem for i, problem in manifest["problems"].items()},
        tuple(manifest["methods"]),
    )  # fmt: skip


def _begin(source: Source, store: CsvStore, path: Path, *, force: bool) -> dict[str, Any]:
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
            "done": 0, "without_answer": 0, "problems": {}, "methods": [], "bytes": 0,
        }  # fmt: skip
    store.open(record["bytes"])
    if not record["done"]:  # before the first results, which would belong to no request without it
        _keep(store, record)
    return record


def _read_manifest(store: CsvStore, path: Path) -> dict[str, Any] | None:
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
    counts = [manifest[name] for name in ("points", "done", "without_answer", "bytes")]
    return (
        manifest["qmodel_sweep"] == 1
        and isinstance(manifest["request"], str)
        and all(type(number) is int and number >= 0 for number in counts)
        and manifest["without_answer"] <= manifest["done"] <= manifest["points"]
        and all(i.isdecimal() and isinstance(text, str) for i, text in manifest["problems"].items())
        and isinstance(manifest["methods"], list)
        and all(isinstance(name, str) for name in manifest["methods"])
        and bool(manifest["bytes"]) is bool(manifest["done"])
    )


def _keep(store: CsvStore, manifest: dict[str, Any]) -> None:
    """Write the manifest under a temporary name and rename it, so that it is whole or not there."""
    write_bytes(store.manifest, json.dumps(manifest, indent=1).encode(), force=True)
