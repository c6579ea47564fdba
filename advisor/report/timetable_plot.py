"""The day's response-time curve before and after, as a picture."""

from itertools import pairwise
from math import isfinite, nan

from advisor.configuration.hours import DAY, clock
from advisor.scheduling.timetable import Timetable
from calibration.estimation.interval import Range
from qmodel.pictures.chart import Chart, Line
from qmodel.pictures.picture import Picture


def timetable_picture(found: Timetable) -> Picture:
    """Users' response time through the day: today, in the timetable, and alone."""
    times = [*(each.start for each in found.slots), DAY]
    curves = {
        "today": [slot.time_before for slot in found.slots],
        "timetable": [slot.time_after for slot in found.slots],
        "users alone": [slot.alone for slot in found.slots],
    }
    return Chart(
        _words(found),
        "time of day",
        "users' response time [s]",
        [
            Line(
                name,
                [
                    (at, height)
                    for ends, height in zip(pairwise(times), map(_height, heights), strict=True)
                    for at in ends
                ],
            )
            for name, heights in curves.items()
        ],
        ticks=[(at, _hour(at)) for at in range(0, DAY + 1, 4 * 60)],
    ).picture


def _words(found: Timetable) -> str:
    if found.longest_waits is None:
        return "No users at any time of the day."
    before, after = found.longest_waits
    return (
        f"Users' response time through the day: today at most {before.time.mid:.3g} s, "
        f"at {clock(before.start)}; with the timetable at most {after.time.mid:.3g} s, "
        f"at {clock(after.start)}."
    )


def _height(time: Range | None) -> float:
    return time.mid if time is not None and isfinite(time.mid) else nan


def _hour(minute: int) -> str:
    return "24:00" if minute == DAY else clock(minute)
