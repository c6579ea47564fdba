"""Operations that go to several drives at once: mirrored writes and whole stripes.

Such an operation ends when the last drive has done its part: a fork and join. Source: R. Nelson
and A. N. Tantawi, "Approximate analysis of fork/join synchronization in parallel queues," IEEE
Transactions on Computers 37(6), 1988, pp. 739-743. A server's network, whose drives also serve
single operations, takes the parts in turn instead: the same load, and an upper bound of the time.
"""

from qmodel.devices.ranges import MOST_PARTS, count, positive


def lone_time(time: float, drives: int) -> float:
    """Mean time of such an operation without queueing, ``S (1 + 1/2 + ... + 1/k)``. [s]

    The longest of k times that vary as the exponential distribution does; times that do not vary
    at all would take S.

    ``time`` is the mean time at one of the ``drives`` that work at once. [s]

    Examples
    --------
    >>> lone_time(0.010, 1), round(lone_time(0.010, 2), 3)
    (0.01, 0.015)
    """
    positive(time, "time at a drive", "s")
    total = 0.0
    for i in range(1, count(drives, "number of drives", most=MOST_PARTS) + 1):
        total += 1.0 / i
    return time * total
