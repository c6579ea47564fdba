"""The library's answer to the dial `timetable`: every hour's network, and the best day."""

from __future__ import annotations

from functools import cache
from typing import Any

import advisor
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import configure
from advisor.scheduling.day import Day, day_of
from advisor.scheduling.response import Responses
from qmodel.documents.document import parse_document

PROFILE = {
    "00:00": "10 %", "06:00": "20 %", "07:00": "50 %", "08:00": "90 %", "09:00": "100 %",
    "12:00": "70 %", "13:00": "100 %", "17:00": "80 %", "18:00": "50 %", "20:00": "30 %",
    "22:00": "15 %",
}  # fmt: skip
#: Hours, start today, processor [ms], disk and LAN [KB], share of writes [%].
TASKS = {
    "backup": (5, 18, 5, 80, 80, 0),
    "scan": (4, 12, 20, 60, 0, 0),
    "index": (3, 7, 50, 40, 0, 50),
    "reports": (2, 8, 80, 20, 0, 10),
}


@cache
def configuration(users: int) -> Configuration:
    batch = "".join(
        f"""
        [[batch]]
        name = "{name}"
        cpu = "{cpu} ms"
        disk_kb = {disk}
        lan_kb = {lan}
        write_share = "{writes} %"
        duration = "{hours} h"
        start = "{start:02}:00"
        """
        for name, (hours, start, cpu, disk, lan, writes) in TASKS.items()
    )
    document = parse_document(
        f"""
        schema = 1
        [server]
        cpu_speed = 1.0
        [disk]
        drive = "SAS 15000 rpm"
        raid = "raid1"
        drives = 2
        stripe = "64 KB"
        block = "8 KB"
        [lan]
        network = "1 Gb Ethernet"
        [workload]
        users = {users}
        think_time = "5 s"
        [workload.profile]
        {"".join(f'"{time}" = "{share}"' + chr(10) for time, share in PROFILE.items())}
        [[workload.class]]
        name = "users"
        cpu = "36 ms"
        disk_kb = 40
        lan_kb = 60
        write_share = "30 %"
        {batch}
        """
    )
    return configure(document.data, document)


@cache
def solved(users: int) -> tuple[Day, Responses]:
    day = day_of(configuration(users).settings.workload, 60)
    return day, Responses.of(configuration(users), day)


@cache
def best(users: int) -> float:
    """The worst hour of the advisor's own timetable."""
    waits = advisor.schedule(configuration(users), slot=60, any_time=True).longest_waits
    return waits[1].time.mid


def times(users: int, starts: dict[str, int]) -> list[float]:
    day, responses = solved(users)
    return [
        responses.time(
            n, [name for name, start in starts.items() if (hour - start) % 24 < TASKS[name][0]]
        )
        for hour, n in enumerate(day.users)
    ]


def values(state: dict[str, Any]) -> dict[str, float]:
    users = int(state["users"])
    mine = times(users, {name: int(state[name]) for name in TASKS})
    return {
        "worst": max(mine),
        "today": max(times(users, {name: task[1] for name, task in TASKS.items()})),
        "best": best(users),
        "alone": max(times(users, {})),
        **{f"at {hour}": time for hour, time in enumerate(mine)},
    }
