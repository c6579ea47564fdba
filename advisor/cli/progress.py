"""How far a command is, on a terminal only."""

from __future__ import annotations

import sys
from time import monotonic


class Progress:
    """A line on standard error that says how much is done, some times a second.

    Parameters
    ----------
    what : str
        What is counted.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._shown: float | None = None
        self._wanted = sys.stderr.isatty()

    def __call__(self, done: int, count: int) -> None:
        """Show that some of many are done; the last one wipes the line."""
        now = monotonic()
        if not self._wanted or (self._shown is None and done >= count):
            return
        if done < count and self._shown is not None and now - self._shown < 0.2:
            return
        if done >= count:
            sys.stderr.write("\r\x1b[K")
        else:
            self._shown = now
            sys.stderr.write(f"\r{done} of {count} {self.what}")
        sys.stderr.flush()
