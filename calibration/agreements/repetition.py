"""How well a recording predicts itself: each run by the mean of the other runs of its level."""

from collections.abc import Sequence
from statistics import fmean

from calibration.agreements.live_corpus import LiveRecording

#: Within what a run is asked to be, as predictions are: as a share, or in points. [1]
LIMITS = {"throughput": 0.05, "utilization": 0.05, "p95": 0.10, "p99": 0.15}


def repeated(found: Sequence[LiveRecording]) -> dict[str, float]:
    """Shares of runs within `LIMITS` of the others, of levels beyond those fitted and of changes.

    No prediction of a single run can be expected to do better; one of the mean of three may. Names
    of which no level has two runs are left out.
    """
    near = {
        name: [each for recording in found for each in _near(recording, name, limit)]
        for name, limit in LIMITS.items()
    }
    return {name: fmean(some) for name, some in near.items() if some}


def _near(recording: LiveRecording, name: str, limit: float) -> list[bool]:
    """Of each run that has others of its level."""
    table, levels = recording.table, dict[tuple[str | None, float], list[float]]()
    fitted = set(recording.fitted.rows)
    for row, label, users, value in zip(
        table.rows,
        table.words("configuration"),
        table.values("population"),
        table.values(name, "cpu" if name == "utilization" else ""),
        strict=True,
    ):
        if row not in fitted and value:
            levels.setdefault((label, users or 0.0), []).append(value)
    return [
        abs(value - fmean([*some[:i], *some[i + 1 :]]))
        <= limit * (1.0 if name == "utilization" else value)
        for some in levels.values()
        if len(some) > 1
        for i, value in enumerate(some)
    ]
