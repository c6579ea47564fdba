"""Text to a file, whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from tempfile import NamedTemporaryFile

from qmodel.errors import FileError


def write_text(path: str | PathLike[str], text: str, *, force: bool = False) -> None:
    """Write UTF-8 text under a temporary name, then rename it, so that nobody sees half a file.

    Parameters
    ----------
    path : path-like
        The file.
    text : str
        What it will hold.
    force : bool
        Whether a file that exists is replaced.

    Raises
    ------
    FileError
        If the file exists and ``force`` is not set, or if it cannot be written.
    """
    shown = str(fspath(path))
    target = Path(path)
    if target.is_dir():
        raise FileError(shown, "cannot write: is a directory; expected a file")
    if target.exists() and not force:
        raise FileError(shown, "exists already; use --force (force=True) to overwrite it")
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise FileError(shown, f"cannot write {character!r}; not a Unicode character") from None
    temporary = None
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _take_mode(temporary, target)
        Path(temporary).replace(target)
    except OSError as error:
        raise FileError(shown, f"cannot write: {error.strerror or error}") from None
    finally:
        if temporary:
            with suppress(OSError):  # gone already where all went well
                Path(temporary).unlink()


def _take_mode(temporary: str, target: Path) -> None:
    """The permissions a plain write would leave; a temporary file's are the owner's only."""
    if target.exists():
        mode = target.stat().st_mode & 0o777
    else:
        umask = os.umask(0)
        os.umask(umask)
        mode = 0o666 & ~umask
    Path(temporary).chmod(mode)
