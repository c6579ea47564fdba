"""What the models of groupwise52 say of published numbers: ethernet."""

from collections.abc import Iterator

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.ensemble import NINETY_PERCENT
from calibration.agreements.fitted_formula import FittedLaw
from calibration.agreements.published import published
from calibration.estimation.interval import Range
from calibration.systems.groupwise52.ethernet import (
    FITTED,
    HELD_OUT,
    NOISE,
    Run,
    _point,
    calibrated,
    throughput,
)
from scripts.paper_agreement.shared import by_status


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
