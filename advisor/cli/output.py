"""Shared by the commands: what they print and where, and how far they are."""

import codecs
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from itertools import count
from math import isfinite
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Never, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from advisor.configuration.configuration import Configuration
    from qmodel.documents.document import Document

#: What a shell expects of a program that Ctrl-C stopped.
STOPPED = 130
#: No valid answer: unstable, not calibratable, not applicable, or none that meets the targets.
NO_ANSWER = 3


def say(text: str) -> None:
    """A remark on standard error, on one line whatever a file has made it hold."""
    from qmodel.errors import on_one_line

    typer.echo(on_one_line(text), err=True)


def configured(document: "Document", asked: Sequence[int] = ()) -> "Configuration":
    """The configuration that a document holds; its warnings go to standard error.

    A single number of users that is asked for takes the place of its own.
    """
    from advisor.loading import configuration_of

    configuration = configuration_of(document)
    if asked:
        from advisor.findings.targets import for_users

        other = for_users(configuration, asked[0])  # refused where they arrive
        configuration = other if len(asked) == 1 else configuration
    for warning in configuration.warnings:
        say(warning)
    return configuration


def print_document(text: str) -> None:
    """Print what another program reads: in UTF-8, whatever the terminal writes."""
    import sys

    if isinstance(sys.stdout.encoding, str) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    typer.echo(text, nl=False)


def print_json(data: dict[str, Any]) -> None:
    """Print data as JSON with its form and provenance; NaN and infinity have no place in it."""
    from advisor.report.answers import answer
    from qmodel.provenance import recording

    found = recording()
    if found is not None and found.inputs:
        data = {**data, "provenance": found.to_dict()}
    print_document(as_text(answer(sys.argv[1], data)))


def as_text(data: Any) -> str:
    """Data as the text of a JSON file; what has no bound is null."""
    return json.dumps(_bounded(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _bounded(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _bounded(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_bounded(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


def columns() -> int:
    """The width of what is printed: as COLUMNS says, or that of the terminal, or 80."""
    import shutil

    width = shutil.get_terminal_size().columns
    return width if 20 <= width <= 1000 else 80


def console() -> "Console":
    """A console that is plain in a pipe, as wide as COLUMNS says or 80, and never wraps a word."""
    import sys

    from rich.console import Console

    # What came from a file is text, never markup of the console: a class may be called "[/]".
    return Console(
        highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else columns()
    )


#: Our own letters beyond ASCII, for terminals that have none but those.
SPELT = {"█": "#", "░": ".", "◄": "<-", "✓": "ok", "✗": "x", "±": "+-", "µ": "u", "μ": "u"}


class Pipe:
    """A text stream that ends the command quietly when its reader is gone.

    Exit code 1 would say that there are findings, and a message would say nothing new. What the
    encoding of a terminal does not have is spelt out.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        codecs.register_error("qmodel.spelt", _spelt)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="qmodel.spelt")

    def write(self, text: str) -> int:
        """Write, or end: with 0 where the reader is gone, with 2 where there is no room."""
        try:
            return self._stream.write(text)
        except OSError as error:
            self._end(error)

    def flush(self) -> None:
        """Flush, or end as `write` does."""
        try:
            self._stream.flush()
        except OSError as error:
            self._end(error)

    def _end(self, error: OSError) -> Never:
        # What is still in the buffer goes nowhere, at the interpreter's end too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        say(f"standard output: cannot write: {error.strerror}")
        sys.exit(2)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Quiet(Pipe):
    """Standard error: where it cannot be written, the exit code still says what happened."""

    def _end(self, error: OSError) -> Never:
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        raise error

    def write(self, text: str) -> int:
        """Write, or not."""
        with suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, or not."""
        with suppress(OSError):
            super().flush()


def _spelt(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    plain = (SPELT.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lost)
    return "".join(plain), error.end


#: How often it is said that something goes on. [s]
BEAT = 1.0


@contextmanager
def working(what: str) -> Iterator[None]:
    """On a terminal a line on standard error, from the third second on: that it goes on."""
    over = Event()

    def beat() -> None:
        for second in count(1):
            if over.wait(BEAT):
                break
            if second > 2:
                sys.stderr.write(f"\r{what}: {second} s")
                sys.stderr.flush()
        if second > 3:
            sys.stderr.write("\r\x1b[K")

    if not sys.stderr.isatty():
        yield
        return
    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Progress:
    """A line on standard error that says how much of something is done, some times a second."""

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
