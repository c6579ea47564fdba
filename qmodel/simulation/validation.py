"""The targets of a simulation, checked."""

from collections.abc import Mapping
from typing import Any

from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.single_station.arguments import positive


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
