"""One action of a mail user as a task, for configurations; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from calibration.agreements.ensemble import FittedTask, Member
from calibration.agreements.published import published
from calibration.agreements.system import Figure
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.hardware.server_demands import disk_demands
from calibration.hardware.task import Task
from calibration.printed_tables.table import load_table
from calibration.systems.domino5_raid.drives import calibrated, capacity
from calibration.systems.domino5_raid.users import criterion, think_time
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS

#: A drive of 10,000 rpm of 2000; seek and transfer are typical figures, not the paper's.
DRIVE = Disk(seek_time=0.0054, rotation_time=60.0 / 10000.0, transfer_rate=20e6)

#: Bytes of one operation: NTFS clusters of its time; the paper prints none. [bytes]
BLOCK = 4 * 1024.0

#: The array in the middle of those measured. [drives]
MIDDLE = 5

#: Study One with ten drives. The rate of the network is not printed; nothing is asked of it.
REFERENCE = Hardware(
    processors=4, speed=1.0, disk=DiskArray(LEVELS["raid1e"], drives=10, drive=DRIVE, block=BLOCK),
    lan=Lan(rate=100e6, segments=1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Script:
    """What the tables say of an action, read once."""

    #: Time until the next action, and the response at which users were counted. [s]
    think_time: float
    criterion: float
    #: Processor time of one action. [s]
    processor: float
    #: Of the law of the drives. [1]
    exponent: float
    #: The arrays measured.
    sources: tuple[str, ...]


def members() -> tuple[Member, ...]:
    """The ends of what was not measured."""
    found = calibrated()
    law = capacity()
    busy = published("domino5_raid/study_one_claims", "cpu", "value").value / 100.0
    thinking, response = think_time(), criterion()
    script = Script(
        thinking, response, busy * REFERENCE.processors * (thinking + response) / law.capacity(10),
        law.exponent, tuple(point.published.source for point in found.points),
    )  # fmt: skip
    users = [int(point.published.value) for point in found.points]
    members = []
    for limit, of, one_limit in (
        ("", "an array gets", False),
        (", one limit", "all arrays together get", True),
    ):
        for name, what, share in (
            ("all reads", "no operation of the drives writes", 0.0),
            ("all writes", "every operation of the drives writes, twice with RAID-1E", 1.0),
        ):
            fitted = FittedTask(
                partial(action, write_share=share, script=script, one_limit=one_limit),
                found.widened, ("users of one drive [users]",), script.sources,
                (min(users), max(users)),
            )  # fmt: skip
            members.append(
                Member(
                    f"{name}{limit}", f"{what}; {of} through the square root of the drives",
                    (fitted,), otherwise=(waiting(fitted, script),),
                )
            )  # fmt: skip
    return tuple(members)


def action(
    values: Sequence[float], write_share: float, script: Script, *, one_limit: bool = False
) -> Task:
    """One action of a user, whose array of k drives carries ``values[0] sqrt(k)`` users at 5 s.

    N users spend a think time Z and wait R = 5 s on each action, so the array does N / (Z + R)
    of them a second. An array that is worth ``m = sqrt(k)`` drives has them busy for a share rho,
    and an action with work D waits ``D / (1 - rho) = R`` in all. So ``D = (Z + R) / (v + (Z + R) /
    R)`` with ``v = N / m``, whatever the number of drives.
    """
    cycle = script.think_time + script.criterion
    physical = cycle / (values[0] + cycle / script.criterion) / DRIVE.random_time(BLOCK)
    level = REFERENCE.disk.level
    logical = physical / (1.0 - write_share + write_share * level.write_operations)
    return Task(
        name="mail",
        title="one action of a mail user: read, update, delete, scroll, open or send",
        interaction="one action of the mail script",
        cpu=script.processor, disk_volume=logical * BLOCK, lan_volume=0.0, client=0.0,
        write_share=write_share, operation_size=BLOCK, drive_exponent=script.exponent,
        one_limit=one_limit, think_time=script.think_time, sources=script.sources,
    )  # fmt: skip


def waiting(fitted: FittedTask, script: Script) -> Task:
    """The action whose user waits as long as its work holds up the array in the middle."""
    task = fitted.task
    (work,) = disk_demands(REFERENCE.disk, task, 0.0)[1:]
    return replace(task, client=sum(work) * (MIDDLE ** (1.0 - script.exponent) - 1.0))


def processors() -> dict[str, Figure]:
    """The processors of the two studies, the second by its clock."""
    hardware = load_table("domino5_raid/hardware")
    one, two = (hardware.value(f"{study}_clock") for study in ("one", "two"))
    return {
        "Pentium III Xeon/500": Figure(1.0, "1", hardware.cite("one_clock")),
        "Pentium III Xeon/550": Figure(
            two / one, "1", f"clock rates, not measured: {hardware.cite('two_clock')}"
        ),
    }
