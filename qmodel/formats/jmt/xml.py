"""XML from strangers as plain elements that know their line: no DTD, so no entities to expand.

A document type is refused outright. Without one there are no entities but the five of XML itself,
nothing can be fetched from elsewhere, and what is parsed is no larger than what was read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from qmodel.documents.structure import DEPTH_LIMIT
from qmodel.errors import FileError

#: Most elements of a file; a model of 100 stations and 20 classes has about 4,000.
ELEMENT_LIMIT = 100_000

#: Attributes and text are escaped by these, in this order.
_ESCAPES = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"),
    ("\t", "&#9;"), ("\n", "&#10;"), ("\r", "&#13;"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an XML file."""

    #: Its name, with the prefix of a namespace if it has one.
    tag: str
    #: In the order of the file.
    attributes: tuple[tuple[str, str], ...] = ()
    #: The elements directly inside.
    children: "tuple[Element, ...]" = ()
    #: All text directly inside, blanks at both ends left out.
    text: str = ""
    #: Where it begins, counted from 1; not part of what makes two elements equal.
    line: int = field(default=0, compare=False)

    def get(self, name: str) -> str | None:
        """The attribute of that name, None if there is none."""
        return dict(self.attributes).get(name)

    def all(self, *tags: str) -> "Iterator[Element]":
        """The elements directly inside that have one of these names."""
        return (child for child in self.children if child.tag in tags)


def parse_xml(content: bytes, path: str) -> Element:
    """The root of an XML file.

    The content is in UTF-8, UTF-16, ISO 8859-1 or another encoding it declares. Raises `FileError`
    if it is not XML, has a document type, nests too deep or has too many elements.
    """
    reader = _Reader(path)
    try:
        reader.parser.Parse(content, True)
    except expat.ExpatError as error:
        problem = f"not XML: {expat.errors.messages[error.code]}"
        raise FileError(path, problem, line=error.lineno, column=error.offset + 1) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(path, f"not XML that can be read: {error}; save as UTF-8") from None
    return reader.done[0]


class _Reader:
    """Elements as the parser meets them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._document_type
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.open: list[tuple[str, dict[str, str], list[Element], list[str], int]] = []
        self.done: list[Element] = []
        self.count = 0

    def _document_type(self, *_: Any) -> None:
        raise self._error("a document type is not read; remove the line <!DOCTYPE ...>")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > ELEMENT_LIMIT:
            raise self._error(f"more than {ELEMENT_LIMIT} elements")
        if len(self.open) == DEPTH_LIMIT:
            raise self._error(f"nested deeper than {DEPTH_LIMIT} levels")
        self.open.append((tag, attributes, [], [], self.parser.CurrentLineNumber))

    def _text(self, text: str) -> None:
        self.open[-1][3].append(text)

    def _end(self, _: str) -> None:
        tag, attributes, children, text, line = self.open.pop()
        shown = "".join(text).strip()
        made = Element(tag, tuple(attributes.items()), tuple(children), shown, line)
        (self.open[-1][2] if self.open else self.done).append(made)

    def _error(self, problem: str) -> FileError:
        return FileError(self.path, problem, line=self.parser.CurrentLineNumber)


def xml_text(root: Element) -> str:
    """An element as a whole file, indented by two blanks a level."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    return "\n".join([head, *_lines(root, "")]) + "\n"


def unwritable(text: str) -> str | None:
    r"""The first character that no XML file can hold, escaped or not; None if there is none.

    Examples
    --------
    >>> unwritable("cpu"), unwritable("bell \a")
    (None, '\x07')
    """
    bad = (c for c in text if c in "\ufffe\uffff" or "\ud800" <= c <= "\udfff" or c < " ")
    return next((c for c in bad if c not in "\t\n\r"), None)


def _lines(element: Element, indent: str) -> Iterator[str]:
    attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in element.attributes)
    opening = f"{indent}<{element.tag}{attributes}"
    text = _escaped(element.text)
    if not element.children:
        yield f"{opening}>{text}</{element.tag}>" if text else f"{opening}/>"
        return
    yield f"{opening}>{text}"
    for child in element.children:
        yield from _lines(child, indent + "  ")
    yield f"{indent}</{element.tag}>"


def _escaped(text: str) -> str:
    for character, escape in _ESCAPES:
        text = text.replace(character, escape)
    return text
