"""A file as plain dicts that still knows on which line each key stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from os import PathLike, fspath
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any, Literal

from qmodel.documents.key_lines import KeyLines
from qmodel.documents.structure import JSON_TIMES, check_structure, first_bad_value
from qmodel.documents.syntax import SIZE_LIMIT, decode, parse_json, parse_toml, read_bytes
from qmodel.documents.wording import KeyPath, show_key, show_text
from qmodel.errors import FileError

Format = Literal["toml", "json"]
#: What would be right where a name does not tell the format.
BY_NAME = "expected a name that ends in .toml or .json"


@dataclass(frozen=True, eq=False)
class Document:
    """What a file holds."""

    #: The file, as it was given; "-" is standard input.
    path: str
    #: "toml" or "json".
    format: Format
    #: Plain dicts, lists, text and numbers, all finite.
    data: dict[str, Any]
    #: The file itself, without a byte-order mark.
    text: str

    def line(self, key_path: KeyPath) -> int | None:
        """The line on which a key or an array's element stands, from 1; None if there is none."""
        return self._key_lines.lines.get(tuple(key_path))

    def error(self, key_path: KeyPath, problem: str) -> FileError:
        """An error at a key; for a key that is missing, at the table it is missing from."""
        above = (self.line(key_path[:length]) for length in range(len(key_path), 0, -1))
        line = next((line for line in above if line is not None), None)
        return FileError(self.path, problem, key=show_key(key_path), line=line)

    def errors(self, problems: Iterable[tuple[KeyPath, str]]) -> FileError:
        """The first of several problems in the order of the file, with up to 99 others in it."""
        problems_in_order = [self.error(*problem) for problem in problems]
        problems_in_order.sort(key=lambda error: inf if error.line is None else error.line)
        first, *others = problems_in_order
        return FileError(
            first.path, first.problem, key=first.key, line=first.line, others=tuple(others[:99])
        )

    @cached_property
    def _key_lines(self) -> KeyLines:
        from qmodel.documents.key_lines import key_lines

        return key_lines(self.text, self.format)


def read_document(path: str | PathLike[str], format: str | None = None) -> Document:  # noqa: A002
    """A TOML or JSON file as plain dicts.

    ``path`` "-" reads standard input and needs ``format``, "toml" or "json", which is else told
    from the extension. Raises `FileError`, one line with file, line, key and what would be right,
    of a file that cannot be read, has more than 1 MB (JSON 10), is not UTF-8, ends early, repeats a
    key, nests deeper than 100 levels or holds a number that is not finite.
    """
    shown = str(fspath(path))
    if shown == "-":
        told_format(shown, format)  # before anybody types a line
    large = JSON_TIMES ** (PurePath(shown).suffix == ".json")  # as calibrations of many stations
    content = read_bytes(shown, SIZE_LIMIT * large)  # a directory is one whatever its name
    return parse_document(decode(content, shown), told_format(shown, format), shown)


def parse_document(text: str, format: str = "toml", path: str = "-") -> Document:  # noqa: A002
    """TOML or JSON text as plain dicts; see `read_document`."""
    file_format = told_format(path, format)
    check_structure(text, path, file_format)
    data = (parse_json if file_format == "json" else parse_toml)(text, path)
    document = Document(path, file_format, data, text)
    if bad := first_bad_value(data, file_format):
        raise document.error(*bad)
    return document


def told_format(path: str | PathLike[str], given: str | None = None) -> Format:
    """The format a file has, by name or by its extension."""
    shown = str(fspath(path))
    extension = PurePath(shown).suffix
    named = (extension.removeprefix(".") if given is None else given).lower()
    if named == "toml":
        return "toml"
    if named == "json":
        return "json"
    if given is not None:
        raise FileError(shown, f"unknown format {show_text(given)}; use toml or json")
    what = show_text(extension) if extension else "the name"
    raise FileError(shown, f"cannot tell the format from {what}; {BY_NAME}")


def file_beside(document: Document, key_path: KeyPath, name: str) -> Path:
    """The place of a file that a key of a document names.

    A configuration may come from a stranger; what it names must not lead to files of the reader's.
    What comes from standard input stands in the current folder; ``name`` is a path told from the
    folder of the document, ``key_path`` where it stands.

    Raises `FileError` if the path is absolute or leads out of that folder, also by a symbolic link.
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
