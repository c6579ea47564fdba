"""Novell GroupWise 5.2 on Compaq servers under IntranetWare, September 1997; see THEORY.md."""

from collections.abc import Sequence
from functools import partial

from calibration.agreements.ensemble import NINETY_PERCENT, FittedTask, Member
from calibration.agreements.recorded import recorded
from calibration.agreements.system import Figure, System, limits
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.hardware.task import Task
from calibration.printed_tables.table import load_table
from calibration.systems.groupwise52 import disk, ethernet, memory, sizing
from calibration.systems.groupwise52.ethernet import COUNTED, FRAME
from qmodel.devices.lan import saturated_efficiency
from qmodel.devices.raid import LEVELS

_PARTS = (memory, ethernet, disk, sizing)


def system() -> System:
    """Fit the system."""
    hardware = load_table("groupwise52/hardware")
    return System(
        name="groupwise52",
        title="Novell GroupWise 5.2 on Compaq ProLiant servers, 1997",
        source=load_table("groupwise52/table_3").source.cite(),
        models=tuple(model for part in _PARTS for model in part.models()),
        compare=partial(recorded, "groupwise52"),
        **limits("groupwise52"),
        reference=Hardware(
            processors=1,
            speed=1.0,
            disk=DiskArray(
                LEVELS["raid0"], drives=int(hardware.value("drives")), drive=disk.DRIVE,
                block=64 * 1024.0,
            ),
            lan=Lan(rate=100e6, segments=1, usable_share=saturated_efficiency(FRAME)),
        ),
        members=_netbench(),
        processors={"Pentium Pro/200": Figure(1.0, "1", "the only processor of the tests")},
    )  # fmt: skip


def _netbench() -> tuple[Member, ...]:
    """NetBench as a task: reading a megabyte, which asks nothing but the wire of the server.

    The calibrated wire misses its own runs by more than their noise. Beside it stand a slower and
    a faster wire, as far off as the 90 % interval of that miss.
    """
    found = ethernet.calibrated()
    sources = tuple(point.published.source for point in found.points)

    def task(values: Sequence[float], wire: float = 1.0) -> Task:
        return Task(
            name="netbench", title="reading a shared file over the network",
            interaction="reading 1 MB by one NetBench client", cpu=0.0, disk_volume=0.0,
            lan_volume=1e6 * FRAME / COUNTED * wire, client=8.0 * values[0], write_share=0.0,
            sources=sources,
        )  # fmt: skip

    clients = sorted(point.at.clients for point in found.points)
    names = ("time between for each Mb [s]",)
    miss = 1.0 + NINETY_PERCENT * ethernet.NOISE * found.scatter
    idle = (
        "requests queue at the wire alone; processor and drives were not measured and take no time"
    )
    return (
        Member(
            "shared wire", idle,
            (FittedTask(task, found.widened, names, sources, (clients[0], clients[-1])),),
        ),
        Member(
            "slower wire", f"{idle}; {100 * (miss - 1.0):.1f} % slower", (),
            (task(found.fit.values, miss),),
        ),
        Member(
            "faster wire", f"{idle}; {100 * (miss - 1.0):.1f} % faster", (),
            (task(found.fit.values, 1.0 / miss),),
        ),
    )  # fmt: skip
