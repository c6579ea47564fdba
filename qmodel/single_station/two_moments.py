"""Waiting times at G/G/m from two moments of arrivals and service; see THEORY.md."""

from math import erfc, exp, sqrt


def whitt(utilization: float, servers: int, arrival_scv: float, scv: float) -> float:
    """Mean wait over that of M/M/m: at one server [1], at several [3, (2.24) and (2.25)]. [1]"""
    a, s, mean = arrival_scv, scv, 0.5 * (arrival_scv + scv)
    if mean == 0.0:
        return 0.0
    if servers == 1 and a >= 1.0:
        return mean * exp((1.0 - utilization) * (1.0 - a) / (a + 4.0 * s))
    if servers == 1:
        power = (utilization - 1.0) * (1.0 - a) ** 2 / (3.0 * mean)
        return mean * exp(power / utilization) if utilization else 0.0
    phi4 = min(1.0, 0.5 * (_phi1(utilization, servers) + _phi3(utilization, servers)))
    psi = 1.0 if mean >= 1.0 else phi4 ** (2.0 * (1.0 - mean))
    if a >= s:
        bottom = 4.0 * a - 3.0 * s
        phi = 4.0 * (a - s) / bottom * _phi1(utilization, servers) + s / bottom * psi
    else:
        bottom = 2.0 * (a + s)
        phi = (s - a) / bottom * _phi3(utilization, servers) + (s + 3.0 * a) / bottom * psi
    return mean * phi


def waiting_probability(
    erlang: float, utilization: float, servers: int, arrival_scv: float, scv: float
) -> float:
    """Fraction of customers that find all servers busy: [4] for one server, else [3]. [1]

    ``erlang`` is that of M/M/m, Erlang's C.
    """
    rho, a, s = utilization, arrival_scv, scv
    if a == 1.0 or rho == 0.0:
        return erlang
    if servers == 1:
        if a < 1.0:
            top = 1.0 + a + rho * s
            bottom = 1.0 + rho * (s - 1.0) + rho * rho * (4.0 * a + s)
        else:
            top = 4.0 * rho
            bottom = a + rho * rho * (4.0 * a + s)
        return min(1.0, max(0.0, rho + (a - 1.0) * rho * (1.0 - rho) * top / bottom))
    root = (1.0 - rho) * sqrt(servers)
    usual = _normal(-root)
    # Both ratios of normal tails; 0 over 0 far out, where the wait is 0 anyway.
    near = _normal(-(1.0 + s) * root / (a + s)) / usual if a + s and usual else 0.0
    far = _normal(-2.0 * root / (1.0 + a)) / usual if usual else 0.0
    first = rho * rho * min(1.0, near * erlang) + (1.0 - rho * rho) * min(1.0, far * erlang)
    if servers <= 6 or a >= 1.0:
        return min(1.0, first)
    z = (a + s) / (1.0 + s)
    gamma = (servers * (1.0 - rho) - 0.5) / sqrt(servers * rho * z) if z else float("inf")
    if gamma <= 0.5:
        return min(1.0, first)
    second = a * first + (1.0 - a) * _normal(-gamma)
    if gamma >= 1.0:
        return min(1.0, second)
    part = 2.0 * (1.0 - a) * (gamma - 0.5)
    return min(1.0, part * second + (1.0 - part) * first)


def waiting_spread(utilization: float, scv: float) -> float:
    """SCV of a positive wait, by the third moment usual for the SCV [4, (53), (54)]."""
    third = 3.0 * scv * (1.0 + scv) if scv >= 1.0 else (2.0 * scv + 1.0) * (scv + 1.0)
    return 2.0 * utilization - 1.0 + 4.0 * (1.0 - utilization) * third / (3.0 * (scv + 1.0) ** 2)


def _normal(x: float) -> float:
    """The normal distribution function."""
    return 0.5 * erfc(-x / sqrt(2.0))


def _gamma(utilization: float, servers: int) -> float:
    """[2], with the limit of [3]."""
    if utilization == 0.0:
        return 0.24 if servers > 1 else 0.0
    value = (1.0 - utilization) * (servers - 1) * (sqrt(4.0 + 5.0 * servers) - 2.0)
    return min(0.24, value / (16.0 * servers * utilization))


def _phi1(utilization: float, servers: int) -> float:
    """M/D/m, twice its mean wait over that of M/M/m."""
    return 1.0 + _gamma(utilization, servers)


def _phi3(utilization: float, servers: int) -> float:
    """D/M/m, likewise."""
    if utilization == 0.0:
        return 0.0
    return (1.0 - 4.0 * _gamma(utilization, servers)) * exp(
        -2.0 * (1.0 - utilization) / (3.0 * utilization)
    )
