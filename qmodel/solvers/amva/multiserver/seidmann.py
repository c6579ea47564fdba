"""Seidmann, Schweitzer and Shalev-Oren: a server m times as fast, and a delay of D (m - 1) / m.

Right for one customer alone and in saturation, too long between [1]. It changes the network, not
the equations, so there is no law: `closed_model` splits the demands.

Accuracy of ``linearizer/seidmann`` on ``multi-servers``: R median 0.8 %, worst 15 %.

References
----------
.. [1] A. Seidmann, P. J. Schweitzer and S. Shalev-Oren, "Computerized closed queueing network
   models of flexible manufacturing systems," Large Scale Systems 12, 1987, pp. 91-107.
"""

NAME = "seidmann"


def split(demand: float, servers: float) -> tuple[float, float]:
    """What of a demand is queued for, and what is a delay. [s]

    Examples
    --------
    >>> split(1.0, 4.0)
    (0.25, 0.75)
    """
    return demand / servers, demand * (servers - 1.0) / servers
