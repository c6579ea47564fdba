"""Correct significant digits of an answer, the worst of its throughputs and queue lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite, log10

import qmodel as qm
from benchmarks.second_opinion.cases import queues
from tests.certified.reader import Certified

#: Digits that a double-precision number can have.
MOST = 15.95


def our_digits(found: Certified) -> float:
    """Of the method that is chosen by itself."""
    return min(digits(error) for error in found.errors(qm.solve(found.network)))


def peer_digits(found: Certified, answer: Mapping[str, Sequence[float]]) -> float | None:
    """Of a recorded answer; None if there is none."""
    if "throughput" not in answer:
        return None
    kept = queues(found.network)
    rows = [row[k] for row in found.queue_length for k in kept]
    pairs = [
        *zip(answer["throughput"], found.throughput, strict=True),
        *zip(answer["queue_length"], rows, strict=True),
    ]
    return min(digits(_error(here, there)) for here, there in pairs)


def digits(error: float) -> float:
    """Digits of a relative error, from 0 to those of a float."""
    if error == 0:
        return MOST
    return max(0.0, min(MOST, -log10(error))) if isfinite(error) else 0.0


def _error(here: float | None, there: Fraction) -> float:
    if here is None or not isfinite(here):
        return float("inf")
    if not there:
        return 0.0 if here == 0 else float("inf")
    return float(abs(Fraction(here) - there) / abs(there))
