"""Percentiles of response times that were recorded at higher loads, and what is said of them."""

from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from calibration.agreements.live_corpus import LiveRecording
from calibration.estimation.interval import Range
from calibration.estimation.tail_shape import corrected, scattered
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.measured_tails import Tail, tails

#: Those compared, and within what they are asked to be. [1]
WITHIN = {0.95: 0.10, 0.99: 0.15}


class LevelTail(NamedTuple):
    """A percentile of one level of the first variant."""

    users: int
    share: float
    #: Mean of the runs. [s]
    measured: float
    #: Predicted percentile over predicted mean. [1]
    ratio: float

    @property
    def name(self) -> str:
        """As a column is called: p95."""
        return f"p{100 * self.share:g}"

    def predicted(self, calibration: Calibration, mean: Range) -> Range:
        """By the mean that is predicted, with the scatter of the fitted percentiles. [s]"""
        found = Range(*(self.ratio * end for end in (mean.low, mean.mid, mean.high)))
        return scattered(found, calibration.shapes, self.share)


def live_tails(
    recording: LiveRecording, calibration: Calibration, above: float
) -> Iterator[LevelTail]:
    """Of every level with more users, as it was recorded."""
    table, like = recording.table, calibration.data.runs[0]
    columns = table.words("configuration"), table.values("population"), table.values("think_time")
    runs = tuple(
        replace(like, name=row, population=(round(users),), think_time=(think,))
        for row, label, users, think in zip(table.rows, *columns, strict=True)
        if label == recording.variants[0].name and users and users > above
    )
    by: dict[tuple[int, float], list[Tail]] = {}
    for tail in tails(replace(calibration, data=replace(calibration.data, runs=runs)), table):
        by.setdefault(((runs[tail.run].population or ())[0], tail.share), []).append(tail)
    for (users, share), some in by.items():
        if share in WITHIN:
            said = (
                corrected(calibration.shapes, t.mean, t.said, t.services, [share])[share] / t.mean
                for t in some
            )
            yield LevelTail(users, share, fmean(t.measured for t in some), fmean(said))
