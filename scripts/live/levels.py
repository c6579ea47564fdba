"""Runs and recording joined: a table of load levels as ``qmodel calibrate`` reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from calibration.recordings.readers.sysstat_json import recording_of
from scripts.live.clients import ClientRun
from scripts.live.plan import MEAN_THINKING
from scripts.live.programs import CannotRecordError

HEADER = "configuration,start,end,users,think_time [ms],throughput [1/s],response_time [ms]"


@dataclass(frozen=True, slots=True)
class Level:
    """One load level: what the clients saw, between two samples of the monitor.

    Parameters
    ----------
    name : str
        Of the level.
    start, end : datetime
        In UTC; a sample of the monitor begins at the one and another ends at the other.
    users, interactions : int
        Clients, and what they finished in that time.
    response_time : float
        Mean of the run. [s]
    """

    name: str
    start: datetime
    end: datetime
    users: int
    interactions: int
    response_time: float

    @property
    def throughput(self) -> float:
        """[1/s]"""
        return self.interactions / (self.end - self.start).total_seconds()

    @property
    def line(self) -> str:
        """As a row of the table."""
        return (
            f"{self.name},{self.start:%Y-%m-%d %H:%M:%S},{self.end:%Y-%m-%d %H:%M:%S},"
            f"{self.users},{MEAN_THINKING / 1e3:.0f},{self.throughput:.2f},"
            f"{self.response_time * 1e3:.3f}"
        )


def levels(runs: Sequence[ClientRun], recorded: dict[str, Any], warm_up: int) -> tuple[Level, ...]:
    """The part of each run that whole samples of the monitor cover, without its warm-up.

    Fewest clients come first.
    """
    samples = [
        tuple(datetime.fromtimestamp(at, UTC).replace(tzinfo=None) for at in (end - length, end))
        for series in recording_of(recorded).series[:1]
        for end, length in zip(series.end, series.interval, strict=True)
    ]
    found = []
    for run in sorted(runs, key=lambda each: (each.run.clients, each.run.number)):
        begins, ends = (
            datetime.fromtimestamp(moment, UTC).replace(tzinfo=None)
            for moment in (run.finished[0] + warm_up, run.finished[-1])
        )
        inside = [(a, b) for a, b in samples if begins <= a and b <= ends - timedelta(seconds=2)]
        if not inside:
            raise CannotRecordError(f"no sample lies inside of {run.run.name}")
        start, end = inside[0][0], inside[-1][1]
        first, last = (
            bisect_left(run.finished, moment.replace(tzinfo=UTC).timestamp())
            for moment in (start, end)
        )
        found.append(
            Level(run.run.name, start, end, run.run.clients, last - first,
                  run.response_time)
        )  # fmt: skip
    return tuple(found)


def table_text(found: Sequence[Level]) -> str:
    """The levels as a CSV file."""
    return "\n".join([HEADER, *(each.line for each in found)]) + "\n"
