"""A catalogue of parts: those of the measured systems, and typical ones of today.

The TOML files beside this module are the catalogue; a user's file of the same form adds to it. A
part of the user's replaces one of the same kind and name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TypeVar

from qmodel.devices.catalogue.parts import (
    CatalogueFile,
    Controller,
    Drive,
    Machine,
    MemoryRulePart,
    NetworkPart,
    Part,
    Processor,
)
from qmodel.devices.memory_need import MemoryRule
from qmodel.documents.document import read_document
from qmodel.documents.validation import validate
from qmodel.documents.wording import did_you_mean, show_text
from qmodel.errors import InvalidInput

__all__ = [
    "KINDS", "Catalogue", "Controller", "Drive", "Machine", "MemoryRulePart", "NetworkPart", "Part",
    "Processor", "load_catalogue", "memory_rule",
]  # fmt: skip

FOLDER = Path(__file__).parent
#: Kinds of parts, in the order in which they are listed.
KINDS = (Machine, Processor, Drive, Controller, NetworkPart, MemoryRulePart)

_Part = TypeVar("_Part", bound=Part)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Parts, each with what it replaces taken out.

    Examples
    --------
    >>> load_catalogue().find(Drive, "SATA SSD").parallelism
    11
    """

    #: In the order of `KINDS` and of the files.
    parts: tuple[Part, ...]

    def of(self, kind: type[_Part]) -> tuple[_Part, ...]:
        """All parts of a kind."""
        return tuple(part for part in self.parts if isinstance(part, kind))

    def find(self, kind: type[_Part], name: str) -> _Part:
        """The part of that kind and name, letters of either case.

        Raises `InvalidInput` if there is none; the text names one that is spelt like it.
        """
        wanted = name.casefold()
        for part in self.parts:
            if isinstance(part, kind) and part.name.casefold() == wanted:
                return part
        hint = did_you_mean(name, [part.name for part in self.of(kind)])
        if not hint.startswith("did"):
            today = [part.name for part in self.of(kind) if (part.year or 2020) >= 2010][:5]
            hint = f"there is {', '.join(today)}, ...; qmodel catalogue lists all"
        raise InvalidInput(f"no {kind.kind} {show_text(name)} in the catalogue; {hint}")

    def instead_of(self, kind: type[_Part], name: str | None) -> tuple[_Part, ...]:
        """What may take the place of a part: of its kind and provider, itself, and none older.

        A part of no known year may always; in the place of one of no known year, or of one that
        has no name, every part may.
        """
        present = self.find(kind, name) if name else None
        provider, oldest = (present.provider, present.year or 0) if present else (None, 0)
        return tuple(
            part
            for part in self.of(kind)
            if part.provider == provider and (part.year is None or part.year >= oldest)
        )

    def named(self, name: str) -> tuple[Part, ...]:
        """Parts of any kind with that name, or with that text in their names."""
        wanted = name.casefold()
        exact = tuple(part for part in self.parts if part.name.casefold() == wanted)
        return exact or tuple(part for part in self.parts if wanted in part.name.casefold())


def load_catalogue(path: str | PathLike[str] | None = None) -> Catalogue:
    """The catalogue, with the parts of a user's file if one is named.

    Parameters
    ----------
    path : path-like, optional
        A TOML or JSON file of parts.

    Raises
    ------
    qmodel.FileError
        One line with file, line and key: an unknown key, a value without unit, a name used twice.

    Examples
    --------
    >>> {part.kind for part in load_catalogue().parts} == {kind.kind for kind in KINDS}
    True
    """
    shipped = _shipped()
    if path is None:
        return Catalogue(shipped)
    own = _read(path)
    replaced = {(part.kind, part.name.casefold()) for part in own}
    kept = [part for part in shipped if (part.kind, part.name.casefold()) not in replaced]
    return Catalogue(_by_kind((*kept, *own)))


def memory_rule(part: MemoryRulePart) -> MemoryRule:
    """The rule that a part of the catalogue describes."""
    terms = tuple((term.driver, float(term.bytes)) for term in part.term)
    return MemoryRule(part.name, terms, part.source, part.errata)


@cache
def _shipped() -> tuple[Part, ...]:
    return _by_kind([part for path in sorted(FOLDER.glob("*.toml")) for part in _read(path)])


def _by_kind(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(part for kind in KINDS for part in parts if type(part) is kind)


def _read(path: str | PathLike[str]) -> tuple[Part, ...]:
    document = read_document(path)
    file = validate(CatalogueFile, document, what="catalogue")
    seen: set[tuple[str, str]] = set()
    parts: list[Part] = []
    for kind in (each.kind for each in KINDS):
        for i, part in enumerate(getattr(file, kind)):
            key = (kind, part.name.casefold())
            if key in seen:
                problem = f"{show_text(part.name)} already used above"
                raise document.error((kind, i, "name"), problem)
            seen.add(key)
            parts.append(part)
    return tuple(parts)
