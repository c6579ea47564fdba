"""Memory as a limit: how many are active at once, and the network that follows; see THEORY.md."""

from collections.abc import Sequence
from math import floor

from qmodel.devices.ranges import not_negative, positive
from qmodel.errors import InvalidInput
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit


def most_active(memory: float, base: float, each: float) -> int:
    """How many can be active in memory at once, ``floor((M - base) / each)``.

    ``memory`` is that of the server, ``base`` what code, caches and the system take of it, and
    ``each`` what one more active user, thread or connection takes [bytes]. Raises `InvalidInput` if
    not even one fits.

    Examples
    --------
    >>> most_active(memory=128e6, base=30e6, each=2e6)
    49
    """
    positive(memory, "memory", "bytes")
    left = memory - not_negative(base, "memory of the system", "bytes")
    active = floor(left / positive(each, "memory of each", "bytes") * (1.0 + 1e-12))
    if active < 1:
        raise InvalidInput(
            f"{memory:g} bytes of memory hold no customer: {base:g} are taken, each needs {each:g}"
        )
    return active


def with_memory(
    network: Network, customers: int, stations: Sequence[str], name: str = "memory"
) -> Network:
    """The network with at most so many customers inside some stations; others wait outside.

    ``customers`` are the most inside, see `most_active`, ``stations`` those that need memory:
    processor and disks, not the workstation. The wait outside shows under the ``name`` of the
    limit.
    """
    if network.limits:
        raise InvalidInput(f"the network has a limit {network.limits[0].name!r} already")
    return Network(
        network.stations, network.classes, network.demand, visit_ratio=network.visit_ratio,
        scv=network.scv, limits=(PopulationLimit(name, customers, tuple(stations)),),
    )  # fmt: skip
