"""What monitors of clouds keep: means and sums of intervals, taken as levels and as rates.

Readers name a metric as its vendor does, with the statistic, "/s" where counts were divided by the
length of their interval, and the unit that the file says; `cloud_metrics.toml` says what that is.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from calibration.recordings.counters import SAMPLE_LIMIT, Metrics
from calibration.recordings.header import UNITS
from qmodel.errors import FileError

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_ROWS = [(pattern.format(**_DATA), *row) for pattern, *row in _DATA["metrics"]]
_SPELT = {word: unit for unit, words in _DATA["spelt"].items() for word in words}


class Known(NamedTuple):
    """What a metric is taken as: the rows of `cloud_metrics.toml`, with the size of its unit."""

    pattern: str
    quantity: str
    of: str
    factor: float


@cache
def known(name: str) -> Known | None:
    """What is known of a metric by its name and unit; None of others, or if the unit is wrong."""
    bare, _, said = name.removesuffix("]").partition(" [")
    plain = bare.replace(".", "_")
    for pattern, quantity, of, documented in _ROWS:
        if re.fullmatch(pattern, plain):
            sizes = next(some for some in UNITS.values() if documented in some)
            size = sizes.get(said or documented)
            return Known(pattern, quantity, of, float(size)) if size else None
    return None


def unit_of(said: str, *, rate: bool) -> str:
    """The house's spelling of a vendor's unit, of a rate if it is one; empty if none is said."""
    top, _, below = re.sub("per(?=second$)", "/", said.lower()).partition("/")
    unit = _SPELT.get(top, top)
    if unit in {"", "none", "unspecified"}:
        return ""
    if (rate or below.startswith("s")) and unit not in UNITS["time"]:
        return "1/s" if unit in {"count", "1"} else f"{unit}/s"
    return "1" if unit == "count" else unit


def add(
    metrics: Metrics, name: str, labels: Mapping[str, str], times: Sequence[float],
    values: Sequence[float], said: str = "", *, total: bool = False,
) -> None:  # fmt: skip
    """Samples stamped when their intervals begin; a `total` of each becomes a rate.

    An interval without an event may have no sample, so its length is the shortest time between two.
    FileError if a series stands twice in a file.
    """
    length = float(np.diff(np.unique(times)).min(initial=np.inf))
    if not np.isfinite(length):
        if times:
            metrics.remarks[name] = f"{name} is left out: only one sample, of unknown length"
        return
    rates = [value / length for value in values] if total else values
    ends = [time + length for time in times]
    add_ends(metrics, f"{name}/s" if total else name, labels, ends, rates, said)


def add_ends(
    metrics: Metrics, name: str, labels: Mapping[str, str], ends: Sequence[float],
    values: Sequence[float], said: str = "",
) -> None:  # fmt: skip
    """Samples stamped when their intervals end; of a rate, if the name ends so, 0 where none is."""
    unit = unit_of(said, rate=name.endswith("/s"))
    full = f"{name} [{unit}]" if unit else name
    held = metrics.samples.get((full, tuple(sorted(labels.items()))))
    if held and not set(ends).isdisjoint(held[0]):
        problem = f"{full} has two values at one time; label each with its instance, or export one"
        raise FileError(metrics.path, problem)
    metrics.add(full, labels, ends, values)
    taken = known(full) if name.endswith("/s") and len(ends) > 1 else None
    if taken and taken.quantity != "idle" and (empty := _empty(metrics.path, name, ends)):
        metrics.add(full, labels, empty, [0.0] * len(empty))
        metrics.remarks.setdefault("empty", f"periods without a sample of {name} count as 0")


def _empty(path: str, name: str, ends: Sequence[float]) -> list[float]:
    """Ends of intervals without a sample; FileError if samples of two lengths are mixed."""
    at = np.unique(ends)
    step = float(np.diff(at).min())
    steps = np.round(np.diff(at) / step).astype(int).clip(max=SAMPLE_LIMIT).tolist()
    often = Counter(steps)  # the more intervals in a row are empty, the less often they are
    if mixed := [n for n in often if n > 1 and often[n] > 5 + 2 * often[n - 1]]:
        problem = f"{name} has samples every {step:.4g} s and every {mixed[0] * step:.4g} s"
        raise FileError(path, f"{problem}; export it with one step, or each part as a file")
    return [end + step * n for end, m in zip(at, steps, strict=False) for n in range(1, m)]
