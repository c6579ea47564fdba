"""Two runs held against each other: which findings are new, which are known, which are gone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from advisor.findings.records import LEVELS, Level, Located
from advisor.findings.review import Review
from qmodel.documents.document import read_document


class Known(BaseModel):
    """A finding as an earlier run wrote it down."""

    model_config = ConfigDict(frozen=True, strict=True)

    rule: str
    slug: str
    level: Level
    message: str
    fingerprint: str = Field(pattern="^[0-9a-f]{16}$")


class _Suppressed(BaseModel):
    findings: list[Known]


class _Earlier(BaseModel):
    findings: list[Known]
    suppressed: list[_Suppressed] = []


@dataclass(frozen=True, slots=True)
class Baseline:
    """What became of an earlier run's findings."""

    #: Not there before, or suppressed then, or graver now.
    new: tuple[Located, ...]
    #: There before, and no graver now.
    unchanged: tuple[Located, ...]
    #: There before, and neither found nor suppressed now.
    gone: tuple[Known, ...]

    def state(self, located: Located) -> str:
        """Whether a finding is "new" or "unchanged"."""
        return "new" if any(each is located for each in self.new) else "unchanged"


def load_baseline(path: Path) -> tuple[Known, ...]:
    """The findings of an earlier ``qmodel advise --json``, without those suppressed then.

    FileError if the file cannot be read or is something else.
    """
    document = read_document(path, "json")
    try:
        return tuple(_Earlier.model_validate(document.data).findings)
    except ValidationError as error:
        first = error.errors()[0]
        problem = f"not the output of qmodel advise --json: {first['msg']}"
        raise document.error(first["loc"], problem) from None


def compare(review: Review, earlier: Sequence[Known]) -> Baseline:
    """Hold a review's findings against an earlier run's, by their fingerprints."""
    left: dict[str, list[Known]] = {}
    for each in earlier:
        left.setdefault(each.fingerprint, []).append(each)
    new: list[Located] = []
    unchanged: list[Located] = []
    for located in review.findings:
        before = left.get(located.fingerprint)
        known = before.pop(0) if before else None
        graver = known and LEVELS.index(located.finding.level) < LEVELS.index(known.level)
        (new if known is None or graver else unchanged).append(located)
    silent = Counter(f.fingerprint for each in review.suppressed for f in each.findings)
    gone = []
    for known in (each for some in left.values() for each in some):
        if silent[known.fingerprint] > 0:
            silent[known.fingerprint] -= 1
        else:
            gone.append(known)
    return Baseline(tuple(new), tuple(unchanged), tuple(gone))
