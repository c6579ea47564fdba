"""Changes: from one configuration to another, setting by setting."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self

from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import configure
from qmodel.documents.wording import show_key

Key = tuple[str | int, ...]
Settings = tuple[tuple[Key, Any], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """New values for some keys of a configuration."""

    #: What is done, in the imperative.
    title: str
    #: As a configuration would write them, units included.
    settings: Settings
    #: Where somebody typed it, for messages.
    option: str = field(default="--set", compare=False)

    @classmethod
    def of(cls, title: str, key: str, value: Any) -> Self:
        """The change of one setting, by its dotted key."""
        return cls(title, ((tuple(key.split(".")), value),))

    def apply(self, configuration: Configuration) -> Configuration:
        """The configuration with the change made; FileError if it is no valid one."""
        data = copy(configuration.data)
        for key, value in self.settings:
            place: Any = data
            for part in key[:-1]:  # what is changed is copied, all else is shared
                below = place.get(part, {}) if isinstance(place, dict) else place[part]
                place[part] = place = copy(below)
            if value is None:
                place.pop(key[-1], None)
            else:
                place[key[-1]] = value
        return configure(data, configuration.document)

    def diff(self, data: dict[str, Any]) -> tuple[tuple[str, Any, Any], ...]:
        """Key, old and new value of each setting; None where there was or will be none."""
        return tuple(
            (show_key(named_key(data, key)), _value_at(data, key), new)
            for key, new in self.settings
        )


def named_key(data: Any, key: Key) -> Iterator[str | int]:
    """A key with what is numbered called by its name, as `--set` takes it too."""
    for part in key:
        data = _value_at(data, (part,))
        name = data.get("name", part) if isinstance(part, int) and isinstance(data, dict) else part
        yield name


def _value_at(data: Any, key: Key) -> Any:
    for part in key:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data
