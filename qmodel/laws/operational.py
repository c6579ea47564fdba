"""The operational laws: what holds of any system, whatever its distributions.

All take and return plain numbers in base units; arrays work as well, since only arithmetic is
used. Source: P. J. Denning and J. P. Buzen, "The operational analysis of queueing network
models," ACM Computing Surveys 10(3), 1978, pp. 225-261.
"""


def utilization(throughput: float, demand: float, servers: int = 1) -> float:
    """Utilization law, U = X D / m: the busy fraction of one server. [1]

    Parameters
    ----------
    throughput : float
        Interactions per second, X. [1/s]
    demand : float
        Service demand D per interaction. [s]
    servers : int
        Number of servers m.

    Examples
    --------
    >>> utilization(throughput=3.0, demand=0.25)
    0.75
    """
    return throughput * demand / servers


def demand(utilization: float, throughput: float, servers: int = 1) -> float:
    """Service demand law, D = m U / X. [s]

    Parameters
    ----------
    utilization : float
        Busy fraction of one server. [1]
    throughput : float
        Interactions per second, X. [1/s]
    servers : int
        Number of servers m.

    Examples
    --------
    >>> demand(utilization=0.75, throughput=3.0)
    0.25
    """
    return servers * utilization / throughput


def customers(throughput: float, time: float) -> float:
    """Little's law, N = X R: customers inside, from their rate and their time inside. [customers]

    Examples
    --------
    >>> customers(throughput=2.0, time=1.5)
    3.0
    """
    return throughput * time


def forced_flow(throughput: float, visit_ratio: float) -> float:
    """Forced flow law, X_k = V_k X: visits per second at a station. [1/s]

    Examples
    --------
    >>> forced_flow(throughput=2.0, visit_ratio=20.0)
    40.0
    """
    return throughput * visit_ratio


def response_time(population: float, throughput: float, think_time: float) -> float:
    """Interactive response time law, R = N / X - Z. [s]

    Examples
    --------
    >>> response_time(population=20, throughput=0.5, think_time=30.0)
    10.0
    """
    return population / throughput - think_time
