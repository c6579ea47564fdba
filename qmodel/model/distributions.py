"""Distributions beyond two moments: by name, phases, quantiles, times, arrivals; see THEORY.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import fsum, isfinite
from typing import Any, NamedTuple

from qmodel.errors import InvalidNetwork
from qmodel.model.customer_classes import CustomerClass, OpenClass
from qmodel.model.phases import Phases, Quantiles, Rows, generator_of, times_of
from qmodel.model.validation import finite, not_negative, sequence

#: A class and a station whose service times are meant, or a class and "": its arrivals.
Key = tuple[str, str]

#: Names; a phase-type distribution is what the analysis assumes: constant at an SCV of 0, Erlang
#: at 1/k, exponential at 1, hyperexponential above.
NAMES = ("phase-type", "gamma", "lognormal", "pareto", "constant")


class MarkovianArrivals(NamedTuple):
    """A Markovian arrival process (MAP): rates of transitions without and with an arrival [1]."""

    d0: Rows
    d1: Rows


Recorded = Phases | Quantiles | MarkovianArrivals
#: A name, measured times, phases, quantiles, or arrivals.
Distribution = str | tuple[float, ...] | Recorded


def distribution(given: Any, what: str) -> Distribution:
    """A distribution as it is kept; ``what`` it is of, for errors."""
    if isinstance(given, Recorded):
        given = given._asdict()
    if isinstance(given, Mapping):
        return (_arrivals if {"d0", "d1"} & set(given) else times_of)(given, what)
    if isinstance(given, str):
        if given not in NAMES:
            raise InvalidNetwork(
                f"distribution of {what} is {given!r}, expected one of {', '.join(NAMES)}, a "
                "list of measured times, or a mapping such as {'erlang': 3}"
            )
        return given
    times = tuple(finite(t, f"a measured time of {what}") for t in sequence(given, what))
    if min(times, default=0.0) < 0.0 or not any(times):
        raise InvalidNetwork(f"measured times of {what}: expected numbers >= 0 that are not all 0")
    return times


def moments_of(law: Distribution, scv: float) -> tuple[float, float]:
    """Mean and SCV of a distribution that has its own; of a name 1 and the SCV given."""
    if isinstance(law, str):
        return 1.0, scv if law != "constant" else 0.0
    if isinstance(law, Quantiles):
        steps = [
            (q - p, s, t) for (p, s), (q, t) in pairwise(zip(law.shares, law.times, strict=True))
        ]
        mean = fsum(p * (s + t) / 2.0 for p, s, t in steps)
        return mean, fsum(p * (s * s + s * t + t * t) / 3.0 for p, s, t in steps) / mean**2 - 1.0
    if isinstance(law, MarkovianArrivals | Phases):
        import numpy as np

        if isinstance(law, Phases):
            start, inverse = np.array(law.start), np.linalg.inv(-np.array(law.generator))
        else:
            inverse = np.linalg.inv(-np.array(law.d0))
            phases = inverse @ np.array(law.d1)  # at an arrival, and at the next
            equations = np.vstack([phases.T - np.eye(len(phases)), np.ones(len(phases))])
            start = np.linalg.lstsq(equations, np.eye(len(phases) + 1)[-1], rcond=None)[0]
        mean = float((start @ inverse).sum())
        return mean, 2.0 * float((start @ inverse / mean @ inverse).sum()) / mean - 1.0
    mean = sum(law) / len(law)
    return mean, sum((t / mean - 1.0) ** 2 for t in law) / len(law)


def kept_of(
    given: Any, classes: list[CustomerClass], stations: Sequence[str], scv: list[list[float]]
) -> tuple[tuple[Key, Distribution], ...]:
    """The distributions of a network as it keeps them; SCVs of classes and rows become theirs."""
    names, kept = [c.name for c in classes], []
    for key, spec in given.items() if isinstance(given, Mapping) else given:
        name, station = (key, "") if isinstance(key, str) else key
        if name not in names or station not in ("", *stations):
            raise InvalidNetwork(
                f"distribution of {key!r}: no such class, or no such station; there are "
                f"{', '.join(names)} at {', '.join(stations)}"
            )
        c, what = names.index(name), f"class {name!r}" + f" at station {station!r}" * bool(station)
        customers, law = classes[c], distribution(spec, what)
        if station and not isinstance(law, MarkovianArrivals):
            k = stations.index(station)
            scv[c][k] = _scv(law, scv[c][k], what)
        elif not station and isinstance(customers, OpenClass):
            own = _scv(law, customers.arrival_scv, what)
            classes[c] = replace(customers, arrival_scv=own)
        else:
            raise InvalidNetwork(
                f"distribution of {what}: arrivals are those of an open class; name one"
            )
        exponential = isinstance(law, Phases) and len(law.start) == 1
        kept.append(((name, station), "phase-type" if exponential else law))
    return tuple(kept)


def _scv(law: Distribution, scv: float, what: str) -> float:
    """The SCV that a distribution has, which is no other than the one given, if one is."""
    own = moments_of(law, scv)[1]
    if (abs(own - scv) > 1e-6 * own and scv != 1.0) or not isfinite(own):
        raise InvalidNetwork(f"SCV of {what} is {scv:g}, its distribution has {own:.6g}")
    if not own and law in {"gamma", "lognormal", "pareto"}:
        raise InvalidNetwork(f"SCV of {what} is 0, {law} needs more; expected 'constant'")
    return own


def _arrivals(given: Mapping[Any, Any], what: str) -> MarkovianArrivals:
    what = f"arrivals of {what}"
    d0, d1 = (sequence(given.get(key, ()), what) for key in ("d0", "d1"))
    size = len(d0)
    if (
        set(given) != {"d0", "d1"}
        or not len(d1) == size
        or any(len(row) != size for row in [*d0, *d1])
    ):
        raise InvalidNetwork(f"{what}: expected square d0 and d1 of one size")
    arrives = tuple(tuple([not_negative(rate, f"d1 of {what}") for rate in row]) for row in d1)
    for i, (without, with_) in enumerate(zip(d0, arrives, strict=True)):
        rates = [finite(rate, f"d0 of {what}") for rate in without]
        if abs(sum(rates) + sum(with_)) > 1e-9 * abs(rates[i]):
            raise InvalidNetwork(f"{what}: row {i} of d0 and d1 has no sum of 0, as expected")
    return MarkovianArrivals(generator_of(d0, f"d0 of {what}"), arrives)
