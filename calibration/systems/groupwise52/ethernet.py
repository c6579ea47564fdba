"""One Ethernet segment under NetBench: a closed network of clients and a wire; see THEORY.md."""

from dataclasses import dataclass

from calibration.agreements.fitted_formula import FittedLaw, Law, Point, fit_law
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.printed_tables.run import REPLICATE_DIFFERENCE
from calibration.printed_tables.table import load_table
from qmodel import ClosedClass, Network, solve
from qmodel.devices.frames import FRAME_OVERHEAD, PAYLOAD
from qmodel.devices.lan import Segment

FITTED, HELD_OUT = ("100_4", "100_10"), ("10_4", "10_10")

#: A full frame on the wire, and what of it a controller counts: not its preamble of 8 bytes and
#: not the gap of 12 behind it. [bytes]
FRAME = PAYLOAD + FRAME_OVERHEAD
COUNTED = FRAME - 20.0

#: Relative standard deviation of a LAN rate. [1]
NOISE = REPLICATE_DIFFERENCE["volume_rate"]


@dataclass(frozen=True, slots=True)
class Run:
    """Clients on a segment of a nominal rate. [bit/s]"""

    clients: int
    rate: float


def calibrated() -> FittedLaw[Run]:
    """The time between for each megabit, from the runs at 100 Mb/s."""
    law: Law[Run] = Law(
        "Ethernet, shared wire", "clients contend by CSMA/CD with full frames; nothing else queues",
        lambda values, run: throughput(run, values[0]), (("time between for each Mb", "s", 0.03),),
    )  # fmt: skip
    return fit_law(law, [_point(row) for row in FITTED])


def throughput(run: Run, between: float) -> float:
    """Volume per second through a shared segment with full frames, as it is counted. [Mb/s]

    ``between`` is the time of a client between megabits. [s]
    """
    segment = Segment(run.rate, frame=FRAME)
    users = [ClosedClass("client", run.clients, between)]
    demand = segment.time(1e6 / 8.0 * FRAME / COUNTED)
    return solve(Network([segment.station("lan")], users, [[demand]])).throughputs[0]


def models() -> tuple[Model, ...]:
    """The calibrated segment."""
    return (calibrated().model(),)


def _point(row: str) -> Point[Run]:
    table = load_table("groupwise52/table_3")
    clients = table.value(row, "clients")
    rate = table.value(row, "bandwidth") * 8.0
    return Point(published(table, row, "throughput"), Run(int(clients), rate), NOISE)
