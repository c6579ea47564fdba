"""What a reader of recordings is, and times as tools write them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from calibration.recordings.counters import Metrics
from calibration.recordings.series import Recording
from calibration.recordings.source import Source

#: What is said of a recording whose samples name no times.
NO_TIMES = "it has no times; samples are assumed to be 1 s apart; record with -t"

#: What is said of dates that do not tell whether sysstat began them with the day.
MONTH_FIRST = "{} is read as month/day/year; if it is not, record with LC_ALL=C S_TIME_FORMAT=ISO"

#: A zone by its hours and minutes ahead of UTC.
ZONE = r"(?:utc|gmt)(?P<hours>[-+]\d\d?)?(?::?(?P<minutes>\d\d))?"
_FORMS = (
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %I:%M:%S %p", "%Y-%m-%d %I:%M %p",
    "%d/%b/%Y:%H:%M:%S %z", "%d/%b/%Y:%H:%M:%S", "%Y/%m/%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S",
    "%d-%b-%Y %H:%M:%S", "%b %d, %Y @ %H:%M:%S.%f", "%b %d %Y %H:%M:%S %z",
)  # fmt: skip
#: Longest gap in samples that go on. [s]
_GOES_ON = 3600.0
#: A date that ends with its year.
_YEAR_LAST = re.compile(r"(\d\d?)([./-])(\d\d?)\2((?:20)?\d\d)(?!\d)[, ]*")
#: As browsers write it: Mon Nov 30 2026 14:00:00 GMT+0100 (Central European Standard Time).
_OF_BROWSERS = re.compile(r"^\w{3} (\w{3} \d\d 20\d\d [\d:]{8}) GMT([-+]\d{4})( \(.*\))?$")

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


def ahead(zone: str) -> float | None:
    """Seconds that a zone such as UTC+1 or UTC-03:30 is ahead of UTC; None if it is none."""
    found = re.fullmatch(ZONE, zone.strip(" ()"), re.IGNORECASE)
    hours, minutes = found.groups("0") if found else ("", "")
    return 3600.0 * int(hours) + 60.0 * int(hours[:1].strip("0") + minutes) if found else None


def day_first(texts: Iterable[str]) -> bool | None:
    """Whether dates such as 30/11/2026 begin with the day, None if they may be either.

    A number above 12 is a day; else samples that go on over midnight would leap by a month.
    """
    stamps = {text.strip() for text in texts}
    found = filter(None, map(_YEAR_LAST.match, stamps))
    dates = {(int(each[1]), int(each[3])) for each in found if each[2] != "."}
    if all(one == other for one, other in dates) or max(other for _, other in dates) > 12:
        return False
    if max(one for one, _ in dates) > 12:
        return True
    gaps = []
    for days in (False, True):
        times = sorted(moment(stamp, days=days)[0] for stamp in stamps)
        gaps.append(max((after - before for before, after in pairwise(times)), default=0.0))
    return gaps[1] < gaps[0] if min(gaps) <= _GOES_ON < max(gaps) else None


def moment(text: str, *, days: bool = False) -> tuple[float, str]:
    """Seconds since 1970 that a text means, and whether it names a zone; ValueError if none.

    With ``days`` a date such as 5/11/2026 begins with the day.
    """
    text = _OF_BROWSERS.sub(r"\1 \2", _DIGITS.sub(r"\1T\2", text.strip()))
    if date := _YEAR_LAST.match(text):
        day, month = (1, 3) if days or date[2] == "." else (3, 1)
        rest = text[date.end() :] or "00:00"
        text = f"20{date[4][-2:]}-{date[month]:0>2}-{date[day]:0>2} {rest}"
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
