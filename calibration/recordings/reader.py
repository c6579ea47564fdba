"""What a reader of recordings is, and times as tools write them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from calibration.recordings.counters import Metrics
from calibration.recordings.series import Recording
from calibration.recordings.source import Source

#: What is said of a recording whose samples name no times.
NO_TIMES = "it has no times; samples are assumed to be 1 s apart; record with -t"

_FORMS = (
    "%m/%d/%Y %I:%M:%S %p", "%m/%d/%y %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S.%f",
    "%d/%b/%Y:%H:%M:%S %z", "%Y/%m/%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%d.%m.%Y %H:%M:%S",
    "%m/%d/%Y %H:%M", "%d.%m.%Y %H:%M", "%m/%d/%Y %I:%M %p",
)  # fmt: skip

#: Date and time without anything between them, which are no seconds since 1970.
_DIGITS = re.compile(r"^(20\d\d(?:0[1-9]|1[0-2])[0-3]\d)([0-2]\d[0-5]\d(?:[0-5]\d)?)$")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the files of one tool, which begin as a regular expression says.

    ``read`` gives the recording, or metrics that belong together with those of further files.
    """

    kind: str
    begins: str
    read: Callable[[Source], Recording | Metrics]

    def knows(self, head: str) -> bool:
        """Whether a file that begins like this is one."""
        return re.search(self.begins, head, re.MULTILINE) is not None


def moment(text: str) -> tuple[float, str]:
    """Seconds since 1970 that a text means, and whether it names a zone; ValueError if none."""
    text = _DIGITS.sub(r"\1T\2", text.strip())
    if re.fullmatch(r"\d{9,19}(\.\d+)?", text):
        number = float(text)
        while number > 1e11:  # milliseconds, microseconds or nanoseconds
            number /= 1e3
        return number, "UTC"
    found = None
    try:
        found = datetime.fromisoformat(re.sub(" UTC$", "+00:00", text))
    except ValueError:
        for form in _FORMS:
            try:
                found = datetime.strptime(text, form)  # noqa: DTZ007, a zone where there is one
            except ValueError:
                continue
    if found is None:
        raise ValueError(f"{text!r} is no time")
    local = found.tzinfo is None
    return (found.replace(tzinfo=UTC) if local else found).timestamp(), "local" if local else "UTC"
