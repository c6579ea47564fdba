"""What an element of a JMVA file holds: text, numbers, one entry per class; errors with a line."""

import re
from collections.abc import Sequence
from math import isfinite

from qmodel.documents.wording import did_you_mean, show_text
from qmodel.errors import FileError
from qmodel.formats.jmt.xml import Element

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Fields:
    """Reads the elements of one file and collects its warnings."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.warnings: list[str] = []

    def error(self, element: Element, problem: str) -> FileError:
        """An error at an element, to be raised."""
        return FileError(self.path, problem, line=element.line)

    def warn(self, element: Element, problem: str) -> None:
        """Note something that is not kept as it stands."""
        self.warnings.append(str(self.error(element, problem)))

    def one(self, element: Element, tag: str) -> Element:
        """The only element of that name inside."""
        elements = list(element.all(tag))
        if len(elements) != 1:
            count = "no" if not elements else "more than one"
            raise self.error(
                elements[-1] if elements else element, f"<{element.tag}> has {count} <{tag}>"
            )
        return elements[0]

    def text(self, element: Element, attribute: str) -> str:
        """An attribute that must be there and hold something."""
        text = element.get(attribute)
        if text is None or not text.strip():
            raise self.error(element, f"<{element.tag}> has no {attribute}")
        return text

    def number(self, element: Element, text: str, what: str) -> float:
        """A finite number >= 0."""
        stripped = text.strip()
        number = float(stripped) if _NUMBER.fullmatch(stripped) else -1.0
        if number < 0.0 or not isfinite(number):
            raise self.error(element, f"{what} is {show_text(text)}, expected a number >= 0")
        return number

    def whole(self, element: Element, attribute: str, least: int) -> int:
        """A whole number in an attribute; JMT writes some of them as 20.0."""
        number = self.number(element, self.text(element, attribute), attribute)
        if not (least <= number < 1e9 and number == int(number)):
            shown = show_text(self.text(element, attribute))
            raise self.error(element, f"{attribute} is {shown}, expected a whole number >= {least}")
        return int(number)

    def name(self, element: Element, taken: Sequence[str]) -> str:
        """A name that nothing else of its kind has."""
        name = self.text(element, "name")
        if name in taken:
            raise self.error(element, f"{show_text(name)} already used; give it another name")
        return name

    def known(self, element: Element, what: str, name: str, names: Sequence[str]) -> None:
        """Raise `FileError` unless there is a class or station of that name."""
        if name not in names:
            raise self.error(element, f"no {what} {show_text(name)}; {did_you_mean(name, names)}")

    def members(self, table: Element, *tags: str) -> tuple[Element, ...]:
        """All that is inside, which must be elements of these names and as many as it says."""
        for element in table.children:
            if element.tag not in tags:
                raise self.error(
                    element, f"<{element.tag}> is not read here; expected {' or '.join(tags)}"
                )
        if not table.children:
            raise self.error(table, f"<{table.tag}> is empty; expected {' or '.join(tags)}")
        given = table.get("number")
        if given is not None and given.strip() != str(len(table.children)):
            raise self.error(
                table, f"number is {show_text(given)}, there are {len(table.children)}"
            )
        return table.children

    def per_class(self, table: Element, tag: str, names: Sequence[str]) -> list[Element]:
        """One element of a table for each class, in the order of the classes."""
        elements: dict[str, Element] = {}
        for element in self.members(table, tag):
            name = self.text(element, "customerclass")
            self.known(element, "class", name, names)
            if name in elements:
                raise self.error(element, f"class {show_text(name)} stands twice; keep one")
            elements[name] = element
        for name in names:
            if name not in elements:
                raise self.error(table, f"no <{tag}> of class {show_text(name)}")
        if list(elements) != list(names):
            self.warn(
                table, f"<{tag}> is not in the order of the classes; taken by name, JMT would not"
            )
        return [elements[name] for name in names]
