"""Capacity: no server is busier than always, and no channel carries more than its nominal rate."""

from collections.abc import Iterator
from math import log, sqrt

from calibration.audits.contradiction import Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.law import Evidence, Law
from calibration.audits.laws.background_load import throughputs
from calibration.audits.observation import Number, Observation, Series
from calibration.printed_tables.card import base_unit
from calibration.printed_tables.table import MeasuredTable


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Utilizations above 1, rates above a channel's limit, throughputs above a station's."""
    limits = _limits(evidence.tables)
    unlimited = set()
    for run in evidence.runs:
        for series, number in run.rates:
            if series.quantity == "utilization" and number.value > 1.0:
                yield _broken(run, series, number, 1.0, "a station is never busier than always")
            limit = dict(run.capacity).get(series.station)
            most = limit.value if limit is not None else limits.get(series.station)
            if series.quantity == "volume" and most is None:
                unlimited.add(series.station)
            elif series.quantity == "volume" and most is not None and number.value > most:
                yield _broken(run, series, number, most, "the nominal rate of the channel")
    for group in evidence.groups:
        yield from _beyond_the_station(group)
    for station in sorted(unlimited):
        yield Silence(LAW.name, f"volume of {station}", f"no nominal rate of {station} is given")


def _broken(run: Observation, series: Series, number: Number, limit: float, why: str) -> Suspicion:
    return Suspicion(
        LAW.contradiction(
            [run.name], (number.value - limit) / number.deviation, [number.place],
            series=series.title, number=number.show(), limit=number.show(limit), why=why,
        )
    )  # fmt: skip


def _beyond_the_station(group: Group) -> Iterator[Suspicion]:
    """Rows whose throughput, at the demand of the others, needs more than all servers.

    Rows where the utilization was measured are left to the utilization law.
    """
    for s, series in enumerate(group.series):
        if series.quantity != "utilization" or group.labelled:
            continue
        known = []
        for run, throughput in throughputs(group, s):
            number = group.measured(run, s)
            servers = group.runs[run].servers_at(series.station)
            known.append((number.value * servers / throughput, number.relative))
        if len(known) < 2:
            continue
        weights = [1.0 / relative**2 for _, relative in known]
        demand = sum(w * d for w, (d, _) in zip(weights, known, strict=True)) / sum(weights)
        for each in group.runs:
            if each.rate(series) is not None or each.throughput is None:
                continue
            busy = each.throughput.value * demand / each.servers_at(series.station)
            if busy > 1.0:
                error = sqrt(each.throughput.relative**2 + 1.0 / sum(weights))
                found = LAW.contradiction(
                    [each.name], log(busy) / error, [each.throughput.place], "overrun",
                    throughput=each.throughput.show(), demand=demand, station=series.station,
                    busy=busy * 100.0,
                )  # fmt: skip
                yield Suspicion(found, consequence=True)


def _limits(tables: tuple[MeasuredTable, ...]) -> dict[str, float]:
    """The largest rate that a source quotes as a limit of each channel. [bytes/s]"""
    found: dict[str, float] = {}
    for table in tables:
        for row, measure in zip(table.rows, table.row_measures, strict=False):
            if measure.quantity != "volume_rate" or not measure.station:
                continue
            if not ("limit" in measure.meaning or "nominal" in measure.meaning):
                continue
            for column in table.columns[1:]:
                cell = table.cell(row, column.name)
                if cell.value is not None and base_unit(cell.unit)[0] == "bytes/s":
                    found[measure.station] = max(found.get(measure.station, 0.0), cell.value)
    return found


LAW = Law.of(
    __file__,
    suspects=suspects,
    applies=lambda evidence: any(
        series.quantity in {"utilization", "volume"}
        for run in evidence.runs
        for series, _ in run.rates
    ),
)
