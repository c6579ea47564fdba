"""What the models of domino5_raid say of published numbers: users."""

from collections.abc import Iterator
from math import sqrt

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.fitted_formula import UNKNOWN_NOISE
from calibration.agreements.published import published
from calibration.estimation.interval import Range
from calibration.printed_tables.table import load_table
from calibration.systems.domino5_raid.drives import calibrated, capacity
from calibration.systems.domino5_raid.users import _ONE, _TWO, criterion, think_time

_GIGABYTE = 1024.0**3


def compare() -> Iterator[Comparison]:
    """The margin beyond the knee, and the limits of Study Two."""
    between = think_time()
    ratio = (between + criterion()) / between
    margin = published(_ONE, "knee_margin", "value")
    number = margin.converted("1", lambda percent: 1.0 + percent / 100.0)
    noise = UNKNOWN_NOISE * sqrt(2.0) * ratio
    yield Comparison(
        published=number,
        subject="one array",
        metric="users at 5 s over users at the knee",
        case="",
        status="held out",
        model="users at a bottleneck",
        predicted=for_one_more(Range(ratio, ratio, ratio), noise),
        baselines=(("knee and limit are the same", 1.0),),
    )
    for row, value, what in (
        ("cpu_4000", _processor(), "CPU utilization"),
        ("memory_available", _memory(), "memory available"),
    ):
        yield Comparison(
            published=published(_TWO, row, "value"),
            subject="server",
            metric=what,
            case="4,000 users",
            status="held out",
            model="in proportion",
            predicted=Range(value, value, value),
            fitted_on=calibrated().cells,
            extrapolated="another server",
            note="a limit from a limit: what Study One allows at most",
        )


def _processor() -> float:
    """CPU utilization of Study Two that the limit of Study One allows. [%]

    Examples
    --------
    >>> round(_processor(), 1)
    10.7
    """
    hardware = load_table("domino5_raid/hardware")
    one, two = (
        hardware.value(f"{study}_processors") * hardware.value(f"{study}_clock")
        for study in ("one", "two")
    )
    return load_table(_ONE).value("cpu") * 100.0 * one / two * _users_over_study_one()


def _memory() -> float:
    """Memory that Study Two has left if all that Study One used was its users'. [GB]

    Examples
    --------
    >>> round(_memory(), 2)
    2.55
    """
    hardware = load_table("domino5_raid/hardware")
    used = hardware.value("one_memory") - load_table(_ONE).value("memory_available")
    return (hardware.value("two_memory") - used * _users_over_study_one()) / _GIGABYTE


def _users_over_study_one() -> float:
    """4,000 users over those of ten drives by the law of the drives. [1]"""
    return 4000.0 / capacity().capacity(10)
