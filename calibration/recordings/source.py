"""A recorded file as it is read: plain or gzipped, whole or line by line, never past a limit."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from qmodel.documents.decoding import decode, read_bytes
from qmodel.errors import FileError

#: Largest file that is read as a whole, as JSON is. [bytes]
WHOLE_LIMIT = 256 * 2**20
#: As much of a file as its kind is told from; a longer line than that is none. [bytes]
SEEN, LINE_LIMIT = 2**16, 2**24
#: No recording is packed tighter than this; looked at beyond so many bytes.
PACKED, UNSUSPICIOUS = 200, 2**25

_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class Source:
    """A file, its beginning, and who is told how far it was read.

    Parameters
    ----------
    path : str
        As it was given.
    head : str
        Its first characters, from which its kind is told.
    progress : callable, optional
        Takes the bytes read and all bytes of the file.
    """

    path: str
    head: str
    progress: Callable[[int, int], None] | None = None

    def lines(self) -> Iterator[str]:
        """The lines of the file without their ends.

        Raises
        ------
        FileError
            If it is no text, or not what its first bytes promise.
        """
        rest, begun = b"", False
        for block in _blocks(self.path, self.progress):
            cut = block.rfind(b"\n") + 1
            if not cut:
                rest += block
                if len(rest) > LINE_LIMIT:
                    raise FileError(self.path, f"a line of more than {LINE_LIMIT:,} bytes")
                continue
            text = decode(rest + block[:cut], self.path)
            rest, begun = block[cut:], True
            yield from text.split("\n")[:-1] if "\r" not in text else text.splitlines()
        if rest:
            yield decode(rest, self.path)
        elif not begun:
            raise FileError(self.path, "empty; there is nothing in it")

    def text(self) -> str:
        """All of it.

        Raises
        ------
        FileError
            If it is too large or no text.
        """
        content, size = [], 0
        for block in _blocks(self.path, self.progress):
            size += len(block)
            if size > WHOLE_LIMIT:
                limit = WHOLE_LIMIT // 2**20
                problem = f"more than {limit} MB; export a shorter range, or a longer step"
                raise FileError(self.path, problem)
            content.append(block)
        return decode(b"".join(content), self.path)

    def json(self) -> Any:
        """What its JSON holds.

        Raises
        ------
        FileError
            With line and column where it ends too early or is no JSON.
        """
        return parsed(self.text(), self.path)


def parsed(text: str, path: str, line: int | None = None) -> Any:
    """What a text of JSON holds; `line` if it is one of a file."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg
        problem = "JSON ends in the middle; is it truncated?" if ends else f"no JSON: {error.msg}"
        raise FileError(path, problem, line=line or error.lineno, column=error.colno) from None
    except (RecursionError, ValueError):
        raise FileError(path, "JSON nested too deep, or a number of too many digits") from None


def opened(path: str, progress: Callable[[int, int], None] | None = None) -> Source:
    """A file with its beginning.

    Raises
    ------
    FileError
        If it cannot be read or holds no text.
    """
    if path == "-" or not Path(path).is_file():
        read_bytes(path, 0 if path != "-" else WHOLE_LIMIT)  # which says why it cannot
        raise FileError(path, "recordings are read from files")
    head = b""
    for block in _blocks(path, None, SEEN):
        head += block
        if len(head) >= SEEN:
            break
    if not head.strip():
        raise FileError(path, "empty; there is nothing in it")
    cut = head[: head.rfind(b"\n") + 1] if len(head) >= SEEN else head
    try:
        return Source(path, decode(cut or head, path), progress)
    except FileError:
        if cut or len(head) < SEEN:
            raise
        return Source(path, head.decode("utf-8", "replace"), progress)


def _blocks(
    path: str, progress: Callable[[int, int], None] | None, length: int = _BLOCK
) -> Iterator[bytes]:
    """The bytes of a file, unpacked."""
    try:
        with Path(path).open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            stream: IO[bytes] = gzip.GzipFile(fileobj=file) if packed else file  # type: ignore[assignment]
            done = 0
            while block := stream.read(length):
                done += len(block)
                if packed and done > UNSUSPICIOUS and done > PACKED * file.tell():
                    problem = f"grows more than {PACKED} times when unpacked; this is no recording"
                    raise FileError(path, problem)
                if progress is not None:
                    progress(min(file.tell(), size), size)
                yield block
            if progress is not None:
                progress(size, size)
    except PermissionError:
        raise FileError(path, "cannot read: permission denied") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FileError(path, f"damaged gzip: {error}") from None
    except OSError as error:
        raise FileError(path, f"cannot read: {error.strerror or error}") from None
