"""A timetable in the terminal, and as plain data."""

from dataclasses import asdict
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from advisor.configuration.hours import DAY, clock, duration
from advisor.findings.words import percent, seconds, signed
from advisor.report.plain import fields
from advisor.report.screen import short, show_list, table, whole
from advisor.scheduling.day import PARTS
from advisor.scheduling.timetable import Slot, Timetable
from calibration.estimation.interval import Range

BAR = 9  # characters, so that names of tasks have room beside it at 80 columns
#: Lines of the list of tasks.
ROOM = 26
#: A slot in which users wait less longer than this is not called slower. [1]
LEAST_SHOWN = 0.0005


def timetable_data(found: Timetable) -> dict[str, Any]:
    """A timetable as plain data; times of day as "HH:MM", the rest in base units."""
    before, after = found.worst_before, found.worst_after
    return {
        "title": found.configuration.settings.title,
        "slot_minutes": found.minutes,
        "day_of_tasks_begins": clock(found.begins),
        "response_time": "mean over requests [s], 90 % interval",
        "tasks": [
            {
                "today": clock(each.now), "start": clock(each.start), "end": clock(each.end),
                **fields(each, "name", "minutes", "next_day", "fixed", "moved", "speed"),
                "demands_known": each.known,
            }
            for each in found.placements
        ],
        "worst": {
            "before": _worst(before, before.time_before if before else None),
            "after": _worst(after, after.time_after if after else None),
        },
        "promised": [asdict(each) for each in found.promised],
        **fields(found, "bound", "gap", "stopped"),
        "slots": [
            {
                "start": clock(slot.start), "tasks_before": list(slot.before),
                "tasks_after": list(slot.after), "alone": _range(slot.alone),
                "before": _range(slot.time_before), "after": _range(slot.time_after),
                **fields(slot, "users", "slower_before", "slower_after"),
            }
            for slot in found.slots
        ],
        "notes": list(found.notes),
    }  # fmt: skip


def show_timetable(
    console: Console, found: Timetable, *, hours: bool = False, every: bool = False
) -> None:
    """Print the worst hour before and after, what moves, and the day by the hour if asked."""
    console.print(whole(console, _verdict(found), "bold"))
    for each in found.promised:
        kept = each.after.mid <= each.limit
        console.print(
            f"{each.what} at worst: {short(each.before)} -> {short(each.after)}, target "
            f"{seconds(each.limit)} {'✓' if kept else '✗'}",
            style="green" if kept else "red",
            highlight=False,
        )
    console.print()
    room = None if every else ROOM
    show_list(console, lambda n: _tasks(found, n), len(found.placements), room=room)
    console.print()
    if hours or every:
        console.print(_day(found))
        console.print()
    console.print(_quality(found))
    if every:
        notes = (Text(note, style="dim") for note in found.notes)
        console.print(Group(Line("what this rests on", align="left", style="dim"), *notes))
    else:
        console.print(Text("day by the hour: --hours   what it rests on: --all", style="dim"))


def _tasks(found: Timetable, count: int) -> RenderableType:
    numbers = ("today", "start", "end", "takes", "speed")
    shown = table("task", *numbers, "", right=numbers)
    order = sorted(found.placements, key=lambda p: (not p.moved, (p.start - found.begins) % DAY))
    for each in order[:count]:
        speed = "" if each.speed is None else percent(each.speed)
        hours = map(clock, (each.now, each.start, each.end))
        mark = "fixed" if each.fixed else "" if each.moved else "stays"
        row = (each.name, *hours, duration(each.minutes), speed, mark)
        shown.add_row(*row, style="" if each.moved else "dim")
    return shown


def _day(found: Timetable) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    rated = found.configuration.settings.workload.arrival_rate is not None
    for heading in ("hour", "arrivals" if rated else "users", "alone"):
        table.add_column(heading, justify="right")
    for heading in ("today", "slower", "then", "slower"):
        table.add_column(heading, justify="right")
    table.add_column("", no_wrap=True, min_width=BAR)
    table.add_column("tasks", overflow="fold")
    worst = max(
        (time.mid for s in found.slots for time in (s.time_before, s.time_after) if time),
        default=0.0,
    )
    step = max(1, 60 // found.minutes)  # slots of an hour; longer ones are on their own
    for start in range(0, len(found.slots), step):
        hour = found.slots[start : start + step]
        users = max(slot.users for slot in hour)
        before = max(hour, key=lambda slot: _mid(slot.time_before))
        after = max(hour, key=lambda slot: _mid(slot.time_after))
        length = BAR * _mid(after.time_after) / worst if 0 < worst < float("inf") else 0.0
        slower = tuple(
            max(getattr(s, name) for s in hour) for name in ("slower_before", "slower_after")
        )
        table.add_row(
            clock(hour[0].start), f"{100 * users / PARTS:.0f} %" if rated else str(users),
            _shown(max((s.alone for s in hour if s.alone), key=_mid, default=None)),
            _shown(before.time_before), _slower(slower[0]), _shown(after.time_after),
            _slower(slower[1]), Text("█" * round(length)),
            ", ".join(dict.fromkeys(name for slot in hour for name in slot.after)),
        )  # fmt: skip
    return table


def _verdict(found: Timetable) -> str:
    """The worst hour before and after, in a sentence."""
    title = (found.configuration.settings.title or "timetable").partition(":")[0]
    if found.longest_waits is None:
        return f"{title}: no user is ever at work; any timetable will do"
    before, after = found.longest_waits
    change = after.time.mid / before.time.mid - 1.0
    saved = f", {signed(change)}" if change > -1.0 else ""
    best = "Best possible" if found.gap <= 1e-3 else "Moving one or two tasks gains nothing more"
    best = f" {best}." if found.movable else ""
    return (
        f"{title}: worst hour, mean over requests: {short(before.time)} ({clock(before.start)}) -> "
        f"{short(after.time)} ({clock(after.start)}){saved}.{best}"
    )


def _quality(found: Timetable) -> RenderableType:
    """How good the timetable is, and what stands in the way of a better one."""
    lines, bound = [], seconds(found.bound)
    waits = found.longest_waits
    if waits is not None and waits[1].time.mid / waits[0].time.mid - 1.0 > LEAST_SHOWN:
        said = "worse than today: today's hours are ruled out by these slots, windows or orders"
        lines.append((said, "yellow"))
    if not found.movable:
        lines.append(("no task can move: each is fixed or fills its window (--any-time)", "yellow"))
    elif found.gap <= 1e-3:
        said = f"no timetable has a better worst slot than {bound} within these windows and orders"
        lines.append((said, "green"))
    else:
        said = "moving one or two tasks gains nothing more; without the movable tasks the "
        lines.append((f"{said}worst slot would be {bound}", "green"))
    if found.stopped:
        lines.append((f"the search was stopped ({found.stopped}); the best is kept", "yellow"))
    return Group(*(Text(*line) for line in lines))


def _worst(slot: Slot | None, time: Range | None) -> dict[str, Any] | None:
    if slot is None:
        return None
    return {"slot": clock(slot.start), "users": slot.users, "response_time": _range(time)}


def _mid(time: Range | None) -> float:
    return time.mid if time else 0.0


def _shown(time: Range | None) -> str:
    if time is None:
        return ""
    return seconds(time.mid) if time.mid < float("inf") else "no end"


def _slower(value: float) -> str:
    if abs(value) < LEAST_SHOWN:
        return ""
    return signed(value) if value < float("inf") else "no end"


def _range(time: Range | None) -> dict[str, float] | None:
    """A range as plain data; infinite, in JSON null, without a steady state."""
    return None if time is None else asdict(time)
