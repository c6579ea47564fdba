"""What a sizing or a forecast was asked: of how many users, and by whose targets."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.findings.words import counted


def crowd(users: int, arrival_rate: float | None) -> str:
    """How many users there are, or how many requests arrive.

    Examples
    --------
    >>> crowd(200, None), crowd(200, 5.0)
    ('200 users', '5 requests/s')
    """
    return counted(users, "user") if arrival_rate is None else f"{arrival_rate:.6g} requests/s"


def targets_kept(kept: Sequence[str]) -> str:
    """Targets that nobody gave on the command line.

    Examples
    --------
    >>> targets_kept(["response_time", "utilization"])
    'from the file: target of response time, of utilization'
    """
    return f"from the file: target of {', of '.join(each.replace('_', ' ') for each in kept)}"
