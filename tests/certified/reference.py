"""Answers to any number of digits, for networks too large for rational arithmetic.

Those of `tests.truth.rational` in decimal arithmetic of many digits, so that a population of a
million takes seconds. Each answer is computed twice, with different numbers of digits, and only the
digits on which both agree are kept.
"""

from decimal import Context, Decimal, localcontext

import qmodel as qm
from tests.truth import rational
from tests.truth.measures import Measures


def certified(network: qm.Network, digits: int = 50) -> Measures:
    """All measures to the given number of digits, as text."""
    few, many = solve(network, digits + 30), solve(network, digits + 60)
    shown = Context(prec=digits)

    def agreed(one: Decimal | None, other: Decimal | None) -> str | None:
        if one is None or other is None:
            return None
        texts = {str(shown.plus(value).normalize(shown)) for value in (one, other)}
        if len(texts) > 1:
            raise ArithmeticError(f"the two precisions differ: {texts}")
        return texts.pop()

    def rows(name: str) -> list[list[str | None]]:
        pairs = zip(getattr(few, name), getattr(many, name), strict=True)
        return [[agreed(a, b) for a, b in zip(x, y, strict=True)] for x, y in pairs]

    return Measures(
        [agreed(a, b) for a, b in zip(few.throughput, many.throughput, strict=True)],
        rows("queue_length"), rows("utilization"), rows("residence_time"),
    )  # fmt: skip


def solve(network: qm.Network, digits: int) -> Measures:
    """All measures in decimal arithmetic of the given number of digits."""
    with localcontext(Context(prec=digits, Emax=10**15, Emin=-(10**15))):
        return rational.solve(network, Decimal)
