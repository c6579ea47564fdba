"""HTTP/1.1 with connections that stay: bodies of known length, or in chunks."""

from __future__ import annotations

import re
from socket import socket
from typing import Any

from scripts.live.client import connected

_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
_CHUNKS_END = b"0\r\n\r\n"


def connect(address: Any) -> socket:
    """A connection on which nothing was asked yet."""
    return connected(address)


def get(path: str, *headers: str) -> bytes:
    """A request."""
    lines = [f"GET {path} HTTP/1.1", "Host: server", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Reply:
    """A reply that comes in parts."""

    def __init__(self) -> None:
        self.head = b""
        self.left: int | None = None
        self.last = b""
        self.failed = False

    def feed(self, data: bytes) -> bool:
        """Take a part; True if the reply is whole, and the next may come."""
        if not self.last and self.left is None:
            self.head += data
            head, end, body = self.head.partition(b"\r\n\r\n")
            if not end:
                return False
            self.failed = head[9:12] != b"200"
            length = _LENGTH.search(head)
            if length is None:
                self.last = body or b"\r\n"
            else:
                self.left = int(length[1]) - len(body)
        elif self.left is not None:
            self.left -= len(data)
        else:
            self.last = (self.last + data)[-len(_CHUNKS_END) :]
        whole = self.left == 0 if self.left is not None else self.last.endswith(_CHUNKS_END)
        if whole:
            self.head, self.left, self.last = b"", None, b""
        return whole
