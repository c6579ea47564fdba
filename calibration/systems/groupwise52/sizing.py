"""Servers of two sizes: what their processors alone would say.

The paper prints one to four processors for both servers together, no load and no utilization. All
that a model can say of two servers with the same processors is that they differ by one to four
times; the agreement of its middle with the paper is no evidence.
"""

from collections.abc import Iterator

from calibration.agreements.comparison import Comparison
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.estimation.interval import Range

#: Processors of the servers, as printed.
FEWEST, MOST = 1, 4


def models() -> tuple[Model, ...]:
    """Nothing is fitted."""
    return (
        Model(
            "processors",
            "users in proportion to processors, of which the smaller server has at least one and "
            "the larger at most four",
        ),
    )


def compare() -> Iterator[Comparison]:
    """Users of the larger server from those of the smaller."""
    smaller = published("groupwise52/claims", "proliant_800_users", "value")
    larger = published("groupwise52/claims", "proliant_5000_users", "value")
    most = MOST / FEWEST
    yield Comparison(
        published=larger,
        subject="server sizes",
        metric="users of a ProLiant 5000",
        case="",
        status="held out",
        model="processors",
        predicted=Range(smaller.value, smaller.value * most**0.5, smaller.value * most),
        fitted_on=(smaller.cell,),
        baselines=(("as many as a ProLiant 800", smaller.value),),
        note="no configuration is printed: the interval is all there is, its middle no evidence",
    )
