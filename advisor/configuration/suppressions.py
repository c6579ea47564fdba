"""Suppressions: findings that are known and accepted, and until when."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from qmodel.documents.fields import Name, StrictModel, Text

#: Unused ones found nothing to suppress.
Standing = Literal["in force", "expired", "unused"]


def _date(value: Any) -> Any:
    """A date as TOML writes it, or as text, which is all that JSON has."""
    if isinstance(value, datetime):
        raise ValueError("expected a date without a time, such as 2026-12-31")  # noqa: TRY004
    if isinstance(value, str) and len(value) == 10:
        with suppress(ValueError):
            return date.fromisoformat(value)
    if not isinstance(value, date):
        raise ValueError("expected a date such as 2026-12-31")  # noqa: TRY004
    return value


class Suppression(StrictModel):
    """One rule whose findings are not to be counted, why, and through which day."""

    rule: Name
    reason: Text
    until: (
        Annotated[
            date, BeforeValidator(_date, json_schema_input_type=date),
            Field(description="the last day on which it holds", examples=["2026-12-31"]),
        ]
        | None
    ) = None  # fmt: skip

    def names(self, code: str, slug: str) -> bool:
        """Whether it is about the rule of this code and slug."""
        return self.rule.casefold() in {code.casefold(), slug.casefold()}

    def expired(self, today: date) -> bool:
        """Whether its last day is over."""
        return self.until is not None and self.until < today


def day(suppressions: Sequence[Suppression], today: date | None) -> date:
    """The day to judge expiry by; the clock is asked only where something may expire."""
    if today is not None:
        return today
    if any(each.until for each in suppressions):
        return datetime.now(tz=UTC).date()
    return date.min
