"""A timetable for cron."""

import re

from advisor.configuration.hours import clock, duration
from advisor.scheduling.timetable import Timetable


def lines_for_cron(found: Timetable) -> str:
    """The tasks as lines of a crontab; a task without a command is a comment to fill in.

    A percent sign means a new line to cron, so those of commands are escaped.
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
        hour, minute = divmod(each.start, 60)
        command = _plain(each.command).replace("%", chr(92) + "%")
        when = f"{minute} {hour} * * *"
        lines.append(f"{when} {command}" if command else f"# {when} (no command given)")
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    """Text on one line: a name must not add lines to a file."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text).strip()
