"""RAID 5 at three loads: why three papers say three things, and one model all of them.

In 1995 RAID 5 cost nothing, in 1997 10 to 20 % of response time, in 2000 mirrors were advised.
Here the editing users of 1995 and their four drives stay the same; processors and LAN segments
grow with the users, as in 1995 one for each twenty, so that only the drives get busier. With
``--plot FILE`` the table becomes a figure too, which needs matplotlib.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import qmodel as qm
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.printed_tables.table import load_table
from calibration.systems import load_system
from qmodel.devices.raid import LEVELS

SYSTEM = load_system("notes31")
EDIT = SYSTEM.members[0].tasks()["edit"]
EACH = 20  # users of one processor and one segment
WRITES = 0.5  # was not measured; half is the middle


@cache
def solved(level: str, groups: int) -> tuple[float, float]:
    """Completion time [s] and utilization of a drive with so many times twenty users."""
    base = SYSTEM.reference
    hardware = replace(
        base,
        processors=groups,
        disk=replace(base.disk, level=LEVELS[level]),
        lan=replace(base.lan, segments=groups),
    )
    server = server_network(hardware, [Load("edit", EDIT, EACH * groups)], WRITES)
    solution = qm.solve(server.network)
    (drive, *_) = dict(server.resources)["disk"]
    return solution.response_times[0], solution.station_utilizations[drive]


def first(condition: Callable[[int], bool], most: int = 60) -> int:
    """Fewest groups of twenty for which a condition holds."""
    return next(groups for groups in range(1, most) if condition(groups))


def penalty(level: str, groups: int) -> float:
    """How much longer than without redundancy, in percent."""
    return (solved(level, groups)[0] / solved("raid0", groups)[0] - 1) * 100


print("space left for data; operations of a small write, and steps one after the other")
for name in ("raid0", "raid1", "raid10", "raid5", "raid6"):
    level = LEVELS[name]
    space = [
        f"{n} drives {level.usable_share(n):.0%}" for n in (2, 3, 4, 14) if not level.why_not(n)
    ]
    cost = f"{level.write_operations:g} in {level.phases(write=True)}"
    print(f"  {name:6}  {cost}  {', '.join(space)}")

print()
print("users  drives busy  completion  raid10   raid5")
for groups in (1, 2, 5, 8, 10, 12, 14, 16, 18, 20):
    time, busy = solved("raid0", groups)
    costs = [f"{penalty(name, groups):+6.1f} %" for name in ("raid10", "raid5")]
    print(f"{EACH * groups:5d}  {busy:11.0%}  {time:8.0f} s  {'  '.join(costs)}")

ten, twenty = (first(lambda n, p=p: penalty("raid5", n) >= p) for p in (10, 20))
limit = 1.2 * solved("raid0", 1)[0]
most = {
    name: EACH * (first(lambda n, name=name: solved(name, n)[0] > limit) - 1)
    for name in ("raid0", "raid10", "raid5")
}
print()
limit_1995 = load_table("notes31/channel_limits").cell("disk", "limit").value
volume = EDIT.disk_volume_at(SYSTEM.reference.disk.block) * EACH / solved("raid0", 1)[0]
print(
    f"1995: {volume / limit_1995:.0%} of the disk channel, drives busy "
    f"{solved('raid0', 1)[1]:.0%}: RAID 5 costs {penalty('raid5', 1):.1f} %; measured 0 %"
)
print(
    f"1997: 10 to 20 % measured; here at {EACH * ten} to {EACH * twenty} users, drives busy "
    f"{solved('raid0', ten)[1]:.0%} to {solved('raid0', twenty)[1]:.0%}"
)
print(
    f"2000: within {limit:.0f} s, {most['raid0']} users without redundancy, {most['raid10']} on "
    f"mirrors, {most['raid5']} on RAID 5"
)

if sys.argv[1:2] == ["--plot"]:
    from matplotlib import pyplot as plt

    groups = range(1, 56, 5)
    for name in ("raid0", "raid10", "raid5"):
        busy = [solved("raid0", n)[1] * 100 for n in groups]
        plt.plot(busy, [solved(name, n)[0] for n in groups], label=name)
    for year, n in (("1995", 1), ("1997", ten)):
        plt.axvline(solved("raid0", n)[1] * 100, linestyle=":", color="grey")
        plt.annotate(f" {year}", (solved("raid0", n)[1] * 100, 2.4 * limit))
    plt.axhline(limit, linestyle=":", color="grey")
    plt.annotate("2000: users within this time", (4, 1.02 * limit))
    plt.xlabel("utilization of a drive without redundancy [%]")
    plt.ylabel("completion time [s]")
    plt.ylim(0, 2.5 * limit)
    plt.legend(loc="lower right")
    plt.savefig(sys.argv[2])
