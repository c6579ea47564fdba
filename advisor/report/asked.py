"""What a sizing or a forecast was asked: of how many users, and by whose targets."""

from collections.abc import Sequence


def targets_kept(kept: Sequence[str]) -> str:
    """Targets that nobody gave on the command line.

    Examples
    --------
    >>> targets_kept(["response_time", "utilization"])
    'from the file: target of response time, of utilization'
    """
    return f"from the file: target of {', of '.join(each.replace('_', ' ') for each in kept)}"
