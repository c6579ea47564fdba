"""Arguments of a simulation, checked; the rules of how numbers are read are the model's."""

from collections.abc import Mapping
from typing import Any

from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.model.validation import finite


def positive(value: Any, what: str) -> float:
    """A number above 0."""
    number = finite(value, what)
    if number <= 0.0:
        raise InvalidInput(f"{what} is {number:g}, expected > 0")
    return number


def targets_of(target: Any, network: Network) -> list[float | None]:
    """The target of each class, None for none. [s]"""
    if target is None:
        return [None] * len(network.classes)
    if not isinstance(target, Mapping):
        return [positive(target, "target")] * len(network.classes)
    for name in target:
        if name not in network.class_names:
            raise InvalidInput(
                f"target of {name!r}: no such class; there is {', '.join(network.class_names)}"
            )
    given = [target.get(name) for name in network.class_names]
    return [None if each is None else positive(each, "target") for each in given]
