"""Rebuilding the views of several databases by one update task, which works through them in turn.

An update task is one thread: it can use one processor, whatever else is idle. Two databases of the
same size then take twice the time of one, with any number of processors; the article finds about
that and takes it for the best possible (erratum E-I46-04), which on four processors it is not.
"""

from qmodel import ClosedClass, Network, QueueingStation, solve

TABLE = "domino46/buffer_pool_claims"

#: "About double": up to a quarter more or less would still be called so.
ABOUT = 0.25


def rebuild_time(databases: int, tasks: int, processors: int) -> float:
    """Time to rebuild equal databases, by tasks that take them in turn, over that of one. [1]

    Examples
    --------
    >>> rebuild_time(2, tasks=1, processors=4), rebuild_time(4, tasks=2, processors=4)
    (2.0, 2.0)
    """
    servers = min(tasks, processors)
    # All databases are waiting all the time: the station is never short of customers.
    network = Network(
        [QueueingStation("update", servers)], [ClosedClass("databases", databases)], [1.0]
    )
    return databases / float(solve(network).throughputs[0])
