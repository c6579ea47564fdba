"""Targets: what was promised, held against what is predicted."""

from __future__ import annotations

from advisor.advice import Missed
from advisor.config import Configuration
from advisor.outlook import Outlook


def promised(configuration: Configuration) -> bool:
    """Whether the configuration has a target at all."""
    targets = configuration.settings.targets
    return targets is not None and (
        targets.response_time is not None or targets.utilization is not None
    )


def missed(configuration: Configuration, outlook: Outlook) -> tuple[Missed, ...]:
    """The targets that are or may be missed: the upper end of an interval is beyond them."""
    targets = configuration.settings.targets
    if targets is None:
        return ()
    found: list[Missed] = []
    if targets.response_time is not None:
        found += [
            Missed(f"response time of {c.name}", "s", "response_time", c.response_time, limit)
            for c in outlook.classes
            if not c.batch and c.response_time.high > (limit := targets.response_time)
        ]
    if targets.utilization is not None:
        found += [
            Missed(f"utilization of {r.name}", "1", "utilization", r.utilization, limit)
            for r in outlook.resources
            if r.name != "unseen" and r.utilization.high > (limit := targets.utilization)
        ]
    return tuple(found)
