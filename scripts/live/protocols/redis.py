"""Redis: commands as arrays of strings; replies that are numbers, strings or arrays of strings."""

from __future__ import annotations

from socket import socket
from typing import Any

from scripts.live.client import connected


def connect(address: Any) -> socket:
    """A connection on which nothing was asked yet."""
    return connected(address)


def command(*words: str) -> bytes:
    """A command."""
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        data = word.encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
    return b"".join(parts)


class Reply:
    """A reply that comes in parts."""

    def __init__(self) -> None:
        self.data = b""
        self.failed = False

    def feed(self, data: bytes) -> bool:
        """Take a part; True if the reply is whole, and the next may come."""
        self.data += data
        end = self._end(0)
        if end is None:
            return False
        self.failed = self.data[:1] == b"-"
        self.data = self.data[end:]
        return True

    def _end(self, at: int) -> int | None:
        """Where the value that begins here ends; None if it is not all there."""
        line = self.data.find(b"\r\n", at)
        if line < 0:
            return None
        kind, end = self.data[at : at + 1], line + 2
        if kind == b"$":
            length = int(self.data[at + 1 : line])
            end += length + 2 if length >= 0 else 0
            return end if end <= len(self.data) else None
        if kind == b"*":
            following: int | None = end
            for _ in range(int(self.data[at + 1 : line])):
                following = self._end(following)
                if following is None:
                    return None
            return following
        return end
