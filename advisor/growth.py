"""Growth: the prediction at several numbers of users."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.config import Configuration
from advisor.outlook import Outlook
from advisor.prediction import outlook
from qmodel.errors import InvalidInput


def populations(configuration: Configuration, asked: str = "") -> tuple[int, ...]:
    """Numbers of users to predict: those asked for, or some around the configured one.

    Raises
    ------
    qmodel.InvalidInput
        If ``asked`` is not a list of whole numbers from 1.
    """
    if asked:
        parts = [part.strip() for part in asked.split(",")]
        if not all(part.isdecimal() and int(part) >= 1 for part in parts):
            raise InvalidInput(f"--users: expected whole numbers, as in 1,5,10; got {asked!r}")
        return tuple(sorted({int(part) for part in parts}))
    users = configuration.settings.workload.users
    if configuration.settings.workload.arrival_rate is not None:
        return (users,)  # what arrives from outside does not depend on them
    return tuple(sorted({1, max(1, users // 4), max(1, users // 2), users, 2 * users}))


def growth(
    configuration: Configuration, counts: Sequence[int]
) -> tuple[tuple[Outlook, Outlook], ...]:
    """Outlooks at each number of users: users alone, and at the worst peak hour."""
    return tuple(
        (outlook(changed, batch=False), outlook(changed))
        for changed in (configuration.with_users(n) for n in counts)
    )
