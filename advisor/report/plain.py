"""Records as plain data, as JSON holds them."""

from collections.abc import Iterable
from typing import Any


def fields(record: object, *names: str) -> dict[str, Any]:
    """Some of a record's fields by their names, tuples as lists."""
    found = ((name, getattr(record, name)) for name in names)
    return {name: list(each) if type(each) is tuple else each for name, each in found}


def settings_data(settings: Iterable[tuple[str, Any, Any]]) -> list[dict[str, Any]]:
    """Changed settings: key, and the value before and after."""
    return [{"key": key, "from": old, "to": new} for key, old, new in settings]
