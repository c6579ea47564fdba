"""What the advisor makes of each recommendation, as it was recorded, and how much that is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Literal

from scripts.paper_coverage.recommendation import HERE, Recommendation, certain_errata

OUTCOMES = HERE / "outcomes.json"
How = Literal["computed", "computed from the other rows", "fitted", "taken over", "given"]
Agreed = Literal[
    "within the tolerance", "inside the interval", "outside", "wrong in print", "no number"
]


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A number of the advisor's, in the unit of the printed one."""

    #: A 90 % interval where the model computes it; equal for a single number.
    low: float
    mid: float
    high: float
    #: Computed by the model, which never saw the number, or saw it among those it was fitted to;
    #: taken over from a source, as printed; or given by the configuration or a rule's threshold.
    how: How


@dataclass(frozen=True, slots=True)
class Compared:
    """One printed number and the advisor's."""

    #: What it measures, and of which change if it is one.
    metric: str
    #: As the paper has it.
    printed: str
    unit: str
    #: The advisor's number; None if it has none.
    found: Counterpart | None
    agreed: Agreed
    #: What the tolerance rests on, and what else is to be known.
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the advisor repeats the printed number, unless that is known to be wrong."""
        return self.agreed not in {"outside", "no number"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One recommendation, asked of the advisor."""

    id: str
    #: Rules of the row that found something in its example, and those that did not.
    fired: tuple[str, ...]
    silent: tuple[str, ...]
    #: What they found, or why they had nothing to say.
    why: tuple[str, ...]
    compared: tuple[Compared, ...]

    def as_expected(self, row: Recommendation) -> bool:
        """Whether every rule of the row did what it should."""
        return not (self.silent if row.expected == "fires" else self.fired)

    @property
    def agrees(self) -> bool:
        """Whether every printed number is repeated."""
        return all(each.agrees for each in self.compared)


def load_outcomes(path: Path = OUTCOMES) -> tuple[Outcome, ...]:
    """The outcomes as they were written by `python -m scripts.paper_coverage`."""
    found = []
    for each in json.loads(path.read_text(encoding="utf-8")):
        compared = tuple(
            Compared(**{**one, "found": one["found"] and Counterpart(**one["found"])})
            for one in each.pop("compared")
        )
        lists = {key: tuple(each[key]) for key in ("fired", "silent", "why")}
        found.append(Outcome(id=each["id"], **lists, compared=compared))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many recommendations are covered, and how many are reproduced."""

    #: All; those that a rule covers; the others, which give a reason.
    recommendations: int
    by_rule: int
    by_reason: int
    #: With numbers; those of them that a model speaks to; those of these that are not refuted by a
    #: certain erratum; those of these where every rule does as expected and every number agrees.
    quantitative: int
    modelled: int
    applicable: int
    reproduced: int
    #: Printed numbers of applicable recommendations; within their tolerance; outside it but inside
    #: the 90 % interval; wrong by a certain erratum.
    numbers: int
    within: int
    inside: int
    wrong: int
    #: Of these numbers, those that the model was fitted to.
    fitted: int
    #: Median half-width of the intervals of those that are inside them only, over the middle. [1]
    width: float


def tally(rows: Sequence[Recommendation], found: Sequence[Outcome]) -> Tally:
    """Count."""
    pairs = list(zip(rows, found, strict=True))
    quantitative = [(row, outcome) for row, outcome in pairs if row.kind == "quantitative"]
    applicable = [pair for pair in quantitative if is_applicable(pair[0])]
    numbers = [each for _, outcome in applicable for each in outcome.compared]
    inside = [
        (each.found.high - each.found.low) / 2.0 / abs(each.found.mid)
        for each in numbers
        if each.agreed == "inside the interval" and each.found and each.found.mid
    ]
    return Tally(
        len(rows),
        sum(bool(row.rules) for row in rows),
        sum(not row.rules for row in rows),
        len(quantitative),
        sum(row.verdict != "not modelled" for row, _ in quantitative),
        len(applicable),
        sum(is_reproduced(*pair) for pair in applicable),
        len(numbers),
        sum(each.agreed == "within the tolerance" for each in numbers),
        sum(each.agreed == "inside the interval" for each in numbers),
        sum(each.agreed == "wrong in print" for each in numbers),
        sum(each.found is not None and each.found.how == "fitted" for each in numbers),
        round(median(inside), 3) if inside else 0.0,
    )


def is_applicable(row: Recommendation) -> bool:
    """Whether it is quantitative, a model speaks to it, and no certain erratum refutes it."""
    refuted = row.verdict == "contradicted" and bool(certain_errata() & set(row.errata))
    return row.kind == "quantitative" and row.verdict != "not modelled" and not refuted


def is_reproduced(row: Recommendation, outcome: Outcome) -> bool:
    """Whether the advisor gives it for the paper's configuration, and its numbers agree."""
    return outcome.as_expected(row) and outcome.agrees and row.verdict != "contradicted"


def number_text(each: Compared) -> str:
    """One comparison in words."""
    unit = f" {each.unit}" if each.unit not in {"", "1"} else ""
    start = f"{each.metric}: printed {each.printed}{unit}, "
    if each.found is None:
        return f"{start}the advisor has no number"
    low, mid, high = (f"{value:.4g}" for value in (each.found.low, each.found.mid, each.found.high))
    interval = "" if low == high else f" ({low} to {high})"
    note = f" ({each.note})" if each.note else ""
    return f"{start}{each.found.how} {mid}{unit}{interval}, {each.agreed}{note}"
