"""How long timetables of 96 slots and 30 tasks take, and how good they are.

Servers, windows, orders and exclusions are drawn at random, the same ones every time. Printed for
each: seconds, the worst slot today and in the timetable, the bound, the gap between the two, and
what stopped the search.
"""

import json
import random
import sys
import time

import advisor
from advisor.configuration.parts import configure
from qmodel.documents.document import parse_document

#: Share of the users at work, hour by hour.
SHARES = (
    2,
    2,
    2,
    2,
    3,
    5,
    20,
    60,
    100,
    100,
    100,
    95,
    70,
    90,
    100,
    100,
    97,
    80,
    45,
    40,
    35,
    30,
    20,
    8,
)
#: Users, the least share of them at any hour, and the share of tasks that may run at any time.
CASES = {
    "nights are quiet": (200, 0.0, 0.2),
    "nights are busy": (120, 0.5, 0.5),
    "never quiet, no windows": (150, 0.75, 1.0),
}


def drawn(users, least, free, tasks=30, seed=1):
    """A configuration with as many tasks."""
    chance = random.Random(seed)  # noqa: S311
    batch = [job(chance, i, free) for i in range(tasks)]
    for _ in range(8):
        i, j = sorted(chance.sample(range(tasks), 2))
        batch[j].setdefault("after", []).append(f"job {i}")
    for _ in range(6):
        i, j = chance.sample(range(tasks), 2)
        batch[j].setdefault("not_with", []).append(f"job {i}")
    user = {"name": "edit", "cpu": "70 ms", "disk_kb": 16, "lan_kb": 16, "write_share": 0.3}
    data = {
        "server": {"cpus": 2, "cpu_speed": 1.0},
        "disk": {"raid": "raid10", "drives": 4, "stripe": "16 KB"},
        "lan": {"rate": "100 Mb/s"},
        "workload": {
            "users": users,
            "think_time": "10 s",
            "profile": {f"{h:02d}:00": max(least, s / 100) for h, s in enumerate(SHARES)},
            "class": [user],
        },
        "batch": batch,
    }
    document = parse_document(json.dumps(data), "json", "drawn.json")
    return configure(document.data, document)


def job(chance, i, free):
    """One task with its demands and its window."""
    opens, hours = chance.randrange(17, 25), chance.randrange(8, 13)
    window = [f"{h % 24:02d}:00" for h in (opens, opens + hours)]
    return {
        "name": f"job {i}",
        "cpu": f"{chance.uniform(5, 60):.1f} s",
        "disk_kb": chance.choice([0, 1000, 200_000, 1_000_000]),
        "lan_kb": chance.choice([0, 500, 50_000]),
        "write_share": chance.choice([0, 0.3, 0.6]),
        "duration": f"{chance.choice([30, 45, 60, 90, 120, 180])} min",
        "window": ["00:00", "00:00"] if chance.random() < free else window,
    }


def main(limit):
    """Print one line a case."""
    print(f"{'case':<26}  wall [s]  CPU [s]  today [s]  then [s]  bound [s]  gap")
    for name, case in CASES.items():
        wall, spent = time.monotonic(), time.process_time()
        found = advisor.schedule(drawn(*case), time_limit=limit)
        wall, spent = time.monotonic() - wall, time.process_time() - spent
        before, after = found.worst_before.time_before.mid, found.worst_after.time_after.mid
        print(
            f"{name:<26}  {wall:8.1f}  {spent:7.1f}  {before:9.4f}  {after:8.4f}  "
            f"{found.bound:9.4f}  {found.gap:6.1%}  {found.stopped}"
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 40.0)
