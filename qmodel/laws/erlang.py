"""Erlang's formulas: the chance that all servers are busy.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975: Erlang's loss formula
   (3.45), p. 106, and Erlang's C formula (3.40), p. 103.
.. [2] R. B. Cooper, "Introduction to Queueing Theory," 2nd ed., North-Holland, 1981, p. 82: the
   recursion in the number of servers, all of whose terms are positive.
"""

from math import floor

#: Terms below this no longer change a sum of terms up to 1.
NOTHING = 1e-30


def erlang_b(servers: int, load: float) -> float:
    """Fraction of customers lost where there is no queue (M/M/m/m, any service times). [1]

    ``load`` is arrival rate times service time, and may exceed ``servers``, m. [servers]
    """
    if load == 0.0:
        return 0.0 if servers else 1.0
    # 1 / B(k) is the sum of k! / (k - i)! load^-i, whose terms fall from the first one on where
    # k <= load; from there the recursion in the number of servers leads up to m.
    start = servers if load >= servers else floor(load)
    term, total = 1.0, 1.0
    for i in range(start, 0, -1):
        term *= i / load
        total += term
        if term < NOTHING:
            break
    lost = 1.0 / total
    for k in range(start + 1, servers + 1):
        offered = load * lost
        if offered == 0.0:
            return 0.0
        lost = offered / (k + offered)
    return lost


def erlang_c(servers: int, load: float, spare: float) -> float:
    """Fraction of customers that must wait where all may (M/M/m). [1]

    ``load`` is arrival rate times service time, ``spare`` is ``servers - load``, > 0, which a
    caller near saturation knows better than the difference of the two. [servers]
    """
    lost = erlang_b(servers, load)
    return servers * lost / (spare + load * lost)
