"""Distributions beyond mean and SCV: by name, as measured times, as a Markovian arrival process.

A network knows of each time its mean and its squared coefficient of variation. What else is known
is for the simulation; the analysis takes the two moments.

References
----------
.. [1] D. M. Lucantoni, "New results on the single server queue with a batch Markovian arrival
   process," Stochastic Models 7(1), 1991, pp. 1-46: D0, D1 and the moments of the intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from qmodel.errors import InvalidNetwork
from qmodel.model.customer_classes import CustomerClass, OpenClass
from qmodel.model.validation import finite, sequence

Rows = tuple[tuple[float, ...], ...]
#: A class and a station whose service times are meant, or a class and "": its arrivals.
Key = tuple[str, str]

#: Names, and the SCV that a distribution of that name has, where it has but one.
NAMES: dict[str, float | None] = {
    "phase-type": None,
    "exponential": 1.0,
    "constant": 0.0,
    "erlang": None,
    "hyperexponential": None,
    "gamma": None,
    "lognormal": None,
    "pareto": None,
}
#: Those that the analysis has as well, by two moments: exact methods are exact.
PHASE_TYPE = ("phase-type", "exponential", "erlang", "hyperexponential")


class MarkovianArrivals(NamedTuple):
    """A Markovian arrival process (MAP): rates of transitions without and with an arrival [1].

    Examples
    --------
    >>> bursts = distribution({"d0": [[-3.0, 1.0], [0.5, -0.7]], "d1": [[2.0, 0], [0, 0.2]]}, "x")
    >>> moments = moments_of(bursts)
    >>> round(moments[0], 4), round(moments[1], 4)
    (1.25, 2.0625)
    """

    d0: Rows
    d1: Rows


#: A name, measured times, or arrivals.
Distribution = str | tuple[float, ...] | MarkovianArrivals


def distribution(given: Any, what: str) -> Distribution:
    """A distribution as it is kept; ``what`` it is of, for errors."""
    if isinstance(given, str):
        if given not in NAMES:
            raise InvalidNetwork(
                f"distribution of {what} is {given!r}, expected one of {', '.join(NAMES)}, or a "
                "list of measured times"
            )
        return given
    if isinstance(given, Mapping | MarkovianArrivals):
        return _arrivals(given if isinstance(given, Mapping) else given._asdict(), what)
    times = tuple(finite(t, f"a measured time of {what}") for t in sequence(given, what))
    if min(times, default=0.0) < 0.0 or not any(times):
        raise InvalidNetwork(f"measured times of {what}: expected numbers >= 0 that are not all 0")
    return times


def moments_of(found: Distribution, scv: float = 1.0) -> tuple[float | None, float]:
    """Mean, where the distribution has one of its own, and SCV; ``scv`` where it has none."""
    if isinstance(found, str):
        fixed = NAMES[found]
        return None, scv if fixed is None else fixed
    if isinstance(found, MarkovianArrivals):
        import numpy as np

        inverse = np.linalg.inv(-np.array(found.d0))
        phases = inverse @ np.array(found.d1)  # of one arrival and the next
        equations = np.vstack([phases.T - np.eye(len(phases)), np.ones(len(phases))])
        start = np.linalg.lstsq(equations, np.eye(len(phases) + 1)[-1], rcond=None)[0]
        first, second = start @ inverse, 2.0 * start @ inverse @ inverse
        mean = float(first.sum())
        return mean, float(second.sum()) / mean**2 - 1.0
    mean = sum(found) / len(found)
    return mean, sum((t / mean - 1.0) ** 2 for t in found) / len(found)


def checked_scv(found: Distribution, scv: float, what: str) -> float:
    """The SCV that a distribution has; ``scv`` is that which is given besides, 1 if none is."""
    _, own = moments_of(found, scv)
    if abs(own - scv) > 1e-6 * own and scv != 1.0:
        raise InvalidNetwork(f"SCV of {what} is {scv:g}, its distribution has {own:.6g}")
    phases = 1.0 / scv if scv else 0.0
    if found == "erlang" and (phases < 0.5 or abs(phases - round(phases)) > 1e-6 * phases):
        raise InvalidNetwork(f"SCV of {what} is {scv:g}, expected 1/k for an Erlang distribution")
    if found == "hyperexponential" and scv < 1.0:
        raise InvalidNetwork(f"SCV of {what} is {scv:g}, expected >= 1 if it is hyperexponential")
    if found in {"lognormal", "gamma", "pareto"} and not scv:
        raise InvalidNetwork(f"SCV of {what} is 0, expected > 0 if it is {found}")
    return own


def kept_of(
    given: Any, classes: list[CustomerClass], stations: Sequence[str], scv: list[list[float]]
) -> tuple[tuple[Key, Distribution], ...]:
    """The distributions of a network as it keeps them; SCVs of classes and rows become theirs."""
    names, kept = [c.name for c in classes], []
    for key, spec in given.items() if isinstance(given, Mapping) else given:
        name, station = (key, "") if isinstance(key, str) else key
        if name not in names or station not in ("", *stations):
            raise InvalidNetwork(f"distribution of {key!r}: no such class, or no such station")
        c = names.index(name)
        customers, what = (
            classes[c],
            f"class {name!r}" + (f" at station {station!r}" * bool(station)),
        )
        found = distribution(spec, what)
        if station and isinstance(found, MarkovianArrivals):
            raise InvalidNetwork(f"distribution of {what}: d0 and d1 are for arrivals")
        if station:
            k = stations.index(station)
            scv[c][k] = checked_scv(found, scv[c][k], what)
        elif isinstance(customers, OpenClass):
            own = checked_scv(found, customers.arrival_scv, what)
            classes[c] = replace(customers, arrival_scv=own)
        else:
            raise InvalidNetwork(f"distribution of {what}: a closed class has no arrivals")
        kept.append(((name, station), found))
    return tuple(kept)


def _arrivals(given: Mapping[Any, Any], what: str) -> MarkovianArrivals:
    if set(given) != {"d0", "d1"}:
        raise InvalidNetwork(f"arrivals of {what}: expected d0 and d1, got {', '.join(given)}")
    d0, d1 = (_square(given[key], f"{key} of {what}") for key in ("d0", "d1"))
    if len(d0) != len(d1):
        raise InvalidNetwork(f"arrivals of {what}: d0 and d1 differ in size")
    for i, (without, with_) in enumerate(zip(d0, d1, strict=True)):
        rest = [rate for j, rate in enumerate(without) if j != i]
        if min([*rest, *with_], default=0.0) < 0.0 or not without[i] < 0.0:
            raise InvalidNetwork(
                f"row {i} of {what}: expected rates >= 0, but d0 < 0 on its diagonal"
            )
        if abs(sum(without) + sum(with_)) > 1e-9 * abs(without[i]):
            raise InvalidNetwork(f"row {i} of d0 and d1 of {what} together does not add up to 0")
    if not any(map(any, d1)):
        raise InvalidNetwork(f"arrivals of {what}: d1 is 0, so nothing arrives")
    return MarkovianArrivals(d0, d1)


def _square(given: Any, what: str) -> Rows:
    rows: Sequence[Any] = sequence(given, what)
    found = tuple(tuple(finite(rate, what) for rate in sequence(row, what)) for row in rows)
    if not found or any(len(row) != len(found) for row in found):
        raise InvalidNetwork(f"{what} is not square")
    return found
