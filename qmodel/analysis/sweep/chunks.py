"""Chunks on an executor: some ahead, in order, and what fails is solved again; see THEORY.md."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future

from qmodel.analysis.sweep.figures import Figures
from qmodel.analysis.sweep.tasks import Source
from qmodel.errors import QmodelError
from qmodel.provenance import note_method

#: Chunks that are handed in before the first of them is back.
AHEAD = 16
#: Times a chunk is handed in.
ATTEMPTS = 3

Chunk = tuple[int, int]


def solved_in_order(
    source: Source, start: int, executor: Executor | None,
    progress: Callable[[int, int], None] | None,
) -> Iterator[tuple[int, Figures]]:  # fmt: skip
    """The first point and the figures of each chunk, in order.

    ``executor`` is where to solve, None is here; ``progress`` is called with the points that are
    done and all there are, first before anything is solved.
    """
    if progress is not None:
        progress(start, source.points)
    bounds = (
        (first, min(first + source.chunk, source.points))
        for first in range(start, source.points, source.chunk)
    )
    runs: Iterator[tuple[int, Figures]]
    if executor is None:
        runs = ((first, source.solve(first, stop)) for first, stop in bounds)
    else:
        runs = _handed_out(source, bounds, executor)
    for first, figures in runs:
        for name in figures.methods:
            note_method(name)
        yield first, figures
        if progress is not None:
            progress(first + len(figures.throughput), source.points)


def _handed_out(
    source: Source, bounds: Iterator[Chunk], executor: Executor
) -> Iterator[tuple[int, Figures]]:
    waiting: deque[tuple[Chunk, Future[Figures] | None]] = deque()
    try:
        for chunk in bounds:
            waiting.append((chunk, _handed_in(source, chunk, executor)))
            if len(waiting) >= AHEAD:
                first, future = waiting.popleft()
                yield first[0], _result(source, first, future, executor)
        while waiting:
            first, future = waiting.popleft()
            yield first[0], _result(source, first, future, executor)
    finally:
        for _, future in waiting:
            if future is not None:
                future.cancel()


def _handed_in(source: Source, chunk: Chunk, executor: Executor) -> Future[Figures] | None:
    """The chunk's future; None if the executor takes nothing any more."""
    try:
        return executor.submit(source.piece(*chunk).solve, *chunk)
    except RuntimeError:  # broken, or shut down
        return None


def _result(
    source: Source, chunk: Chunk, future: Future[Figures] | None, executor: Executor
) -> Figures:
    for _ in range(ATTEMPTS):
        if future is None:
            break
        try:
            return future.result()
        except QmodelError:
            raise
        except Exception:  # noqa: BLE001 - each executor has its own words for a lost worker
            future = _handed_in(source, chunk, executor)
    return source.solve(*chunk)
