"""A file that another file names: beside it or below it, never elsewhere.

A configuration may come from a stranger; what it names must not lead to files of the reader's.
"""

from pathlib import Path, PureWindowsPath

from qmodel.documents.document import Document
from qmodel.documents.wording import KeyPath, show_text


def file_beside(document: Document, key_path: KeyPath, name: str) -> Path:
    r"""The place of a file that a key of a document names.

    What comes from standard input stands in the current folder; ``name`` is a path told from the
    folder of the document, ``key_path`` where it stands.

    Raises `FileError` if the path is absolute or leads out of that folder, also by a symbolic link.

    Examples
    --------
    >>> from qmodel.documents.document import parse_document
    >>> document = parse_document('[catalogue]\nfile = "../parts.toml"', path="server.toml")
    >>> file_beside(document, ("catalogue", "file"), "parts/own.toml").as_posix()
    'parts/own.toml'
    >>> file_beside(document, ("catalogue", "file"), "../parts.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    qmodel.errors.FileError: server.toml:2: catalogue.file: "../parts.toml" leads out of ...
    """
    folder = Path() if document.path == "-" else Path(document.path).parent
    place = folder / name
    # Drives and roots of Windows are refused everywhere, so that a file means the same everywhere.
    inside = not (PureWindowsPath(name).anchor or Path(name).is_absolute())
    if inside:
        try:
            inside = place.resolve().is_relative_to(folder.resolve())
        except (OSError, RuntimeError, ValueError):  # links in a circle, a NUL
            inside = False
    if inside:
        return place
    raise document.error(
        key_path,
        f"{show_text(name)} leads out of the folder of this file; put it beside or below this file",
    )
