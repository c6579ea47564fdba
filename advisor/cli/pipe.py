"""Standard output that may lose its reader, as in ``qmodel tables | head -1``, or its letters."""

from __future__ import annotations

import codecs
import os
import sys
from io import TextIOWrapper
from typing import Any, Never, TextIO

#: Our own letters beyond ASCII, for terminals that have none but those.
SPELT = {"█": "#", "░": ".", "◄": "<-", "✓": "ok", "✗": "x", "±": "+-", "µ": "u", "μ": "u"}


class Pipe:
    """A text stream that ends the command quietly when nobody reads any more.

    Exit code 1 would say that there are findings, and a message would say nothing new. What the
    encoding of a terminal does not have is spelt out.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        codecs.register_error("qmodel.spelt", _spelt)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="qmodel.spelt")

    def write(self, text: str) -> int:
        """Write, or end with 0."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._end()

    def flush(self) -> None:
        """Flush, or end with 0."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._end()

    def _end(self) -> Never:
        # What is still in the buffer goes nowhere, at the interpreter's end too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        sys.exit(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _spelt(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    plain = (SPELT.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lost)
    return "".join(plain), error.end
