"""Files of a site as a table of runs: a user's table as it is, recordings by periods of load."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction

from calibration.recordings.background import background_jobs, without
from calibration.recordings.classes import by_class
from calibration.recordings.counters import Metrics
from calibration.recordings.header import Heading, read_heading
from calibration.recordings.joining import SAID, Joined, joined
from calibration.recordings.load_kind import kind_of_load, omitted
from calibration.recordings.load_levels import is_whole, level_notes, with_means, with_recording
from calibration.recordings.loading import load_recordings, reader_of
from calibration.recordings.metric_names import unknown_names, unused
from calibration.recordings.percentiles import SHARES
from calibration.recordings.reader import ahead
from calibration.recordings.series import Recording, Series
from calibration.recordings.source import Progress, opened
from calibration.recordings.steadiness import steady
from calibration.recordings.user_table import UserTable, load_user_table, parse_user_table
from calibration.recordings.windows import windows
from qmodel.errors import FileError, InvalidInput


@dataclass(frozen=True, slots=True)
class Imported:
    """A table of runs, the recordings it is from, what its periods were told from, and notes."""

    table: UserTable
    recordings: tuple[Recording, ...] = ()
    told_by: str = ""
    load: str = ""
    notes: tuple[str, ...] = ()


def import_files(
    paths: Sequence[str], columns: Mapping[str, Heading] | None = None, hosts: Sequence[str] = (),
    progress: Progress | None = None, asked: Sequence[Metrics] = (), *, classwise: bool = False,
    zone: str = "",
) -> Imported:  # fmt: skip
    """A table of runs from recordings, from a user's table, or from both.

    A user's table among the files says start and end of each period; ``asked`` is what a running
    server kept. ``columns`` says what columns and metrics are that are not known by their names,
    ``hosts`` which computers are meant, ``classwise`` that rates of each class stand in place of
    users where the mix varies, ``zone`` is that of times without one. FileError says what is wrong.
    """
    if (east := ahead(zone)) is None and zone:
        raise InvalidInput(f"--zone {zone}: expected UTC+1 or UTC-03:30")
    tables, sources = [], []
    for path in dict.fromkeys(paths):
        source = None if path == "-" else opened(path, progress)
        if source and (reader_of(source) or source.head.lstrip()[:1] in {"{", "[", "<"}):
            sources.append(source)
        else:
            tables.append(path)
    if len(tables) > 1:
        raise FileError(tables[1], f"a second table beside {tables[0]}; put the runs into one")
    levels = load_user_table(tables[0], columns) if tables else None
    recordings = load_recordings(sources, columns, asked, east)
    there = () if levels is None else levels.columns
    strange = {n: c for n, c in (columns or {}).items() if not any(c is each for each in there)}
    names = [*(each.text for each in there), *(n for each in recordings for n in each.names)]
    if problem := unknown_names(names, strange):
        raise InvalidInput(problem)
    if levels is not None and not recordings:
        return Imported(levels)
    together = joined(recordings, hosts)
    if levels is not None:
        table = with_recording(levels, *recordings, hosts=hosts)
        notes = (*together.notes, *level_notes(levels, table, together))
        return Imported(table, recordings, f"start and end in {tables[0]}", notes=notes)
    kinds = {each.name.rpartition(".")[2] for each in together.series}
    if not kinds & {"response_time", "utilization:cpu", "cpu"}:
        said = SAID["lacking"]
        if some := unused(recordings):
            guess = next((n for n in some if "cpu" in n.lower()), some[0])
            said = SAID["unused"].format(", ".join(some), guess)
        raise FileError(together.path, next((n for n in together.notes if "processor" in n), said))
    if together.clock == "runs":
        periods, told = [(float(n), n + 1.0) for n in range(round(together.span[1]))], "summaries"
        found: list[str] = []
    else:
        periods, told = windows(together.series, together.span)
        periods, found = _checked(together, periods)
        found += _untold(together.series, periods)
    load = kind_of_load(together.series, periods)
    series, classes = by_class(together.series, periods, wanted=classwise)
    table = _table(replace(together, series=tuple(series)), periods)
    if not table.columns:
        raise FileError(together.path, "nothing is busier than 1 %; record it under load")
    notes = (*found, *together.notes, *([classes] if classes else []))
    table = parse_user_table(table_text(table), together.path)
    return Imported(table, recordings, told, load, notes)


def table_text(table: UserTable) -> str:
    """A table as the CSV file it would be read from."""
    names = [f"{c.quantity}:{c.of}" if c.of else c.quantity for c in table.columns]
    header = [f"{n} [{c.unit}]" if c.unit else n for n, c in zip(names, table.columns, strict=True)]
    return "".join(",".join(row) + "\n" for row in (header, *table.texts))


def columns_of(text: str) -> dict[str, Heading]:
    """What ``--columns`` says: ``VUs=users,RPS=throughput [1/s]``."""
    found = {}
    parts: list[str] = []
    for part in re.split(r",(?![^{]*\})", text) if text else ():
        if parts and "=" not in parts[-1]:  # a comma of the name
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    for part in parts:
        name, sign, heading = part.rpartition("=")
        if not sign or not name.strip():
            raise InvalidInput(f"--columns {part}: expected THEIRS=OURS, as in VUs=users")
        try:
            found[name.strip()] = read_heading(heading.strip())
        except ValueError as error:
            raise InvalidInput(f"--columns {part}: {error}") from None
    return found


def _checked(
    together: Joined, periods: list[tuple[float, float]]
) -> tuple[list[tuple[float, float]], list[str]]:
    """Periods without gaps, background jobs and drifts, and a line for each of those."""
    notes = []
    busy = [s for s in together.series if s.quantity == "utilization" and s.of.endswith("cpu")]
    seen = [each for each in periods if all(s.mean(*each) is not None for s in busy)]
    if lost := len(periods) - len(seen):
        few = lost > len(seen)
        out = "its utilization is left out: sample more often" if few else "left out"
        notes.append(SAID["lost"].format(lost, len(periods), "has" if lost == 1 else "have", out))
        periods = periods if few else seen
    jobs = background_jobs(together.series, together.span)
    left = without(periods, [job[:2] for job in jobs])
    for *span, added in jobs:
        at, out = _shown(together.clock, span), "; left out" if left else ""
        notes.append(SAID["job"].format(at, added, out))
    names = [_shown(together.clock, period) for period in left or periods]
    kept, drifts = steady(together.series, left or periods, names)
    if part := omitted(together.series, kept):
        notes.append(SAID["late"].format(part))
    return kept, [*notes, *drifts]


def _untold(series: Sequence[Series], periods: Sequence[tuple[float, float]]) -> list[str]:
    """Percentiles that others took of shorter intervals than the periods, and parts of a user."""
    taken = (each for each in series if each.quantity in SHARES and each.weight is None)
    lost = [s.quantity for s in taken if all(s.mean(*period) is None for period in periods)]
    means = [s.mean(*period) for s in series if s.name == "population" for period in periods]
    parts = [mean for mean in means if mean and not is_whole(mean)][:1]
    return [*map(SAID["percentile"].format, lost), *map(SAID["users"].format, parts)]


def _shown(clock: str, span: Sequence[float]) -> str:
    if clock == "own":
        return " to ".join(f"{at:.0f} s" for at in span)
    return " to ".join(f"{datetime.fromtimestamp(at, UTC):%H:%M:%S}" for at in span)


def _table(together: Joined, periods: Sequence[tuple[float, float]]) -> UserTable:
    """Start and end of each period, where a monitor's file may be joined by them, and the means."""
    count = len(periods)
    blank = UserTable(together.path, (), tuple(range(2, count + 2)), ((),) * count, ((),) * count)
    table = with_means(blank, together.series, periods)
    monitored = {c.quantity for c in table.columns} & {"utilization", "operations", "volume"}
    if together.clock in {"own", "runs"} or not monitored:
        return table
    times = tuple(Heading(name, name, "", "", Fraction(1)) for name in ("start", "end"))
    moments = ([datetime.fromtimestamp(at, UTC) for at in period] for period in periods)
    texts = tuple(
        (*(f"{moment:%Y-%m-%d %H:%M:%S}" for moment in pair), *row)
        for pair, row in zip(moments, table.texts, strict=True)
    )
    readings = tuple((None, None, *row) for row in table.readings)
    return replace(table, columns=(*times, *table.columns), texts=texts, readings=readings)
