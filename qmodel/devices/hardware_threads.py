"""Sockets, cores and hardware threads: how many customers a processor serves, and how fast.

A core that runs two hardware threads does more than one thread alone would, and less than two
cores would. D. T. Marr et al., "Hyper-Threading technology architecture and microarchitecture,"
Intel Technology Journal 6(1), 2002, pp. 4-15, report 21 % more throughput in transaction
processing on one and two processors and 16 to 28 % on web servers.
"""

from __future__ import annotations

from qmodel.devices.ranges import MOST_PARTS, count
from qmodel.errors import InvalidInput
from qmodel.model.stations import LoadDependentStation, QueueingStation

#: Throughput of a core with two busy threads over that with one: Marr et al. 2002, transaction
#: processing. [1]
THREAD_GAIN = 1.21


def thread_rates(cores: int, gain: float = THREAD_GAIN) -> tuple[float, ...]:
    """Speed with 1, 2, 3 ... customers present, relative to one customer alone. [1]

    The first ``cores`` customers get a core each. Each further one shares a core with another
    and adds ``gain - 1`` of a core, up to two customers on every core.

    Parameters
    ----------
    cores : int
        Cores of all sockets together. [cores]
    gain : float
        Throughput of a core with two busy threads over that with one, 1 to 2. [1]

    Raises
    ------
    InvalidInput
        If there is no core or the gain is not from 1 to 2.

    Examples
    --------
    >>> thread_rates(2, gain=1.25)
    (1.0, 2.0, 2.25, 2.5)
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

    Parameters
    ----------
    name : str
        Of the station.
    sockets, cores : int
        Processors, and cores of each. [1]
    thread_gain : float, optional
        With two hardware threads a core: see `thread_rates`. Without, a core serves one.

    Examples
    --------
    >>> processor_station("cpu", sockets=2, cores=4)
    QueueingStation(name='cpu', servers=8)
    >>> processor_station("cpu", cores=1, thread_gain=1.21)
    LoadDependentStation(name='cpu', rates=(1.0, 1.21))
    """
    servers = count(sockets, "number of sockets") * count(cores, "number of cores")
    if thread_gain is None or thread_gain == 1.0:
        return QueueingStation(name, servers)
    return LoadDependentStation(name, thread_rates(servers, thread_gain))
