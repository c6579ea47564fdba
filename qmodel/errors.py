"""Every way in which qmodel says no, one class per mistake a user can make."""

from typing import Any
from unicodedata import category

#: Categories of Unicode that are obeyed and not shown, halves of surrogate pairs among them.
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
#: Marks that turn the direction of writing.
TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def on_one_line(text: str) -> str:
    """A text as it may stand on a terminal, whatever a stranger wrote into it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def hidden_character(text: str, allowed: str = "") -> str | None:
    """The first character that a terminal or a page obeys and does not show, or None.

    Those are control characters, the ends of lines and paragraphs, and the marks that turn the
    direction of writing: a text that has them shows as something else than it is.
    """
    if text.isprintable():
        return None
    return next(
        (c for c in text if (category(c) in CONTROLS or c in TURNS) and c not in allowed), None
    )


class QmodelError(Exception):
    """Any refusal of qmodel; its text is one line that names the culprit and the remedy."""


class InvalidNetwork(QmodelError, ValueError):
    """A network that means nothing: a negative demand, a name used twice, a wrong shape."""


class InvalidInput(QmodelError, ValueError):
    """An argument or a model file that does not hold what it must."""


class FileError(InvalidInput):
    """A file that does not hold what it must; the text is one line that names the place.

    Attributes
    ----------
    path : str
        The file, as it was given.
    problem : str
        What is wrong and what would be right.
    key : str
        The key, ``workload.class[0].share``; empty where the whole file is meant.
    line, column : int or None
        Where it stands, counted from 1.
    others : tuple of FileError
        What else is wrong with the same file, in its order.

    Examples
    --------
    >>> print(FileError("server.toml", "must be >= 1, got -5", key="workload.users", line=14))
    server.toml:14: workload.users: must be >= 1, got -5
    """

    def __init__(
        self, path: str, problem: str, *, key: str = "", line: int | None = None,
        column: int | None = None, others: "tuple[FileError, ...]" = (),
    ) -> None:  # fmt: skip
        place = ":".join(str(part) for part in (path, line, column) if part is not None)
        text = ": ".join(part for part in (place, key, problem) if part)
        super().__init__(on_one_line(text))
        self.path = path
        self.problem = problem
        self.key = key
        self.line = line
        self.column = column
        self.others = others

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel between processes by class and arguments; here they are not the text."""
        return _file_error, (type(self), self.path, self.problem, self.__dict__)


class NotWritten(FileError):
    """A file that exists already, or cannot be written where it was to be."""


class NotApplicable(QmodelError, ValueError):
    """The method asked for does not hold for this network; the text names the assumption."""


class Unstable(QmodelError, ArithmeticError):
    """An open class arrives faster than a station can serve: there is no steady state."""


class InternalError(QmodelError, AssertionError):
    """A result broke a law that no network can break; the text holds a reproducer."""


def _file_error(kind: type[FileError], path: str, problem: str, rest: dict[str, Any]) -> FileError:
    return kind(path, problem, **{k: rest[k] for k in ("key", "line", "column", "others")})
