"""Fingerprints: the same finding of two runs is told by rule, place and metrics, not by numbers."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

from advisor.findings.records import Finding
from qmodel.documents.wording import show_key

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def fingerprint(rule: str, finding: Finding, data: dict[str, Any]) -> str:
    """Sixteen hexadecimal digits that stay while the finding is about the same thing.

    Elements of arrays go by their names, so that a task before another one changes nothing;
    numbers in the names of metrics are left out, as is every value.

    Parameters
    ----------
    rule : str
        Code of the rule.
    finding : Finding
        What it found.
    data : dict
        The configuration as written, for the names.
    """
    metrics = [_NUMBER.sub("#", each.metric) for each in finding.evidence]
    told = [rule, show_key(_named(finding.key, data)), *metrics]
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def _named(key: tuple[str | int, ...], data: Any) -> list[str | int]:
    path: list[str | int] = []
    for part in key:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            data = None
        name = data.get("name") if isinstance(part, int) and isinstance(data, dict) else None
        path.append(name if isinstance(name, str) else part)
    return path
