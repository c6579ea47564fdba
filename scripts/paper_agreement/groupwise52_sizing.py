"""What the models of groupwise52 say of published numbers: sizing."""

from collections.abc import Iterator

from calibration.agreements.comparison import Comparison
from calibration.agreements.published import published
from calibration.estimation.interval import Range
from calibration.systems.groupwise52.sizing import FEWEST, MOST


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
