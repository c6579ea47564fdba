"""A file as plain dicts that still knows on which line each key stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal

from qmodel.errors import FileError
from qmodel.formats.decoding import decode, read_bytes
from qmodel.formats.nesting import check_nesting, first_bad_value
from qmodel.formats.wording import KeyPath, show_key

if TYPE_CHECKING:
    from qmodel.formats.key_lines import KeyLines

Format = Literal["toml", "json"]


@dataclass(frozen=True, eq=False)
class Document:
    """What a file holds.

    Attributes
    ----------
    path : str
        The file, as it was given; "-" is standard input.
    format : str
        "toml" or "json".
    data : dict
        Plain dicts, lists, text and numbers, all finite.
    text : str
        The file itself, without a byte-order mark.
    """

    path: str
    format: Format
    data: dict[str, Any]
    text: str

    def line(self, key_path: KeyPath) -> int | None:
        """The line on which a key or an array's element stands, from 1; None if there is none.

        Examples
        --------
        >>> document = parse_document('[disk]\\ndrives = 4')
        >>> document.line(("disk", "drives")), document.line(("disk", "raid"))
        (2, None)
        """
        return self._key_lines.lines.get(tuple(key_path))

    def error(self, key_path: KeyPath, problem: str) -> FileError:
        """An error at a key; for a key that is missing, at the table it is missing from.

        Examples
        --------
        >>> document = parse_document('[disk]\\ndrives = 4', path="server.toml")
        >>> print(document.error(("disk", "raid"), "required"))
        server.toml:1: disk.raid: required
        """
        line = None
        for length in range(len(key_path), 0, -1):
            line = line or self.line(key_path[:length])
        return FileError(self.path, problem, key=show_key(key_path), line=line)

    @cached_property
    def _key_lines(self) -> KeyLines:
        from qmodel.formats.key_lines import key_lines

        return key_lines(self.text, self.format)


def read_document(path: str | PathLike[str], format: str | None = None) -> Document:  # noqa: A002
    """A TOML or JSON file as plain dicts.

    Parameters
    ----------
    path : path-like
        The file; "-" reads standard input and needs ``format``. At most 1 MB.
    format : str, optional
        "toml" or "json"; told from the extension if not given.

    Returns
    -------
    Document
        Its data and the lines of its keys.

    Raises
    ------
    FileError
        One line with file, line, key and what would be right: a file that cannot be read, is too
        large, is not UTF-8, ends early, repeats a key, nests deeper than 100 levels or holds a
        number that is not finite.
    """
    shown = str(fspath(path))
    file_format = _format_of(shown, format)
    return parse_document(decode(read_bytes(shown), shown), file_format, shown)


def parse_document(text: str, format: str = "toml", path: str = "-") -> Document:  # noqa: A002
    """TOML or JSON text as plain dicts; see `read_document`.

    Examples
    --------
    >>> parse_document('[server]\\nmemory = "64 MB"').data
    {'server': {'memory': '64 MB'}}
    """
    file_format = _format_of(path, format)
    check_nesting(text, path, file_format)
    # Parsers are imported one at a time: a start in a few milliseconds is part of the promise.
    if file_format == "json":
        from qmodel.formats.json_syntax import parse_json as parse
    else:
        from qmodel.formats.toml_syntax import parse_toml as parse
    data = parse(text, path)
    document = Document(path, file_format, data, text)
    if bad := first_bad_value(data, file_format):
        raise document.error(*bad)
    return document


def _format_of(path: str, given: str | None) -> Format:
    extension = PurePath(path).suffix
    named = (given or extension.removeprefix(".")).lower()
    if named == "toml":
        return "toml"
    if named == "json":
        return "json"
    if given:
        raise FileError(path, f'unknown format "{given}"; use toml or json')
    what = f'"{extension}"' if extension else "the name"
    raise FileError(path, f"cannot tell the format from {what}; use --format toml|json")
