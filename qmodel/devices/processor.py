"""Processors: how much sooner the same work is done by another one; see THEORY.md."""

from qmodel.devices.ranges import MOST_PARTS, count, not_negative, positive, share
from qmodel.errors import InvalidInput
from qmodel.model.stations import LoadDependentStation, QueueingStation


def speed_ratio(clock: float, bus: float, memory_share: float) -> float:
    """How many times as fast work is done as on the reference processor. [1]

    ``1 / ((1 - f) / clock + f / bus)`` with ``f`` the share of the time that goes with the bus.

    ``clock`` and ``bus`` are rates as multiples of the reference processor's.
    """
    _check(clock, bus)
    share(memory_share, "memory share")
    return 1.0 / ((1.0 - memory_share) / clock + memory_share / bus)


def memory_share(clock: float, bus: float, ratio: float) -> float:
    """The share of time that goes with the bus, from one measured speed ratio. [1]

    ``clock`` and ``bus`` are as for `speed_ratio`; ``ratio`` is the measured speed relative to the
    reference processor. Raises `InvalidInput` if the former are equal, so that a ratio says nothing
    of the share, or the ratio is not between them.
    """
    _check(clock, bus)
    low, high = min(clock, bus), max(clock, bus)
    if clock == bus or not low <= ratio <= high:
        raise InvalidInput(f"speed ratio is {ratio:g}, expected {low:g} to {high:g}, ends apart")
    return (1.0 / ratio - 1.0 / clock) / (1.0 / bus - 1.0 / clock)


def processor_demand(demand: float, speed: float, encryption: float = 0.0) -> float:
    """Service demand of the same work on another processor, ``D (1 + e) / s``. [s]

    ``demand`` is that on the reference processor with nothing encrypted [s], ``speed`` relative to
    it, see `speed_ratio`. ``encryption`` is the processor time for encrypting what crosses the
    network, as a share of ``demand``; the Domino 4.6 article measured 0.05 to 0.10 more processor
    utilization with port encryption, below 60 % utilization.
    """
    not_negative(demand, "processor demand", "s")
    not_negative(encryption, "encryption surcharge")
    return demand * (1.0 + encryption) / positive(speed, "processor speed")


def _check(clock: float, bus: float) -> None:
    positive(clock, "clock ratio")
    positive(bus, "bus ratio")


#: Throughput of a core with two busy threads over that with one: Marr et al. 2002, transaction
#: processing. [1]
THREAD_GAIN = 1.21


def thread_rates(cores: int, gain: float = THREAD_GAIN) -> tuple[float, ...]:
    """Speed with 1, 2, 3 ... customers present, relative to one customer alone. [1]

    The first ``cores`` customers get a core each. Each further one shares a core with another
    and adds ``gain - 1`` of a core, up to two customers on every core.

    ``cores`` are those of all sockets together; ``gain`` is the throughput of a core with two busy
    threads over that with one, 1 to 2.
    """
    cores = count(cores, "number of cores", most=MOST_PARTS)
    if not 1.0 <= gain <= 2.0:
        raise InvalidInput(f"gain of a second thread is {gain:g}, expected 1 to 2")
    alone = tuple(float(n) for n in range(1, cores + 1))
    return (*alone, *(cores + n * (gain - 1.0) for n in range(1, cores + 1)))


def processor_station(
    name: str, sockets: int = 1, cores: int = 1, thread_gain: float | None = None
) -> QueueingStation | LoadDependentStation:
    """The station that a server's processors are.

    ``cores`` are those of each of the ``sockets``; ``thread_gain`` is that of `thread_rates` where
    a core has two hardware threads. Without, a core serves one.
    """
    servers = count(sockets, "number of sockets") * count(cores, "number of cores")
    if thread_gain is None or thread_gain == 1.0:
        return QueueingStation(name, servers)
    return LoadDependentStation(name, thread_rates(servers, thread_gain))
