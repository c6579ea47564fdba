"""The answer of a sizing, as records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from advisor.findings.records import Missed
from advisor.findings.targets import Standing, standing
from advisor.predicting.outlook import Outlook
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range


@dataclass(frozen=True, slots=True)
class Candidate:
    """A configuration that was solved in full."""

    #: Each key that is chosen, and its value.
    settings: tuple[tuple[str, Any], ...]
    #: Of processors, drives, LAN segments and tiers.
    cost: float
    #: Of the class of users that waits longest. [s]
    response_time: Range
    #: The resource at which users spend most of that time, by Little's law: what limits the next
    #: step.
    limited_by: str
    #: Of that resource's busiest station. [1]
    utilization: Range
    #: Whether it meets the targets, as advice has it.
    state: Standing
    #: All that is predicted of it.
    outlook: Outlook
    #: The targets that are or may be missed.
    missed: tuple[Missed, ...]

    @property
    def meets(self) -> bool:
        """Whether it meets the targets for certain."""
        return self.state == "FITS"


@dataclass(frozen=True, slots=True)
class Sizing:
    """The answer.

    Parameters
    ----------
    users : int
        For whom. [customers]
    arrival_rate : float, optional
        Of users from outside, whose number then says nothing. [1/s]
    response_times : tuple of (str, float)
        Targets of the mean, of percentiles, and of single classes. [s]
    utilization : float, optional
        Target of each resource. [1]
    kept : tuple of str
        Which of them the configuration gives.
    best : Candidate, optional
        The cheapest that fits; if none does the cheapest at risk; None if all miss a target.
    front : tuple of Candidate
        The fastest at each cost, cheapest first.
    candidates : int
        How many there were.
    solved : int
        How many of them were solved in full.
    impossible : int
        Choices that cannot be, lose data with a drive or hold less than the present ones;
        where the capacity of a drive is not known, drives of data are counted.
    cost_note : str
        What the costs are.
    currency : str
        What they are in; empty for the convention.
    without_price : tuple of str
        Parts that were left out because they have no price.
    complete : bool
        Whether the search ended by itself; if not, something cheaper may be there.
    missed : tuple of Missed
        Targets that every candidate solved misses, each as it is nearest to its limit.
    not_varied : tuple of str
        Resources of those that no varied key makes faster.
    unmeasured : str
        What was not measured and yet makes users wait, of the cheapest or, where there is none, as
        it is, in a sentence.
    """

    users: int
    arrival_rate: float | None
    response_times: tuple[tuple[str, float], ...]
    utilization: float | None
    kept: tuple[str, ...]
    best: Candidate | None
    front: tuple[Candidate, ...]
    candidates: int
    solved: int
    impossible: int
    cost_note: str
    currency: str
    without_price: tuple[str, ...]
    complete: bool
    missed: tuple[Missed, ...] = ()
    not_varied: tuple[str, ...] = ()
    unmeasured: str = ""


def candidate_of(
    settings: Sequence[tuple[str, Any, Any]], cost: float, found: Outlook, late: tuple[Missed, ...]
) -> Candidate:
    """What is predicted with some settings, each by its key with old and new value."""
    slowest = max((c for c in found.classes if not c.batch), key=lambda c: c.response_time.mid)
    known = [r for r in found.resources if r.name != NOT_MEASURED] or found.resources
    longest = max(known, key=lambda r: r.queue_length.mid)
    return Candidate(
        tuple((key, value) for key, _, value in settings if value is not None), cost,
        slowest.response_time, longest.name, longest.utilization, standing(late), found, late,
    )  # fmt: skip


def steps(found: Sizing) -> Iterator[tuple[Candidate, Candidate, tuple[tuple[str, Any, Any], ...]]]:
    """Along the front: each point, the next, and the settings that differ between them."""
    for here, there in pairwise(found.front):
        old = dict(here.settings)
        yield here, there, tuple((k, old.get(k), v) for k, v in there.settings if old.get(k) != v)


def missed_by_all(each: Sequence[Sequence[Missed]]) -> tuple[Missed, ...]:
    """What is missed everywhere, each as it is nearest to its limit."""
    by_name = [{m.what: m for m in late} for late in each]
    return tuple(
        min((late[what] for late in by_name), key=lambda m: m.predicted.mid)
        for what in by_name[0]
        if all(what in late for late in by_name)
    )
