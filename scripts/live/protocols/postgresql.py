"""PostgreSQL's protocol 3.0, simple queries: a text goes out, messages come until it is ready.

PostgreSQL 15, documentation, chapter 55.
"""

from __future__ import annotations

import struct
from socket import socket
from typing import Any

from scripts.live.client import connected
from scripts.live.database import DATABASE, ROLE


def connect(address: Any) -> socket:
    """A connection that is ready for a query; the server trusts everybody."""
    made = connected(address)
    words = b"".join(
        each.encode() + b"\0" for each in ("user", ROLE, "database", DATABASE)
    ) + b"\0"  # fmt: skip
    made.sendall(struct.pack("!ii", 8 + len(words), 196_608) + words)
    reply = Reply()
    while data := made.recv(65_536):
        if reply.feed(data):
            return made
    raise SystemExit("PostgreSQL refused a client")


def query(text: str) -> bytes:
    """A query; several between semicolons are one transaction."""
    data = text.encode() + b"\0"
    return b"Q" + struct.pack("!i", 4 + len(data)) + data


class Reply:
    """A reply that comes in parts."""

    def __init__(self) -> None:
        self.data = b""
        self.wrong = self.failed = False

    def feed(self, data: bytes) -> bool:
        """Take a part; True if the server is ready for the next query."""
        self.data += data
        at = 0
        while len(self.data) - at >= 5:
            kind, length = self.data[at : at + 1], int.from_bytes(self.data[at + 1 : at + 5], "big")
            if len(self.data) - at <= length:
                break
            at += 1 + length
            self.wrong = self.wrong or kind == b"E"
            if kind == b"Z":
                self.data, self.failed, self.wrong = self.data[at:], self.wrong, False
                return True
        self.data = self.data[at:]
        return False
