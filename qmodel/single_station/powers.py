"""Powers of a ratio near 1, their sums, and probabilities, without loss of digits.

A ratio u = 1 - 1e-9 that was rounded once has lost u^(10^9) in the seventh digit; its logarithm,
taken from 1 - u, keeps it. Original.
"""

from math import exp, inf, log, log1p

from qmodel.laws.erlang import erlang_b


def log_ratio(load: float, spare: float, capacity: float) -> float:
    """Logarithm of load / capacity, given what is spare; -inf where there is no load.

    ``spare`` is ``capacity - load``, negative where the load is the larger. [servers]
    """
    if load == 0.0:
        return -inf
    missing = spare / capacity
    return log1p(-missing) if abs(missing) < 0.5 else log(load / capacity)


def power(log_of_ratio: float, n: int) -> float:
    """The n-th power of a ratio whose logarithm is given; 0^0 is 1."""
    return exp(n * log_of_ratio) if n else 1.0


def geometric_sums(log_of_ratio: float, terms: int) -> tuple[float, float]:
    """Sum of q^i and of i q^i over i = 0 ... terms - 1, for q <= 1 given by its logarithm.

    By doubling: two halves of equal length differ by a power of q. Nothing is subtracted, so
    the sums are good to rounding for any q, 1 included, in time logarithmic in ``terms``.
    """
    total, moment, length = 0.0, 0.0, 0
    for bit in f"{terms:b}":
        step = power(log_of_ratio, length)
        moment += step * (moment + length * total)
        total += step * total
        length *= 2
        if bit == "1":
            step = power(log_of_ratio, length)
            total += step
            moment += length * step
            length += 1
    return total, moment


def with_a_server_free(n: int, load: float, servers: int) -> tuple[float, float]:
    """P(n customers) given that a server is free, and P(all but one busy) given the same.

    Of Poisson arrivals and exponential services; n is below ``servers``.
    """
    # P(n | at most k present) shrinks as k grows from n to all servers but one.
    probability = busy = erlang_b(n, load)
    for k in range(n + 1, servers):
        offered = load * busy
        if offered == 0.0 or probability == 0.0:
            break
        probability *= k / (k + offered)
        busy = offered / (k + offered)
    return probability, busy
