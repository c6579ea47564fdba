"""What one user does and asks: the cycle of the script, the knee of the response, CPU and memory.

The script runs four times an hour; its actions give the time from one to the next. With the disks
as the only bottleneck the response beyond the knee grows by one action's demand for each user, so
the users at 5 s over those at the knee follow from that time alone.

Study One prints limits of processor and memory at its highest load, which is that of ten drives. In
proportion to users and to processors they bound Study Two; nothing is fitted but the law of the
drives.
"""

from collections.abc import Iterator
from math import sqrt

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.fitted_formula import UNKNOWN_NOISE
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.estimation.interval import Range
from calibration.printed_tables.table import load_table
from calibration.systems.domino5_raid.drives import calibrated, capacity

_ONE, _TWO = "domino5_raid/study_one_claims", "domino5_raid/study_two_claims"
_EVERY_TIME = (
    "documents_read",
    "documents_updated",
    "documents_deleted",
    "views_scrolled",
    "databases_opened",
    "views_opened",
)

#: In every sixth iteration only.
_AT_TIMES = ("messages_sent", "lookups")
_PERIOD = 6.0

_GIGABYTE = 1024.0**3


def actions() -> float:
    """Actions of one iteration of the script.

    Examples
    --------
    >>> actions()
    13.0
    """
    table = load_table("domino5_raid/workload")
    always = sum(table.value(row) for row in _EVERY_TIME)
    return always + sum(table.value(row) for row in _AT_TIMES) / _PERIOD


def think_time() -> float:
    """Time from the answer to one action until the next. [s]

    Examples
    --------
    >>> round(think_time(), 1)
    69.2
    """
    iterations = load_table("domino5_raid/workload").value("iterations")
    return 1.0 / (iterations * actions())


def criterion() -> float:
    """Mean response time up to which a number of users counts as supported. [s]"""
    return load_table(_ONE).value("response_criterion")


def models() -> tuple[Model, ...]:
    """Nothing is fitted."""
    return (
        Model(
            "users at a bottleneck",
            f"{actions():g} actions in each iteration of the script, {think_time():.0f} s apart; "
            "beyond the knee throughput is that of the bottleneck",
        ),
        Model("in proportion", "processor and memory in proportion to users, from Study One"),
    )


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
