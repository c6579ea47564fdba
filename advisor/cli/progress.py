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
        self.done = self.count = 0
        self._shown: float | None = None
        self._wanted = sys.stderr.isatty()

    def __call__(self, done: int, count: int) -> None:
        """Show that some of many are done; the last one wipes the line."""
        self.done, self.count = done, count
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

    def stopped(self) -> str:
        """How far it was, for what is said after Ctrl-C; wipes the line."""
        if self._shown is not None:
            sys.stderr.write("\r\x1b[K")
            self._shown = None
        return f"stopped after {self.done} of {self.count or 'all'} {self.what}"
