"""Counters and gauges of metrics systems: samples by name and labels, and what they grew by.

A counter that falls was reset, and has grown by what it shows since (Prometheus counts the same
way). NaN, which marks a series that ended, is no sample.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from calibration.recordings.header import Heading
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

#: More series than a query of one computer can have, and more samples than are kept.
SERIES_LIMIT, SAMPLE_LIMIT = 20_000, 3_000_000

#: Share of gaps between samples that may differ from the usual one by half.
UNUSUAL = 0.2
#: Fewest gaps between changes of a target's counters, and share alike, that tell its scrapes.
GAPS, ALIKE = 4, 0.95
#: A counter that keeps more than this part was not reset but slips, as iowait does. [1]
SLIP = 0.9


class Metrics:
    """Samples by name and labels; `increments` are no totals, `headings` say what names mean.

    `remarks` are said of metrics that are not used, `notes` of the file; unknown names may be
    `as_headings` of a table; `called` is how a file itself calls what has another name here.
    """

    def __init__(self, kind: str, path: str, *, headings: bool = True) -> None:
        self.kind, self.path, self.clock, self.as_headings = kind, path, "UTC", headings
        self.samples: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[list[float], ...]] = {}
        self.increments: set[str] = set()
        self.headings: dict[str, Heading] = {}
        self.remarks: dict[str, str] = {}
        self.notes: list[str] = []
        self.called: dict[str, str] = {}
        self._count = 0

    def add(
        self, name: str, labels: Mapping[str, str], times: Iterable[float], values: Iterable[float]
    ) -> None:
        """Samples of a series, behind those it has; FileError if there are too many."""
        key = name, tuple(sorted(labels.items()))
        if key not in self.samples and len(self.samples) >= SERIES_LIMIT:
            pairs = {pair for _, each in self.samples for pair in each}
            label, number = Counter(each for each, _ in pairs).most_common(1)[0]
            problem = (
                f"more than {SERIES_LIMIT:,} series; label {show_text(label)} alone has "
                f"{number:,} values: ask for sum without ({label}), or for one host"
            )
            raise FileError(self.path, problem)
        held = self.samples.setdefault(key, ([], []))
        before = len(held[0])
        held[0].extend(times)
        held[1].extend(values)
        self._count += len(held[0]) - before
        if self._count > SAMPLE_LIMIT:
            problem = f"more than {SAMPLE_LIMIT:,} samples; export a shorter range or longer steps"
            raise FileError(self.path, problem)

    def merge(self, other: "Metrics") -> None:
        """What another file of the same kind holds; FileError if both say one thing differently."""
        for (name, labels), (times, values) in other.samples.items():
            if _differ(self.samples.get((name, labels)), (times, values)):
                problem = f"{show_text(name)} is in {self.path} as well, with other values then"
                remedy = "rename one, as web CPU % and db CPU %, or the file of an unnamed answer"
                raise FileError(other.path, f"{problem}; {remedy}")
            self.add(name, dict(labels), times, values)
        self.increments |= other.increments
        self.headings |= other.headings
        self.remarks |= other.remarks
        self.notes += other.notes
        self.path = f"{self.path}, {other.path}"


def _differ(one: Sequence[Sequence[float]] | None, other: Sequence[Sequence[float]]) -> bool:
    """Whether samples of one name lie between one another, and are not the same ones there."""
    (times, values), (also, then) = (clean(*each) for each in (one or ((), ()), other))
    if not len(times) or not len(also):
        return False
    low, high = max(times[0], also[0]), min(times[-1], also[-1])
    here, there = (times >= low) & (times <= high), (also >= low) & (also <= high)
    alike = np.array_equal(times[here], also[there]) and np.array_equal(values[here], then[there])
    return high > low and not alike


def clean(times: Sequence[float], values: Sequence[float]) -> tuple[Any, Any]:
    """Samples in order of time, each time once, without NaN and infinity."""
    when, what = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    real = np.isfinite(what) & np.isfinite(when)
    when, first = np.unique(when[real], return_index=True)
    return when, what[real][first]


def growth(values: Any) -> tuple[Any, int]:
    """What a counter grew by from each sample to the next, and how often it was reset."""
    step = np.diff(values)
    reset = (step < 0.0) & (values[1:] <= SLIP * values[:-1])
    return np.where(reset, values[1:], np.maximum(step, 0.0)), int(reset.sum())


def scrapes(counters: Iterable[tuple[Any, Any]]) -> Any:
    """Times at which the counters of one target are new, None if they may be at all of them.

    A query with a step shorter than the interval of scrapes has the last sample again.
    """
    held = list(counters)
    times = np.unique(np.concatenate([at for at, _ in held]))
    moved = np.unique(np.concatenate([at[1:][np.diff(value) != 0.0] for at, value in held]))
    if len(gaps := np.diff(moved)) < GAPS:
        return None
    usual, step = float(np.median(gaps)), float(np.median(np.diff(times)))
    if usual < 1.5 * step or np.mean(np.abs(gaps - usual) < 1.5 * step) < ALIKE:
        return None
    # The interval in which the counter grew is not known of a shorter beginning.
    return np.append(times[0], moved) if moved[0] - times[0] > usual - step else moved


def usual_step(times: Any, path: str, *, even: bool = True) -> tuple[float, tuple[str, ...]]:
    """The time between samples and what is missing; FileError if two are mixed in `even` ones."""
    gaps = np.diff(times)
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    odd = (gaps > 1.5 * usual) | (gaps < usual / 1.5)
    if even and len(gaps) >= 4 and odd.mean() > UNUSUAL:
        problem = f"samples every {usual:.4g} s and every {np.median(gaps[odd]):.4g} s are mixed"
        raise FileError(path, f"{problem} in it; export it with one step, or each part as a file")
    missing = float((gaps[gaps > 1.5 * usual] - usual).sum())
    return usual, ((f"{missing:.4g} s of samples are missing",) if missing else ())
