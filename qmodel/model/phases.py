"""Times by phases that are given, and by quantiles; see THEORY.md."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import finite, integer, not_negative, positive, sequence

Numbers = tuple[float, ...]
Rows = tuple[Numbers, ...]

#: Phases at most.
MOST = 100
#: How far probabilities may be from a sum of 1, and rates of a row above a sum of 0: rounding.
ROUNDING = 1e-9
#: The keys that go together, and what they say.
FORMS = {
    ("start", "generator"): "phases: probabilities of the first one, rates from each to each",
    ("probabilities", "rates"): "hyperexponential: one of these rates, with these probabilities",
    ("rates", "ends"): "Coxian: rates in turn, and after each the probability that it was the last",
    ("erlang",): "how many equal phases in turn",
    ("shares", "times"): "quantiles: the times that shares from 0 to 1 of all are below",
}


class Phases(NamedTuple):
    """A phase-type distribution: time to absorption of a Markov chain [1]."""

    #: alpha, probabilities of the first phase. [1]
    start: tuple[float, ...]
    #: T, rates from phase to phase; the diagonal has the total rate out, negative. [1/s]
    generator: Rows


class Quantiles(NamedTuple):
    """The times that shares of all are below; those between two are equally likely."""

    shares: tuple[float, ...]
    times: tuple[float, ...]


def times_of(given: Mapping[Any, Any], what: str) -> Phases | Quantiles:
    """Times given in one of the `FORMS`; ``what`` they are of, for errors."""
    form = next((keys for keys in FORMS if set(keys) == set(given)), None)
    if form is None:
        ways = "; ".join(f"{' and '.join(keys)} ({text})" for keys, text in FORMS.items())
        raise InvalidNetwork(f"distribution of {what} has {', '.join(given)}; expected {ways}")
    if form == ("erlang",):
        k = integer(given["erlang"], f"erlang of {what}", 1, MOST)
        rest = (0.0,) * (k - 1)
        return _in_turn((1.0, *rest), (1.0,) * k, (*rest, 1.0))
    first, rows = (sequence(given[key], f"{key} of {what}") for key in form)
    one = _numbers(first, form[0], what)
    other = _numbers(rows, form[1], what) if form[1] != "generator" else one
    if len(one) != len(rows) or not 1 <= len(one) <= MOST:
        numbers = f"{' and '.join(form)} of {what} are {len(one)} and {len(rows)}"
        raise InvalidNetwork(f"{numbers}; expected as many, 1 to {MOST}")
    if form[0] in {"start", "probabilities"} and abs(fsum(one) - 1.0) > ROUNDING:
        raise InvalidNetwork(f"{form[0]} of {what} add up to {fsum(one):.9g}, expected 1")
    if form[0] == "start":
        return Phases(one, generator_of(rows, f"generator of {what}"))
    if form[0] == "probabilities":
        return _in_turn(one, other, (1.0,) * len(one))
    if form[0] == "shares":
        if one != tuple(sorted({0.0, *one, 1.0})) or other != tuple(sorted(other)) or not other[-1]:
            wanted = "shares that rise from 0 to 1, and times with them, the last one above 0"
            raise InvalidNetwork(f"quantiles of {what}: expected {wanted}")
        return Quantiles(one, other)
    if max(other) > 1.0 or other[-1] != 1.0:
        raise InvalidNetwork(f"ends of {what}: expected probabilities up to 1, the last one 1")
    return _in_turn((1.0, *[0.0] * (len(one) - 1)), one, other)


def _numbers(given: Sequence[Any], key: str, what: str) -> Numbers:
    checked = positive if key == "rates" else not_negative
    return tuple([checked(value, f"one of {key} of {what}") for value in given])


def _in_turn(start: Numbers, rates: Numbers, ends: Numbers) -> Phases:
    """Phases one after the other, each with a probability that it is the last [2]."""
    rows = [[0.0] * len(rates) for _ in rates]
    for i, (rate, end) in enumerate(zip(rates, ends, strict=True)):
        rows[i][i] = -rate
        if end < 1.0:
            rows[i][i + 1] = rate * (1.0 - end)
    return Phases(start, tuple(map(tuple, rows)))


def generator_of(given: Sequence[Any], what: str) -> Rows:
    """Rows by which every phase comes to an end, or `InvalidNetwork`."""
    rows = [[finite(rate, what) + 0.0 for rate in sequence(row, what)] for row in given]
    for i, row in enumerate(rows):
        rest = [*row[:i], *row[i + 1 :]]
        if len(row) != len(rows) or min(rest, default=0.0) < 0.0 or row[i] >= 0.0:
            wanted = f"{len(rows)} rates >= 0, that on the diagonal < 0"
            raise InvalidNetwork(f"row {i} of the {what}: expected {wanted}")
        if sum(row) > -ROUNDING * row[i]:
            raise InvalidNetwork(f"row {i} of the {what} has the sum {sum(row):g}, expected <= 0")
    ending = {i for i, row in enumerate(rows) if sum(row) < ROUNDING * row[i]}
    for _ in rows:
        ending |= {i for i, row in enumerate(rows) if any(row[j] > 0.0 for j in ending)}
    if len(ending) < len(rows):
        i = min({*range(len(rows))} - ending)
        raise InvalidNetwork(f"phase {i} of the {what} never ends, expected a sum of its row < 0")
    return tuple(map(tuple, rows))
