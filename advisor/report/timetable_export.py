"""A timetable for calendars and for cron."""

import re
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from advisor.configuration.hours import clock, duration
from advisor.scheduling.timetable import Placement, Timetable
from qmodel.errors import InvalidInput

#: The first day of a calendar: always the same, so that the same timetable is the same file.
FIRST_DAY = date(2000, 1, 1)


def calendar(found: Timetable, first_day: date = FIRST_DAY) -> str:
    """The tasks as events that come back every day, in local time (iCalendar, RFC 5545).

    InvalidInput if the package icalendar is not installed.
    """
    try:
        from icalendar import Calendar, Event
    except ImportError:
        raise InvalidInput(
            "a calendar needs icalendar; install it with: pip install 'qmodel-capacity[calendar]'"
        ) from None
    title = found.configuration.settings.title or "batch tasks"
    whole = Calendar()
    whole.add("prodid", "-//qmodel//timetable//EN")
    whole.add("version", "2.0")
    whole.add("x-wr-calname", _plain(title))
    for each in found.placements:
        starts = datetime.combine(first_day, time(*divmod(each.start, 60)))
        event = Event()
        event.add("uid", f"{sha256(f'{title}/{each.name}'.encode()).hexdigest()[:32]}@qmodel")
        event.add("dtstamp", datetime.combine(first_day, time(), UTC))
        event.add("dtstart", starts)
        event.add("duration", timedelta(minutes=each.minutes))
        event.add("rrule", {"freq": "daily"})
        event.add("summary", _plain(each.name))
        event.add("transp", "TRANSPARENT")
        whole.add_component(event)
    return str(whole.to_ical().decode())


def lines_for_cron(found: Timetable) -> str:
    """The tasks as lines of a crontab; a task without a command is a comment to fill in.

    A per cent sign means a new line to cron, so those of commands are escaped.
    """
    title = found.configuration.settings.title or "batch tasks"
    lines = [
        f"# {_plain(title)}: timetable of qmodel schedule, times of this machine",
        "# minute hour day-of-month month day-of-week command",
    ]
    order = sorted(
        found.placements, key=lambda each: ((each.start - found.begins) % (24 * 60), each.name)
    )
    for each in order:
        lines.append(f"# {_plain(each.name)}: {clock(each.start)}, {duration(each.minutes)}")
        lines.append(_line(each))
    return "\n".join([*lines, ""])


def _line(each: Placement) -> str:
    hour, minute = divmod(each.start, 60)
    when = f"{minute} {hour} * * *"
    if not each.command.strip():
        return f"# {when} (no command given)"
    return f"{when} {_plain(each.command).replace('%', chr(92) + '%')}"


def _plain(text: str) -> str:
    """Text on one line: a name must not add lines to a file."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text).strip()
