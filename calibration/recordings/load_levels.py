"""Periods of load with what was recorded during each of them.

A level is a row of a table with its start and end. Every sample whose whole interval lies inside of
the level counts, by the length of its interval; a response time by its requests.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from fractions import Fraction
from math import ceil

from calibration.recordings.counted_once import POOLS
from calibration.recordings.header import QUANTITIES, Heading
from calibration.recordings.joining import SAID, Joined, joined, spanned
from calibration.recordings.series import Recording, Series
from calibration.recordings.steadiness import standard_error
from calibration.recordings.user_table import Reading, UserTable
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

#: A device that is never busier than this says nothing, and a channel that never carries more
#: than this [bytes/s] neither.
LEAST_UTILIZATION, LEAST_VOLUME = 0.01, 1000.0
#: A mean of users is a whole number if it is off by no more than this part. [1]
WHOLE = 0.02

#: Of what is put into a table: unit, its size in base units, and how it is written.
_WRITTEN = {
    "population": ("", Fraction(1), ".0f"), "think_time": ("s", Fraction(1), ".6g"),
    "throughput": ("1/s", Fraction(1), ".6g"), "response_time": ("ms", Fraction(1, 1000), ".6g"),
    "utilization": ("%", Fraction(1, 100), ".2f"), "p95": ("ms", Fraction(1, 1000), ".6g"),
    "p99": ("ms", Fraction(1, 1000), ".6g"), "servers": ("", Fraction(1), ".0f"),
    "pool_use": ("", Fraction(1), ".6g"), "pool": ("", Fraction(1), ".0f"),
    "operations": ("1/s", Fraction(1), ".2f"), "volume": ("KB/s", Fraction(1000), ".2f"),
    "error": ("%", Fraction(1, 100), ".2g"),
}  # fmt: skip
_ORDER = list(_WRITTEN)
#: What has a standard error beside it, in a column error:STATION, error:CLASS or error:QUANTITY.
_WITH_ERROR = {"throughput", "response_time", "utilization"}


def with_recording(
    table: UserTable, *recordings: Recording, hosts: Sequence[str] = ()
) -> UserTable:
    """A table of load levels, by start and end, with what was recorded during each of them.

    FileError if a level has no start or end, or no sample lies inside of it.
    """
    together = joined(recordings, hosts)
    starts, ends = table.words("start"), table.words("end")
    periods = []
    for line, start, end in zip(table.lines, starts, ends, strict=True):
        if start is None or end is None:
            missing = "start" if start is None else "end"
            problem = f"no {missing} of this level; write it as {_shown(together)}"
            raise FileError(table.path, problem, key=missing, line=line)
        period = _period(table.path, line, start, end, together)
        if all(each.mean(*period) is None for each in together.series):
            covered = spanned(*together.span) + " UTC" * (together.clock == "UTC")
            problem = f"no sample lies inside of {start} to {end}; {together.path} covers {covered}"
            raise FileError(table.path, problem, key="start", line=line)
        periods.append(period)
    return with_means(table, together.series, periods, gaps=True)


def level_notes(levels: UserTable, found: UserTable, together: Joined) -> dict[str, None]:
    """A line where the zone of levels is assumed, and one for each level in which nothing was
    recorded of a station of what was found.
    """
    times = map(_parsed, filter(None, levels.words("start") + levels.words("end")))
    first, last = together.span  # of half an hour at most, none would lie inside in another zone
    assumed = together.clock == "UTC" and last - first > 1800.0
    assumed = assumed and any(each and each.tzinfo is None for each in times)
    return ({SAID["assumed"]: None} if assumed else {}) | {
        SAID["gap"].format(levels.path, line, column.of): None
        for line, row in zip(found.lines, found.readings, strict=True)
        for column, cell in zip(found.columns, row, strict=True)
        if column.quantity in {"utilization", "operations", "volume"}
        and cell is None and column not in levels.columns
    }  # fmt: skip


def with_means(
    table: UserTable, series: Sequence[Series], periods: Sequence[tuple[float, float]], *,
    gaps: bool = False,
) -> UserTable:  # fmt: skip
    """A table with a column more for the means of each series that is worth one.

    What was measured at a station is worth one if no period lacks it, or with ``gaps`` if one has.
    """
    measured = {(column.quantity, column.of) for column in table.columns}
    means = {
        (each.quantity, each.of): [each.mean(*period) for period in periods]
        for each in series
        if each.quantity in _WRITTEN and (each.quantity, each.of) not in measured
    }
    known = {name: [v for v in values if v is not None] for name, values in means.items()}
    worthy = _worthy(known if gaps else means, whole=("throughput", "") in {*means, *measured})
    sized = {k for k, v in known.items() if any(v) and (k[0] != "pool" or any(map(is_whole, v)))}
    pools = {of for _, of in means if {(each, of) for each in POOLS} <= sized | measured}
    worthy += [(each, of) for each, of in means if each in POOLS and of in pools]
    for each in series:
        key = "error", each.of or each.quantity  # of a class it is that of its throughput
        if (each.quantity, each.of) in worthy and each.quantity in _WITH_ERROR and key not in means:
            found = zip(means[each.quantity, each.of], periods, strict=True)
            means[key] = [_relative(each, mean, period) for mean, period in found]
            worthy += [key] if any(means[key]) else []
    for each in (one for one in series if one.quantity == "servers"):  # 2, where a limit is 1.5
        limits = [each.mean(*period) for period in periods]
        limits = [limit or next(filter(None, limits), None) if gaps else limit for limit in limits]
        whole = [limit and max(1.0, ceil(limit - 1e-6)) for limit in limits]
        if (key := ("utilization", each.of)) in means:
            rows = zip(means[key], limits, whole, strict=True)
            means[key] = [u * m / n if u and m and n else u for u, m, n in rows]
        if (key := ("servers", each.of)) in means:
            means[key] = whole
    columns, added = [], []
    for quantity, of in sorted(worthy, key=lambda name: _ORDER.index(name[0])):
        unit, factor, form = _WRITTEN[quantity]
        name = f"{quantity}:{of}" if of else quantity
        columns.append(Heading(name, quantity, of, unit, factor))
        added.append([_reading(value, factor, form) for value in means[quantity, of]])
    new = [[column[i] for column in added] for i in range(len(periods))]
    texts = ((*old, *(cell.text if cell else "" for cell in row))
             for old, row in zip(table.texts, new, strict=True))  # fmt: skip
    return replace(
        table, columns=(*table.columns, *columns), texts=tuple(texts),
        readings=tuple((*old, *row) for old, row in zip(table.readings, new, strict=True)),
    )  # fmt: skip


def _worthy(
    means: Mapping[tuple[str, str], Sequence[float | None]], *, whole: bool
) -> list[tuple[str, str]]:
    """The processor, devices that are used, channels that carry data, all requests together.

    Where the throughputs of classes stand for a ``whole`` that is not there, so do their times.
    """
    highest = {name: max((v or 0.0 for v in values), default=0.0) for name, values in means.items()}
    used = {
        station
        for (quantity, station), value in highest.items()
        if (quantity == "utilization" and value >= LEAST_UTILIZATION)
        or (quantity == "volume" and value >= LEAST_VOLUME)
    }
    of_station = {q.name for q in QUANTITIES if q.of == "station"}
    classes = {of for quantity, of in means if quantity == "throughput" and of and not whole}
    by_class = {q for (q, of), values in means.items() if of in classes and any(values)}
    return [
        (quantity, of)
        for (quantity, of), values in means.items()
        if (
            of in used
            and None not in values
            and (quantity != "utilization" or highest[quantity, of] >= LEAST_UTILIZATION)
            if quantity in of_station
            else any(value is not None for value in values)
            and (of in classes if of else quantity not in by_class)
        )
    ]


def _relative(series: Series, mean: float | None, period: tuple[float, float]) -> float | None:
    """The standard error of a mean, as a part of it."""
    error = standard_error(series, period) if mean else None
    return error / mean if error and mean else None


def is_whole(users: float) -> bool:
    """Whether a mean of users is taken for a number of users, which is exact."""
    return round(users) > 0 and abs(round(users) - users) <= WHOLE * users


def _reading(value: float | None, factor: Fraction, form: str) -> Reading | None:
    """A mean as it is written, which is what it is then taken for."""
    if value is None:
        return None
    text = f"{value / float(factor):{form}}"
    if form == ".0f" and not is_whole(value / float(factor)):
        return None
    exact = Fraction(text)
    places = len(text.partition("e")[0].partition(".")[2])
    half = Fraction(10) ** -places / 2 if "e" not in text else abs(exact) / 10**6
    return Reading(text, float(exact * factor), float(half * factor))


def _period(path: str, line: int, start: str, end: str, together: Joined) -> tuple[float, float]:
    begins, ends = (
        _moment(path, line, key, text, together) for key, text in (("start", start), ("end", end))
    )
    if ends <= begins and not isinstance(_parsed(end), datetime):
        ends += timedelta(days=1)  # over midnight
    if ends <= begins:
        problem = f"the level ends at {end}, before it starts at {start}; swap them"
        raise FileError(path, problem, key="end", line=line)
    return begins.replace(tzinfo=UTC).timestamp(), ends.replace(tzinfo=UTC).timestamp()


def _moment(path: str, line: int, key: str, text: str, together: Joined) -> datetime:
    """A time of a level in the time zone of the recording."""
    found = _parsed(text)
    if found is None:
        problem = f"expected a time such as {_shown(together)}, got {show_text(text)}"
        raise FileError(path, problem, key=key, line=line)
    if found.tzinfo is not None and together.clock != "UTC":
        problem = f"{text} names a time zone and {together.path} does not; write local time"
        raise FileError(path, problem, key=key, line=line)
    if isinstance(found, time):
        began, ended = (_as_date(each) for each in together.span)
        if found.tzinfo is not None:
            found = datetime.combine(began.date(), found).astimezone(UTC).time()
        moment = datetime.combine(began.date(), found)
        # A recording over midnight: the time is the first one after it began.
        if moment < began and moment + timedelta(days=1) <= ended:
            moment += timedelta(days=1)
        return moment
    return found if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)


def _parsed(text: str) -> datetime | time | None:
    for read in (time.fromisoformat, datetime.fromisoformat):
        try:
            return read(text)
        except ValueError:
            continue
    return None


def _as_date(moment: float) -> datetime:
    return datetime.fromtimestamp(moment, UTC).replace(tzinfo=None)


def _shown(together: Joined) -> str:
    first = _as_date(together.span[0])
    return f"{first:%Y-%m-%d %H:%M:%S} or {first:%H:%M:%S}"
