"""Answers kept in a file one by one, so that none is asked for again; see THEORY.md."""

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

from advisor.fleet.answer import answer
from advisor.fleet.services import Service
from qmodel.errors import NotWritten

#: Services handed in at a time for each that is answered, and times one is handed in.
AHEAD, ATTEMPTS = 64, 3


def answers(
    services: Sequence[Service], executor: Executor | None, partial: Path | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The place and the row of each service as they come, those kept before first.

    An executor may lose workers: their services are handed in again, and answered in this process
    if that fails too.
    """
    digests = [each.digest() for each in services]
    known = _known(partial) if partial else {}
    for i, digest in enumerate(digests):
        if digest in known:
            yield i, {**known[digest], "name": services[i].name}
    left = [i for i, digest in enumerate(digests) if digest not in known]
    here = ((i, answer(services[i])) for i in left)
    for i, row in here if executor is None else _there(services, left, executor):
        if partial:
            try:
                with partial.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([digests[i], row]) + "\n")
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:
                raise NotWritten(str(partial), f"cannot write: {error.strerror or error}") from None
        yield i, row


def _there(
    services: Sequence[Service], left: Sequence[int], executor: Executor
) -> Iterator[tuple[int, dict[str, Any]]]:
    waiting: dict[Future[dict[str, Any]], tuple[int, int]] = {}
    todo = [(i, 0) for i in reversed(left)]
    try:
        while todo or waiting:
            while todo and len(waiting) < AHEAD:
                i, times = todo.pop()
                if times < ATTEMPTS:
                    with suppress(RuntimeError):  # broken, or shut down
                        waiting[executor.submit(answer, services[i])] = i, times
                        continue
                yield i, answer(services[i])
            for future in wait(waiting, return_when=FIRST_COMPLETED).done if waiting else ():
                i, times = waiting.pop(future)
                if future.exception() is not None:  # each executor has its words for a lost worker
                    todo.append((i, times + 1))
                else:
                    yield i, future.result()
    finally:
        for future in waiting:
            future.cancel()


def _known(partial: Path) -> dict[str, dict[str, Any]]:
    """Rows by digest; a last line that was cut off is none."""
    try:
        lines = partial.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    found = {}
    for line in lines:
        try:
            digest, row = json.loads(line)
        except (ValueError, TypeError):
            continue
        found[digest] = row
    return found
