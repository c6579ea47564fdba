"""A recorded file as it is read: plain or gzipped, whole or line by line, never past a limit."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from qmodel.documents.syntax import decode, read_bytes
from qmodel.errors import FileError

#: Largest file that is read as a whole, as JSON is, and largest one of metrics, whose samples are
#: kept one by one. [bytes]
WHOLE_LIMIT, METRICS_LIMIT = 256 * 2**20, 48 * 2**20
#: As much of a file as its kind is told from; a longer line than that is none. [bytes]
SEEN, LINE_LIMIT = 2**16, 2**24
#: No recording is packed tighter than this; looked at beyond so many bytes.
PACKED, UNSUSPICIOUS = 200, 2**23

#: How a file begins that sadc writes, on little-endian machines.
_SADC = b"\x96\xd5"
_BLOCK = 2**20
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Source:
    """A file, its first characters, and who is told how many bytes were read, and of how many."""

    path: str
    head: str
    progress: Progress | None = None

    def lines(self) -> Iterator[str]:
        """The lines of the file without their ends; FileError if it is no text."""
        rest = b""
        for block in _blocks(self.path, self.progress):
            cut = block.rfind(b"\n") + 1
            if cut:
                text = decode(rest + block[:cut], self.path)
                yield from text.split("\n")[:-1] if "\r" not in text else text.splitlines()
                rest = b""
            rest += block[cut:]
            if len(rest) > LINE_LIMIT:
                raise FileError(self.path, f"a line of more than {LINE_LIMIT:,} bytes")
        if rest:
            yield decode(rest, self.path)

    def at_most(self, size: int, limit: int = METRICS_LIMIT) -> None:
        """Refuse a file that is larger."""
        if size > limit:
            problem = f"more than {limit // 2**20} MB of it; export a shorter range or longer steps"
            raise FileError(self.path, f"{problem}, or sum over the labels not needed")

    def text(self, limit: int = WHOLE_LIMIT) -> str:
        """All of it; FileError if it is too large or no text."""
        content, size = [], 0
        self.at_most(Path(self.path).stat().st_size, limit)
        for block in _blocks(self.path, self.progress):
            size += len(block)
            self.at_most(size, limit)
            content.append(block)
        return decode(b"".join(content), self.path)

    def json(self, limit: int = WHOLE_LIMIT) -> Any:
        """What its JSON holds; FileError with line and column where it is none."""
        return parsed(self.text(limit), self.path)


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


def opened(path: str, progress: Progress | None = None) -> Source:
    """A file with its beginning; FileError if it cannot be read or holds no text."""
    if not Path(path).is_file():
        read_bytes(path, 0)  # which says why it cannot
    head = next(_blocks(path, None, SEEN), b"")
    if not head.strip():
        raise FileError(path, "empty; record it again")
    if head.startswith(_SADC):
        problem = "sysstat's own file; give what sadf -j FILE -- -u -d -n DEV writes of it"
        raise FileError(path, problem)
    cut = head.rfind(b"\n") + 1 if len(head) == SEEN else 0
    return Source(path, decode(head[: cut or None], path), progress)


def _blocks(path: str, progress: Progress | None, length: int = _BLOCK) -> Iterator[bytes]:
    """The bytes of a file, unpacked."""
    try:
        with Path(path).open("rb") as file:
            size = Path(path).stat().st_size
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
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FileError(path, f"damaged gzip: {error}") from None
    except OSError as error:
        raise FileError(path, f"cannot read: {error.strerror or error}") from None
    if progress is not None:
        progress(size, size)
