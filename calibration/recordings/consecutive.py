"""Files of one tool that follow one another, as rotated logs and one file a run: one recording."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.recordings.series import Recording, Series


def consecutive(recordings: Sequence[Recording]) -> list[Recording]:
    """Recordings, those of one kind that share no more than a sample's time as one of them."""
    found: dict[int, Recording] = {}
    for i in sorted(range(len(recordings)), key=lambda i: covered(recordings[i].series)):
        before = next((k for k, one in found.items() if _follows(one, recordings[i])), None)
        if before is None:
            found[i] = recordings[i]
        else:
            found[min(i, before)] = _together(found.pop(before), recordings[i])
    return [found[i] for i in sorted(found)]


def covered(series: Sequence[Series]) -> tuple[float, float]:
    """When the first sample begins, and the last one ends."""
    first = min(float((each.end - each.interval).min()) for each in series)
    return first, max(float(each.end[-1]) for each in series)


def _follows(one: Recording, other: Recording) -> bool:
    alike = (one.kind, one.clock) == (other.kind, other.clock) and one.clock in {"UTC", "local"}
    shared = max(float(np.median(each.interval)) for each in one.series)
    return alike and covered(other.series)[0] >= covered(one.series)[1] - shared - 1e-6


def _together(one: Recording, other: Recording) -> Recording:
    series = {(each.quantity, each.of, each.host): each for each in one.series}
    for key, each in {(s.quantity, s.of, s.host): s for s in other.series}.items():
        series[key] = appended(series[key], each) if key in series else each
    return replace(
        one, path=f"{one.path} + {other.path}", series=tuple(series.values()),
        mapping=tuple(dict.fromkeys((*one.mapping, *other.mapping))),
        notes=tuple(dict.fromkeys((*one.notes, *other.notes))),
        services=(*one.services, *other.services),
    )  # fmt: skip


def appended(one: Series, other: Series) -> Series:
    """The samples of both; the requests of a sample's time that they share add up."""
    value, later = one.value.copy(), other.end > one.end[-1] + 1e-6
    if one.quantity == "throughput" and not later.all():
        value[-1] += float(other.value[~later].sum())
    names = ["end", "interval", "value", *(["weight"] if one.weight is not None else [])]
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(one, name), getattr(other, name)[later]]) for name in names
    }
    columns["value"][: len(value)] = value
    return replace(one, **columns)
