"""Suppressions: findings that somebody has looked at and lives with, and until when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

from pydantic import BeforeValidator, Field

from qmodel.formats.fields import Name, StrictModel
from qmodel.formats.wording import did_you_mean, show_text

if TYPE_CHECKING:
    from advisor.rule import Rule

#: Unused ones found nothing to suppress.
Standing = Literal["in force", "expired", "unused"]


def _date(value: Any) -> Any:
    """A date as TOML writes it, or as text, which is all that JSON has."""
    if isinstance(value, datetime):
        raise ValueError("expected a date without a time, such as 2026-12-31")  # noqa: TRY004
    if isinstance(value, str):
        try:
            return date.fromisoformat(value) if len(value) == 10 else _no_date()
        except ValueError:
            _no_date()
    if not isinstance(value, date):
        _no_date()
    return value


def _no_date() -> NoReturn:
    raise ValueError("expected a date such as 2026-12-31")


class Suppression(StrictModel):
    """One rule whose findings are not to be counted, why, and through which day."""

    rule: Name
    reason: Name
    until: (
        Annotated[
            date,
            BeforeValidator(_date, json_schema_input_type=date),
            Field(description="the last day on which it holds", examples=["2026-12-31"]),
        ]
        | None
    ) = None

    def names(self, code: str, slug: str) -> bool:
        """Whether it is about the rule of this code and slug."""
        return self.rule.casefold() in {code.casefold(), slug.casefold()}

    def expired(self, today: date) -> bool:
        """Whether its last day is over."""
        return self.until is not None and self.until < today


def unknown_rules(
    suppressions: Sequence[Suppression],
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Key and problem of each suppression of a rule that there is not, or that stands twice."""
    if not suppressions:
        return
    from advisor.rules import RULES  # rules know configurations, so they come later

    seen: dict[str, int] = {}
    for i, each in enumerate(suppressions):
        rule: Rule | None = next((r for r in RULES if each.names(r.code, r.slug)), None)
        if rule is None:
            meant = did_you_mean(each.rule, [r.code for r in RULES])
            yield ("suppress", i, "rule"), f"no rule {show_text(each.rule)}; {meant}"
        elif rule.code in seen:
            problem = f"{rule.code} is suppressed in suppress[{seen[rule.code]}] already"
            yield ("suppress", i, "rule"), problem
        else:
            seen[rule.code] = i


def day(suppressions: Sequence[Suppression], today: date | None) -> date:
    """The day to judge expiry by; the clock is asked only where something may expire."""
    if today is not None:
        return today
    if any(each.until for each in suppressions):
        return datetime.now(tz=UTC).date()
    return date.min
