"""What open classes leave of a station for the closed ones: effective capacity; see THEORY.md."""

from itertools import pairwise

from qmodel.laws.erlang import erlang_c
from qmodel.model.closed_network import without_repetition

#: Coefficients are scaled down by this power of two, exactly, before they overflow.
_LARGE = 2.0**512


def effective_rates(
    station: int | tuple[float, ...], load: float, spare: float, population: int
) -> tuple[float, ...]:
    """Rates the closed classes see, with 1, 2 ... of them present; the last goes on. [1]

    ``station`` is its number of equal servers, or its relative rates with 1, 2 ... customers, the
    last going on; ``load`` is that of the open classes, ``spare`` the capacity left [servers];
    ``population`` closed customers may be there at once, at least 1, and no more rates are
    computed.
    """
    if isinstance(station, int):
        return _several_servers(station, load, spare, population)
    return _any_rates(station, load, spare, population)


def _several_servers(servers: int, load: float, spare: float, population: int) -> tuple[float, ...]:
    # (m - x) times the series has the coefficients (m - j) / j!, j < m, all positive; hence
    # spare F(n) = F(n - 1) + psi(n) with n! psi(n) = S(m - 1 - n), where S(k) = E(0) + ... + E(k)
    # and E(k) is the exponential series cut after load^k / k!. Only ratios are kept.
    lost, behind = 1.0, 1.0  # Erlang's B with k servers; S(k) / E(k)
    shares = [0.0]  # S(k - 1) / S(k)
    for k in range(1, servers):
        offered = load * lost
        carried = behind * k / (k + offered)  # S(k - 1) / E(k)
        lost = offered / (k + offered)
        behind = 1.0 + carried
        shares.append(carried / behind)
    rates: list[float] = []
    step = spare * shares[servers - 1]  # psi(n) / F(n - 1) at n = 1
    for n in range(1, min(servers - 1, population) + 1):
        rates.append(spare / (1.0 + step))
        step *= rates[-1] * shares[servers - 1 - n] / (n + 1)
    if population >= servers:
        rates.append(spare)
    return tuple(rates)


def _any_rates(
    rates: tuple[float, ...], load: float, spare: float, population: int
) -> tuple[float, ...]:
    # The series, nested: 1 + x/r(1) (1 + x/r(2) (... (1 / (1 - x/last)))), expanded at the load
    # from the inside out. Coefficient n is kept times spare^n, so the innermost are all equal.
    last = rates[-1]
    length = len(without_repetition(rates))
    highest = min(length, population)
    coefficients = [last / spare] * (highest + 1)
    unit = 1.0
    for rate in reversed(rates[: length - 1]):
        coefficients = [unit + load * coefficients[0] / rate] + [
            (load * same + spare * lower) / rate for lower, same in pairwise(coefficients)
        ]
        if max(coefficients) > _LARGE:
            coefficients = [c / _LARGE for c in coefficients]
            unit /= _LARGE
    speeds = [spare * lower / same for lower, same in pairwise(coefficients)]
    if highest == length:
        speeds[-1] = spare
    return tuple(speeds)


def residence_per_demand(station: int | tuple[float, ...], load: float, spare: float) -> float:
    """Residence time of any class over its demand: 1 without waiting. [1]

    ``station`` is its number of equal servers, or its relative rates with 1, 2 ... customers, the
    last going on; ``load`` is that of all classes, ``spare`` the capacity left, > 0. [servers]
    """
    if isinstance(station, tuple):
        return _load_dependent(station, load, spare)
    if station == 1:
        return 1.0 / spare
    return 1.0 + erlang_c(station, load, spare) / spare


def _load_dependent(rates: tuple[float, ...], load: float, spare: float) -> float:
    """Sum of n / rate(n) over what an arrival finds, n - 1 customers with probability p(n - 1)."""
    # p(n) / p(0) is the product of load / rate; past the last rate it is a geometric sequence.
    last = rates[-1]
    weight, total, seen = 1.0, 0.0, 0.0
    for n, rate in enumerate(rates[:-1], 1):
        total += weight
        seen += weight * n / rate
        weight *= load / rate
        if weight > _LARGE:
            weight, total, seen = weight / _LARGE, total / _LARGE, seen / _LARGE
    idle = spare / last
    total += weight / idle
    seen += weight * (len(rates) + load / spare) / (last * idle)
    return seen / total
