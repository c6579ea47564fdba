"""The day's response-time curve before and after, as a picture."""

from __future__ import annotations

from math import isfinite, nan
from typing import TYPE_CHECKING

from advisor.configuration.hours import DAY, clock
from advisor.scheduling.timetable import Timetable
from calibration.estimation.interval import Range
from qmodel.errors import InvalidInput

if TYPE_CHECKING:
    from qmodel.pictures.picture import Picture


def timetable_picture(found: Timetable) -> Picture:
    """Users' response time through the day: alone, today, and in the timetable.

    Raises
    ------
    qmodel.InvalidInput
        If matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401, ICN001
    except ImportError:
        raise InvalidInput(
            "drawing needs matplotlib; install it with: pip install 'qmodel-capacity[plot]'"
        ) from None
    from qmodel.pictures.plot import sheet

    times = [each.start for each in found.slots] + [DAY]
    with sheet(_words(found), (8.0, 3.8)) as drawn:
        axes = drawn.axes
        curves = {
            "today": [slot.time_before for slot in found.slots],
            "timetable": [slot.time_after for slot in found.slots],
            "users alone": [slot.alone for slot in found.slots],
        }
        for name, curve in curves.items():
            heights = [_height(time) for time in curve]
            axes.step(times, [*heights, heights[-1]], where="post", label=name)
        axes.set_xlim(0, DAY)
        axes.set_xticks(range(0, DAY + 1, 3 * 60), [_hour(m) for m in range(0, DAY + 1, 3 * 60)])
        axes.set_ylim(bottom=0.0)
        axes.set_xlabel("time of day")
        axes.set_ylabel("users' response time [s]")
        axes.legend(loc="upper left", ncols=3)
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * 1.15)  # room for the legend
    return drawn.picture


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
