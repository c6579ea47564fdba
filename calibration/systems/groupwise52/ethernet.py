"""One Ethernet segment under NetBench: a closed network of clients and a shared wire.

A client asks for data, handles them, and asks again; what it does between is its own and the
server's time, which no other client waits for. On the wire the clients contend by CSMA/CD with full
frames, whose efficiency the device model gives. One parameter, the time between for each
megabit, is fitted to the two runs at 100 Mb/s; the runs at 10 Mb/s were never seen.

The runs at 10 Mb/s could not calibrate it: there the wire is full with four clients, and
throughput says nothing about the time between.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calibration.agreements.comparison import Comparison, by_status, for_one_more
from calibration.agreements.ensemble import NINETY_PERCENT
from calibration.agreements.fitted_formula import FittedLaw, Law, Point, fit_law
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.estimation.interval import Range
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
        "Ethernet, shared wire",
        "clients contend by CSMA/CD with full frames; nothing else queues",
        lambda values, run: throughput(run, values[0]),
        (("time between for each Mb", "s", 0.03),),
    )
    return fit_law(law, [_point(row) for row in FITTED])


def throughput(run: Run, between: float) -> float:
    """Volume per second through a shared segment with full frames, as it is counted. [Mb/s]

    ``between`` is the time of a client between megabits. [s]

    Examples
    --------
    >>> round(throughput(Run(1, 100e6), 0.037), 1), round(throughput(Run(40, 10e6), 0.037), 2)
    (21.2, 9.21)
    """
    segment = Segment(run.rate, frame=FRAME)
    users = [ClosedClass("client", run.clients, between)]
    demand = segment.time(1e6 / 8.0 * FRAME / COUNTED)
    return solve(Network([segment.station("lan")], users, [[demand]])).throughputs[0]


def models() -> tuple[Model, ...]:
    """The calibrated segment."""
    return (calibrated().model(),)


def compare() -> Iterator[Comparison]:
    """Throughput at both rates, and the clients at which it levels off."""
    fitted = calibrated()
    for status, row in by_status(FITTED, HELD_OUT):
        point = _point(row)
        yield Comparison(
            published=point.published,
            subject="Ethernet",
            metric="throughput",
            case=f"{point.at.rate / 1e6:g} Mb/s",
            status=status,
            model=fitted.law.name,
            predicted=fitted.predict(point),
            fitted_on=fitted.cells,
            by_model=((fitted.law.name, fitted.value(point.at)),),
            baselines=(
                ("70 % of the rate", 0.7 * point.at.rate / 1e6),
                ("in proportion to the rate", _proportional(point.at)),
            ),
            extrapolated="" if status == "fitted" else "a tenth of the rate fitted",
        )
    yield _levelling(fitted)


def levels_off(rate: float, between: float, most: int = 10) -> int:
    """Fewest clients whose throughput cannot be told from that of ``most``, the measured ones.

    Throughputs within the 90 % interval of one measurement cannot be told apart.

    Examples
    --------
    >>> levels_off(100e6, 0.037), levels_off(10e6, 0.037)
    (8, 2)
    """
    full = throughput(Run(most, rate), between)
    return next(
        clients
        for clients in range(1, most + 1)
        if throughput(Run(clients, rate), between) >= full * (1.0 - NINETY_PERCENT * NOISE)
    )


def _levelling(fitted: FittedLaw[Run]) -> Comparison:
    (between,) = fitted.fit.values
    spread = fitted.mean(lambda values: values[0])
    clients = [levels_off(100e6, each) for each in (spread.low, between, spread.high)]
    found = published("groupwise52/claims", "network_saturation_clients", "value")
    return Comparison(
        published=found,
        subject="Ethernet",
        metric="clients at which throughput levels off",
        case="100 Mb/s",
        status="held out",
        model=fitted.law.name,
        predicted=for_one_more(
            Range(clients[0], clients[1], clients[2]), found.half_unit / NINETY_PERCENT
        ),
        fitted_on=fitted.cells,
        baselines=(
            ("clients that alone would fill the wire", 100.0 / throughput(Run(1, 100e6), between)),
        ),
        note="said of both rates; at 10 Mb/s the wire is full with 2 clients by the model, with 4 "
        "at most by Table 3 (E-G97-06)",
    )


def _proportional(run: Run) -> float:
    """The throughput at 100 Mb/s with as many clients, scaled by the rate."""
    same = next(row for row in FITTED if _point(row).at.clients == run.clients)
    return _point(same).published.value * run.rate / 100e6


def _point(row: str) -> Point[Run]:
    table = load_table("groupwise52/table_3")
    clients = table.value(row, "clients")
    rate = table.value(row, "bandwidth") * 8.0
    return Point(published(table, row, "throughput"), Run(int(clients), rate), NOISE)
