"""Bytes from a path, a size limit, and the text they spell."""

from __future__ import annotations

import sys
from math import ceil
from pathlib import Path

from qmodel.errors import FileError
from qmodel.provenance import note_input

#: Largest file that is read; a configuration is a few kilobytes. [bytes]
SIZE_LIMIT = 2**20

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_bytes(path: str, limit: int = SIZE_LIMIT, what: str = "a configuration or model") -> bytes:
    """What a file holds, "-" being standard input; never more than the limit."""
    try:
        if path == "-":
            content = _within_limit(sys.stdin.buffer.read(limit + 1), path, limit, what)
        else:
            with Path(path).open("rb") as file:
                content = _within_limit(file.read(limit + 1), path, limit, what)
    except FileNotFoundError:
        raise FileError(path, "cannot read: no such file") from None
    except IsADirectoryError:
        raise FileError(path, "cannot read: is a directory; expected a file") from None
    except PermissionError:
        # Windows calls a directory this.
        problem = "is a directory; expected a file" if Path(path).is_dir() else "permission denied"
        raise FileError(path, f"cannot read: {problem}") from None
    except OSError as error:
        raise FileError(path, f"cannot read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a NUL in it
        if isinstance(error, FileError):
            raise
        raise FileError(path, f"cannot read: {error}") from None
    note_input(path, content)
    return content


def decode(content: bytes, path: str) -> str:
    """Text from UTF-8 with or without a byte-order mark; other encodings are named if known."""
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise FileError(path, "not UTF-8 (byte 0); looks like UTF-16, save as UTF-8")
    skipped = len(_BYTE_ORDER_MARK) if content.startswith(_BYTE_ORDER_MARK) else 0
    if (nul := content.find(b"\0")) >= 0:
        looks = "UTF-16" if nul < 4 else "a binary file"
        raise FileError(path, f"not text (byte {nul} is 0); looks like {looks}, save as UTF-8")
    try:
        return content[skipped:].decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.start + skipped
        raise FileError(
            path,
            f"not UTF-8 (byte {byte} is 0x{content[byte]:02x}); save as UTF-8",
            line=content.count(b"\n", 0, byte) + 1,
        ) from None


def _within_limit(content: bytes, path: str, limit: int, what: str) -> bytes:
    if len(content) <= limit:
        return content
    size = Path(path).stat().st_size if path != "-" else 0
    # A pipe or a device does not know its size.
    megabyte = 2**20
    shown = f"{ceil(size / megabyte * 100) / 100:g} MB" if size > limit else "the file"
    raise FileError(path, f"{shown} exceeds the {limit / megabyte:g} MB limit for {what}")
