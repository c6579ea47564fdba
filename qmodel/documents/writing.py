"""Text or bytes to a file, whole or not at all."""

import os
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from tempfile import NamedTemporaryFile

from qmodel.errors import NotWritten


def write_text(path: str | PathLike[str], text: str, *, force: bool = False) -> None:
    """Write UTF-8 text under a temporary name, then rename it, so that half a file is never seen.

    Raises `NotWritten` if the file exists and ``force`` is not set, or if it cannot be written.
    """
    check_target(path, force=force)
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"cannot write {text[error.start]!r}; not a Unicode character"
        raise NotWritten(str(fspath(path)), problem) from None
    write_bytes(path, content, force=force)


def harmless_cell(text: str) -> str:
    """Text as a cell of CSV that no spreadsheet takes for a formula: behind an apostrophe.

    After the CSV injection page of OWASP: a cell is a formula by its first character.
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def check_target(path: str | PathLike[str], *, force: bool = False) -> None:
    """Refuse what could not be written, as `write_text` would, before any work is done for it."""
    shown, target = str(fspath(path)), Path(path)
    try:
        if target.is_dir():
            raise NotWritten(shown, "cannot write: is a directory; expected a file")
        if target.exists() and not force:
            raise NotWritten(shown, "exists already; use --force to overwrite it")
        if not target.parent.is_dir():
            raise NotWritten(shown, "cannot write: there is no such folder")
    except (OSError, ValueError) as error:  # a name too long, or with a NUL in it
        if isinstance(error, NotWritten):
            raise
        raise NotWritten(shown, f"cannot write: {error}") from None


def write_bytes(path: str | PathLike[str], content: bytes, *, force: bool = False) -> None:
    """As `write_text`, for what is no text."""
    check_target(path, force=force)
    shown, target = str(fspath(path)), Path(path)
    if target.is_symlink():
        target = target.resolve()  # the link stays a link
    temporary = None
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = file.name
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # The permissions a plain write would leave; a temporary file's are the owner's only.
        if target.exists():
            mode = target.stat().st_mode & 0o777
        else:
            umask = os.umask(0)
            os.umask(umask)
            mode = 0o666 & ~umask
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except OSError as error:
        raise NotWritten(shown, f"cannot write: {error.strerror or error}") from None
    finally:
        if temporary:
            with suppress(OSError):  # gone already where all went well
                Path(temporary).unlink()
