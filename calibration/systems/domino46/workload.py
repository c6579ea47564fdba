"""What a user asks of the server at most, as a task that a configuration can use; see THEORY.md."""

from calibration.agreements.ensemble import Member
from calibration.agreements.published import published
from calibration.agreements.system import Figure
from calibration.hardware.server import DiskArray, Hardware, Lan
from calibration.hardware.task import Task
from calibration.printed_tables.table import load_table
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS

#: A drive of 1997. Typical figures, not the article's, which names no drive.
DRIVE = Disk(seek_time=0.0085, rotation_time=60.0 / 7200.0, transfer_rate=8e6)


def reference() -> Hardware:
    """The server of the encryption test."""
    settings = load_table("domino46/encryption_settings")
    drives = int(settings.value("drives"))
    return Hardware(
        processors=int(settings.value("processors")), speed=1.0,
        disk=DiskArray(LEVELS["raid0"], drives, DRIVE, block=8 * 1024.0),
        lan=Lan(rate=100e6, segments=1, usable_share=0.70),
    )  # fmt: skip


def user() -> Task:
    """One second of a user of mail and a discussion database, at most."""
    claims = load_table("domino46/encryption_claims")
    settings = load_table("domino46/encryption_settings")
    busy = published(claims, "valid_cpu", "value").high / 100.0
    users = settings.value("users_high")
    return Task(
        name="mail_discussion", title="mail and a discussion database, at most",
        interaction="what a user asks in one second", cpu=busy * reference().processors / users,
        disk_volume=0.0, lan_volume=0.0, client=0.0, write_share=0.0, think_time=1.0,
        sources=(claims.cite("valid_cpu"), settings.cite("users_high")),
    )  # fmt: skip


def members() -> tuple[Member, ...]:
    """The only calibration: demands at their upper bound."""
    # One second of an update task that rebuilds views: all of one processor, no more.
    update_task = Task(
        name="rebuild_view", title="rebuilding views by one update task",
        interaction="one second of the task running alone", cpu=1.0,
        disk_volume=0.0, lan_volume=0.0, client=0.0, write_share=0.0,
        sources=(load_table("domino46/buffer_pool_claims").cite("rebuild_factor"),),
    )  # fmt: skip
    return (
        Member(
            "upper bound",
            "users take what 60 % of three processors leave for 1,000 of them, at most", (),
            (user(), update_task),
        ),
    )  # fmt: skip


def processors() -> dict[str, Figure]:
    """The one processor of the tests."""
    settings = load_table("domino46/encryption_settings")
    return {"Pentium Pro/200": Figure(1.0, "1", settings.cite("processor_clock"))}
