"""What a reader of recordings is, and times as tools write them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from calibration.recordings.counters import Metrics
from calibration.recordings.series import Recording
from calibration.recordings.source import Source

_FORMS = (
    "%m/%d/%Y %I:%M:%S %p", "%m/%d/%y %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%d/%b/%Y:%H:%M:%S %z",
    "%Y/%m/%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%d.%m.%Y %H:%M:%S",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the files of one tool.

    Parameters
    ----------
    kind : str
        What writes such a file, as a user would call it.
    sniff : callable
        Whether a file that begins like this is one.
    read : callable
        The recording, or metrics that belong together with those of further files. Raises
        `qmodel.FileError`.
    """

    kind: str
    sniff: Callable[[str], bool]
    read: Callable[[Source], Recording | Metrics]


def moment(text: str) -> tuple[float, str]:
    """Seconds since 1970 that a text means, and whether it names a zone: "UTC" or "local".

    Raises
    ------
    ValueError
        If it is no time.

    Examples
    --------
    >>> moment("1795471965986"), moment("2026-11-23T22:16:43+0000"), moment("2026-11-23 22:16:43")
    ((1795471965.986, 'UTC'), (1795472203.0, 'UTC'), (1795472203.0, 'local'))
    """
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        for _ in range(3):
            if number > 1e11:  # milliseconds, microseconds or nanoseconds
                number /= 1e3
        if not 1e8 < number < 1e11:
            raise ValueError(text)
        return number, "UTC"
    if text.endswith(" UTC"):
        text = text[:-4] + "+00:00"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        for form in _FORMS:
            try:
                found = datetime.strptime(text, form)  # noqa: DTZ007, a zone where there is one
                break
            except ValueError:
                continue
        else:
            raise ValueError(text) from None
    if found.tzinfo is None:
        return found.replace(tzinfo=UTC).timestamp(), "local"
    return found.timestamp(), "UTC"
