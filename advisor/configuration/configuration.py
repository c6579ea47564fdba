"""A configuration as it was read: validated settings, and where each of them was written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from advisor.configuration.schema import ServerConfig
from qmodel.documents.document import Document


@dataclass(frozen=True, slots=True)
class Configuration:
    """Validated settings, with the data and the file they came from."""

    #: In base units.
    settings: ServerConfig
    #: As written, for changes and for citing; not to be changed.
    data: dict[str, Any]
    #: The file, for line numbers.
    document: Document
    #: What is legal but probably not meant, one line each.
    warnings: tuple[str, ...] = ()

    def line(self, key: tuple[str | int, ...]) -> int | None:
        """Line of a key in the file, of the nearest table around it, or None."""
        lines = (self.document.line(key[:length]) for length in range(len(key), 0, -1))
        return next((line for line in lines if line is not None), None)

    def with_users(self, users: int) -> Self:
        """The same configuration with another number of users."""
        return self._with_workload({"users": users})

    def with_rate(self, rate: float, parts: Sequence[float] = ()) -> Self:
        """The same configuration with so many requests per second instead of its users. [1/s]

        ``parts`` are those of each class in the requests, instead of in the users.
        """
        classes = self.settings.workload.classes
        if parts:
            both = zip(classes, parts, strict=True)
            classes = tuple(each.model_copy(update={"share": part}) for each, part in both)
        return self._with_workload({"arrival_rate": rate, "classes": classes})

    def _with_workload(self, load: dict[str, Any]) -> Self:
        workload = self.settings.workload.model_copy(update=load)
        return replace(self, settings=self.settings.model_copy(update={"workload": workload}))
