"""Every way in which qmodel says no, one class per mistake a user can make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qmodel.solution import Solution


def on_one_line(text: str) -> str:
    r"""A text as it may stand on a terminal, whatever a stranger wrote into it.

    Examples
    --------
    >>> print(on_one_line("no station 'cpu\n\x1b[31m'"))
    no station 'cpu\n\x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


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
        self,
        path: str,
        problem: str,
        *,
        key: str = "",
        line: int | None = None,
        column: int | None = None,
        others: tuple[FileError, ...] = (),
    ) -> None:
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
        return _file_error, (self.path, self.problem, self.__dict__)


class NotWritten(FileError):
    """A file that exists already, or cannot be written where it was to be."""

    def __reduce__(self) -> tuple[object, ...]:
        return _not_written, (self.path, self.problem)


class NotApplicable(QmodelError, ValueError):
    """The method asked for does not hold for this network; the text names the assumption."""


class Unstable(QmodelError, ArithmeticError):
    """An open class arrives faster than a station can serve: there is no steady state."""


class InternalError(QmodelError, AssertionError):
    """A result broke a law that no network can break; the text holds a reproducer."""


class NotConverged(QmodelError, ArithmeticError):
    """An iteration stopped before its tolerance was met.

    Attributes
    ----------
    last : Solution
        The last iterate. Its ``residual`` and ``iterations`` say how far it came.
    tolerance : float
        The residual that was asked for.
    """

    def __init__(self, last: Solution, tolerance: float) -> None:
        super().__init__(
            f"{last.method}: residual {last.residual:.3g} after {last.iterations} iterations, "
            f"asked for {tolerance:.3g}; the last iterate is in .last"
        )
        self.last = last
        self.tolerance = tolerance


def _not_written(path: str, problem: str) -> NotWritten:
    return NotWritten(path, problem)


def _file_error(path: str, problem: str, rest: dict[str, Any]) -> FileError:
    return FileError(path, problem, **{k: rest[k] for k in ("key", "line", "column", "others")})
