"""The protocol of MariaDB and MySQL, text queries: packets until a result is whole.

MariaDB documentation, "Client/Server Protocol".
"""

from __future__ import annotations

import struct
from socket import socket
from typing import Any

from scripts.live.client import connected

#: Protocol 4.1, authentication by plug-in, four-byte marks at the end of columns and of rows.
_CAPABILITIES = 0x0200 | 0x8000 | 0x0008_0000 | 0x0008
_OK, _ERROR, _END = 0x00, 0xFF, 0xFE


def connect(address: Any) -> socket:
    """A connection as root without a password."""
    made = connected(address)
    _packet(made)
    words = b"root\0" + b"\0" + b"bench\0" + b"mysql_native_password\0"
    body = struct.pack("<IIB23x", _CAPABILITIES, 2**24, 33) + words
    made.sendall(len(body).to_bytes(3, "little") + b"\x01" + body)
    answer = _packet(made)
    if answer[0] != _OK:
        raise SystemExit(f"MariaDB refused a client: {answer[9:].decode(errors='replace')}")
    return made


def _packet(connection: socket) -> bytes:
    head = _exactly(connection, 4)
    return _exactly(connection, int.from_bytes(head[:3], "little"))


def _exactly(connection: socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        part = connection.recv(count - len(found))
        if not part:
            raise SystemExit("MariaDB closed the connection of a client")
        found += part
    return found


def query(text: str) -> bytes:
    """A query."""
    data = b"\x03" + text.encode()
    return len(data).to_bytes(3, "little") + b"\x00" + data


class Reply:
    """A reply that comes in parts: an acknowledgement, an error, or columns and rows."""

    def __init__(self) -> None:
        self.data = b""
        self.packets = self.ends = 0
        self.failed = False

    def feed(self, data: bytes) -> bool:
        """Take a part; True if the result is whole."""
        self.data += data
        while len(self.data) >= 4:
            length = int.from_bytes(self.data[:3], "little")
            if len(self.data) < 4 + length:
                return False
            first, short = self.data[4], length < 9
            self.data = self.data[4 + length :]
            self.packets += 1
            self.ends += first == _END and short
            alone = self.packets == 1 and first in {_OK, _ERROR}
            if alone or self.ends == 2 or first == _ERROR:
                self.failed = first == _ERROR
                self.packets = self.ends = 0
                return True
        return False
