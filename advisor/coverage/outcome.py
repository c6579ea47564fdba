"""What the advisor makes of each recommendation, by asking it about the papers' configurations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from advisor.configuration.changed_keys import change_of
from advisor.coverage.counterpart import Counterpart, counterpart
from advisor.coverage.recommendation import HERE, Quantity, Recommendation
from advisor.engine import case_of
from advisor.findings.records import Finding
from advisor.loading import load_config
from advisor.rule_support.case import Case
from advisor.rule_support.rule import NothingToGoBy, Rule
from advisor.rules import RULES

OUTCOMES = HERE / "outcomes.json"
#: Significant digits that are kept, as many as the papers print.
DIGITS = 4
_BY_CODE = {rule.code: rule for rule in RULES}

Agreed = Literal[
    "within the tolerance", "inside the interval", "outside", "wrong in print", "no number"
]


@dataclass(frozen=True, slots=True)
class Compared:
    """One printed number and the advisor's.

    Parameters
    ----------
    metric : str
        What it measures, and of which change if it is one.
    printed, unit : str
        As the paper has it.
    found : Counterpart, optional
        The advisor's number; None if it has none.
    agreed : str
        How far they agree.
    note : str
        What the tolerance rests on, and what else is to be known.
    """

    metric: str
    printed: str
    unit: str
    found: Counterpart | None
    agreed: Agreed
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the advisor repeats the printed number, unless that is known to be wrong."""
        return self.agreed not in {"outside", "no number"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One recommendation, asked of the advisor.

    Parameters
    ----------
    id : str
        The recommendation.
    fired, silent : tuple of str
        Rules of the row that found something in its example, and those that did not.
    why : tuple of str
        What they found, or why they had nothing to say.
    compared : tuple of Compared
        The row's numbers.
    """

    id: str
    fired: tuple[str, ...]
    silent: tuple[str, ...]
    why: tuple[str, ...]
    compared: tuple[Compared, ...]

    def as_expected(self, row: Recommendation) -> bool:
        """Whether every rule of the row did what it should."""
        return not (self.silent if row.expected == "fires" else self.fired)

    @property
    def agrees(self) -> bool:
        """Whether every printed number is repeated."""
        return all(each.agrees for each in self.compared)


def outcomes(rows: Sequence[Recommendation], root: str | Path) -> tuple[Outcome, ...]:
    """Ask the advisor about the example of each recommendation.

    Parameters
    ----------
    rows : sequence of Recommendation
        From `load_recommendations`.
    root : path
        The folder that the rows' examples are told from.
    """
    return tuple(_outcome(row, Path(root)) for row in rows)


def _outcome(row: Recommendation, root: Path) -> Outcome:
    case = _case(root / row.example, row.settings) if row.example else None
    fired: list[str] = []
    silent: list[str] = []
    why: list[str] = []
    findings: list[Finding] = []
    for code in row.rules:
        if case is None:
            break
        found, silence = asked(_BY_CODE[code], case)
        findings += found
        (fired if found else silent).append(code)
        why.append(f"{code}: {'; '.join(each.message for each in found) or silence}")
    compared = (compare(each, counterpart(each, case, findings)) for each in row.quantity)
    return Outcome(row.id, tuple(fired), tuple(silent), tuple(why), tuple(compared))


@lru_cache(maxsize=64)
def _case(path: Path, settings: tuple[str, ...]) -> Case:
    configuration = load_config(path)
    if settings:
        configuration = change_of(configuration, settings).apply(configuration)
    return case_of(configuration)


def asked(rule: Rule, case: Case) -> tuple[tuple[Finding, ...], str]:
    """What a rule finds, as a review has it, and why it finds nothing if it does not."""
    try:
        return tuple(rule.judge(case)), f"content: {rule.claim}"
    except NothingToGoBy as nothing:
        return (), f"{nothing.state}, {nothing}"


def compare(quantity: Quantity, found: Counterpart | None) -> Compared:
    """Hold a printed number against the advisor's."""
    of = f", {', '.join(quantity.settings)}" if quantity.settings else ""
    low = quantity.printed
    high = low if quantity.printed_to is None else quantity.printed_to
    printed = f"{low:g}" if high == low else f"{low:g} to {high:g}"
    agreed: Agreed
    if found is None:
        agreed = "no number"
    elif low - quantity.tolerance <= found.mid <= high + quantity.tolerance:
        agreed = "within the tolerance"
    elif found.low <= high and found.high >= low:
        agreed = "inside the interval"
    elif quantity.erratum:
        agreed = "wrong in print"
    else:
        agreed = "outside"
    kept = (
        None
        if found is None
        else Counterpart(_kept(found.low), _kept(found.mid), _kept(found.high), found.how)
    )
    return Compared(f"{quantity.metric}{of}", printed, quantity.unit, kept, agreed, quantity.note)


def _kept(value: float) -> float:
    # Zero has no sign, and what is a rounding error of zero is zero.
    return 0.0 if abs(value) < 1e-9 else float(f"{value:.{DIGITS}g}")


def outcomes_text(found: Sequence[Outcome]) -> str:
    """Outcomes as JSON, one line for each number that could differ."""
    return json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False) + "\n"


def load_outcomes(path: Path = OUTCOMES) -> tuple[Outcome, ...]:
    """The outcomes as they were written by `python -m advisor.coverage`."""
    found = []
    for each in json.loads(path.read_text(encoding="utf-8")):
        compared = tuple(
            Compared(**{**one, "found": one["found"] and Counterpart(**one["found"])})
            for one in each.pop("compared")
        )
        lists = {key: tuple(each[key]) for key in ("fired", "silent", "why")}
        found.append(Outcome(id=each["id"], **lists, compared=compared))
    return tuple(found)
