"""Recommendations of the papers, as the coverage files hold them; read strictly."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from calibration.printed_tables.table import errata, sources
from qmodel.documents.document import Document, read_document
from qmodel.documents.fields import Many, Name, StrictModel
from qmodel.documents.validation import validate

HERE = Path(__file__).parent
#: How many recommendations each paper makes.
PAPERS = {"notes31": 32, "groupwise52": 20, "domino46": 5, "domino5_raid": 11, "domino85": 9}

Verdict = Literal["agrees", "qualified", "contradicted", "not modelled"]
Source = Literal["change", "outlook", "alone", "evidence", "threshold", "option", "comparison"]


def _several(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


class Quantity(StrictModel):
    """A printed number and where the advisor's counterpart is found; see `README.md`."""

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
    """One recommendation of a paper and what covers it; see `README.md`."""

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
def load_recommendations(folder: Path = HERE) -> tuple[Recommendation, ...]:
    """Every recommendation, in the order of the papers; FileError for a key that is wrong."""
    rows = [row for path in sorted(folder.glob("*.toml")) for row in rows_of(read_document(path))]
    return tuple(sorted(rows, key=lambda row: (list(PAPERS).index(row.paper), row.number)))


def rows_of(document: Document) -> tuple[Recommendation, ...]:
    """The recommendations of one file."""
    return validate(RecommendationFile, document, what="coverage file").recommendation


@cache
def certain_errata() -> frozenset[str]:
    """Errata about which there is no doubt."""
    return frozenset(
        erratum.id
        for source in sources()
        for erratum in errata(source)
        if erratum.confidence == "certain"
    )
