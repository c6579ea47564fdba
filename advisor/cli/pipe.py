"""Standard output that may lose its reader, as in ``qmodel tables | head -1``."""

from __future__ import annotations

import os
import sys
from typing import Any, Never, TextIO


class Pipe:
    """A text stream that ends the command quietly when nobody reads any more.

    Exit code 1 would say that there are findings, and a message would say nothing new.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

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
