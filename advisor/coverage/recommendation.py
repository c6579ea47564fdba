"""Recommendations of the papers, as the coverage files hold them; read strictly."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from advisor.rules import RULES
from calibration.printed_tables.table import errata, sources, table_names
from qmodel.documents.document import read_document
from qmodel.documents.fields import Many, Name, StrictModel
from qmodel.documents.validation import validate
from qmodel.documents.wording import KeyPath, did_you_mean, show_text
from qmodel.errors import FileError

HERE = Path(__file__).parent
#: How many recommendations each paper makes.
PAPERS = {"notes31": 32, "groupwise52": 20, "domino46": 5, "domino5_raid": 11, "domino85": 9}

Verdict = Literal["agrees", "qualified", "contradicted", "not modelled"]
Source = Literal["change", "outlook", "alone", "evidence", "threshold", "option", "comparison"]


def _several(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


class Quantity(StrictModel):
    """A printed number and where the advisor's counterpart is found; see `advisor.coverage`."""

    of: Source
    metric: Name
    settings: Many[Name] = ()
    printed: float
    printed_to: float | None = None
    unit: str
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    erratum: str = ""
    note: str = ""


class Recommendation(StrictModel):
    """One recommendation of a paper and what covers it; see `advisor.coverage`."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+-\d\d$")]
    place: Name
    says: Name
    kind: Literal["quantitative", "qualitative"]
    printed: str
    tables: Many[str]
    rules: Many[str]
    reason: str
    errata: Many[str]
    verdict: Verdict
    because: str
    example: str
    settings: Many[Name] = ()
    expected: Literal["fires", "silent"]
    quantity: Annotated[Many[Quantity], BeforeValidator(_several)] = ()

    @property
    def paper(self) -> str:
        """Name of the paper's system."""
        return self.id.rpartition("-")[0]

    @property
    def number(self) -> int:
        """Place among the paper's recommendations, from 1."""
        return int(self.id.rpartition("-")[2])


class RecommendationFile(StrictModel):
    """One topic's file."""

    recommendation: Annotated[Many[Recommendation], Field(min_length=1)]


@cache
def load_recommendations(
    folder: Path = HERE, *, complete: bool = True
) -> tuple[Recommendation, ...]:
    """Every recommendation, in the order of the papers.

    Parameters
    ----------
    folder : path
        Where the files are.
    complete : bool
        Whether every recommendation of every paper must be there.

    Raises
    ------
    qmodel.FileError
        One line with the file, the line and the key that is wrong.
    """
    found: dict[str, Recommendation] = {}
    for path in sorted(folder.glob("*.toml")):
        document = read_document(path)
        rows = validate(RecommendationFile, document, what="coverage file").recommendation
        problems = [problem for i, row in enumerate(rows) for problem in _problems(i, row)]
        for i, row in enumerate(rows):
            if row.id in found:
                problems.append((("recommendation", i, "id"), f"{row.id} stands here twice"))
            found[row.id] = row
        if problems:
            raise document.errors(problems)
    missing = [each for each in _wanted() if each not in found]
    if complete and missing:
        raise FileError(str(folder), f"no row for {', '.join(missing)}")
    order = {each: i for i, each in enumerate(_wanted())}
    return tuple(sorted(found.values(), key=lambda row: order[row.id]))


def _wanted() -> Iterator[str]:
    for paper, count in PAPERS.items():
        for number in range(1, count + 1):
            yield f"{paper}-{number:02}"


def _problems(i: int, row: Recommendation) -> Iterator[tuple[KeyPath, str]]:
    place: KeyPath = ("recommendation", i)
    if row.id not in set(_wanted()):
        most = PAPERS.get(row.paper)
        right = f"1 to {most}" if most else f"one of {', '.join(PAPERS)}"
        yield (*place, "id"), f"no recommendation {row.id}; {right}"
    codes = [rule.code for rule in RULES]
    known = {erratum.id for source in sources() for erratum in errata(source)}
    named: tuple[tuple[str, tuple[str, ...], list[str]], ...] = (
        ("rules", row.rules, codes),
        ("tables", row.tables, list(table_names())),
        ("errata", row.errata, sorted(known)),
    )
    for key, values, possible in named:
        for value in values:
            if value not in possible:
                yield (*place, key), f"no {show_text(value)}; {did_you_mean(value, possible)}"
    if not row.rules and not row.reason:
        yield (*place, "reason"), "needed where no rule covers it"
    if row.verdict != "agrees" and not row.because:
        yield (*place, "because"), f"needed for the verdict {show_text(row.verdict)}"
    if row.settings and not row.example:
        yield (*place, "settings"), "needs an example to change"
    if row.quantity and row.kind == "qualitative":
        yield (*place, "quantity"), "a qualitative recommendation has none"
    yield from _quantity_problems(place, row)


def _quantity_problems(place: KeyPath, row: Recommendation) -> Iterator[tuple[KeyPath, str]]:
    for each in row.quantity:
        if each.of != "comparison" and not row.example:
            yield (*place, "quantity"), f"of {show_text(each.of)} needs an example"
        if (each.of == "change") != bool(each.settings):
            yield (*place, "quantity"), 'settings go with of = "change", and only with it'
        if each.of in {"evidence", "threshold", "option"} and not row.rules:
            yield (*place, "quantity"), f"of {show_text(each.of)} needs a rule"
        if each.erratum and each.erratum not in certain_errata():
            yield (*place, "quantity"), f"{each.erratum} is no certain erratum"
        if each.printed_to is not None and each.printed_to < each.printed:
            yield (*place, "quantity"), "printed_to is below printed"


@cache
def certain_errata() -> frozenset[str]:
    """Errata about which there is no doubt."""
    return frozenset(
        erratum.id
        for source in sources()
        for erratum in errata(source)
        if erratum.confidence == "certain"
    )
