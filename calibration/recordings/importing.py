"""Files of a site as a table of runs: a user's table as it is, recordings by periods of load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from calibration.recordings.header import Heading, read_heading
from calibration.recordings.joining import Joined, joined
from calibration.recordings.load_levels import with_means, with_recording
from calibration.recordings.loading import Progress, load_recordings, reader_of
from calibration.recordings.series import Recording
from calibration.recordings.source import opened
from calibration.recordings.user_table import UserTable, load_user_table, parse_user_table
from calibration.recordings.windows import Window, windows
from qmodel.errors import FileError, InvalidInput


@dataclass(frozen=True, slots=True)
class Imported:
    """A table of runs, and where it is from.

    Parameters
    ----------
    table : UserTable
        One row a run or period.
    recordings : tuple of Recording
        What was read; empty for a user's table alone.
    told_by : str
        What the periods were told from.
    notes : tuple of str
        What is to be known of it.
    """

    table: UserTable
    recordings: tuple[Recording, ...] = ()
    told_by: str = ""
    notes: tuple[str, ...] = ()


def import_files(
    paths: Sequence[str],
    columns: Mapping[str, Heading] | None = None,
    hosts: Sequence[str] = (),
    progress: Progress | None = None,
) -> Imported:
    """A table of runs from recordings, or from a user's table, or from both.

    Parameters
    ----------
    paths : sequence of str
        Files. A user's table among recordings says start and end of each period.
    columns : dict of str to Heading, optional
        What columns and metrics are that are not known by their names.
    hosts : sequence of str
        Which computers are meant, where a file has several.
    progress : callable, optional
        Takes the bytes of a file that were read, and all of them.

    Raises
    ------
    FileError
        One line that names the file and what would be right.
    """
    tables, sources = [], []
    for path in dict.fromkeys(paths):
        if path != "-":
            source = opened(path, progress)
            if reader_of(source) is not None or source.head.lstrip()[:1] in {"{", "[", "<"}:
                sources.append(source)
                continue
        tables.append(path)
    if len(tables) > 1:
        raise FileError(tables[1], f"a second table beside {tables[0]}; put the runs into one")
    if not sources:
        return Imported(load_user_table(tables[0]))
    recordings = load_recordings(sources, columns)
    if tables:
        table = with_recording(load_user_table(tables[0]), *recordings)
        return Imported(table, recordings, f"start and end in {tables[0]}")
    together = joined(recordings, hosts)
    _check(together)
    if together.clock == "runs":
        count = round(together.span[1])
        periods = [Window(float(n), n + 1.0) for n in range(count)]
        told = "one row a run"
    else:
        found, told = windows(together.series, together.span)
        periods = list(found)
        asked = [each for each in together.series if each.name == "throughput"]
        if asked:
            periods = [w for w in periods if asked[0].mean(w.start, w.end)]
    table = _table(together, periods)
    return Imported(parse_user_table(table_text(table), table.path), recordings, told, together.notes)


def table_text(table: UserTable) -> str:
    """A table as the CSV file it would be read from."""
    header = [f"{c.text} [{c.unit}]" if c.unit else c.text for c in table.columns]
    return "".join(",".join(row) + "\n" for row in (header, *table.texts))


def columns_of(text: str) -> dict[str, Heading]:
    """What ``--columns`` says: ``VUs=users,RPS=throughput [1/s]``.

    Examples
    --------
    >>> columns_of("VUs=users, busy=utilization:cpu [%]")["busy"].of
    'cpu'
    """
    found = {}
    for part in text.split(",") if text else ():
        name, sign, heading = part.rpartition("=")
        if not sign or not name.strip():
            raise InvalidInput(f"--columns {part}: expected THEIRS=OURS, as in VUs=users")
        try:
            found[name.strip()] = read_heading(heading.strip())
        except ValueError as error:
            raise InvalidInput(f"--columns {part}: {error}") from None
    return found


def _check(together: Joined) -> None:
    names = {each.name for each in together.series}
    if "response_time" in names or any(
        each.quantity == "utilization" and each.of.rpartition(".")[2] == "cpu"
        for each in together.series
    ):
        return
    problem = (together.notes or ("",))[-1] or (
        "no processor's utilization and no response time in it; add them, as "
        "node_cpu_seconds_total, sar -u or a load generator's file"
    )
    raise FileError(together.path, problem)


def _table(together: Joined, periods: Sequence[Window]) -> UserTable:
    """Start and end of each period, where they are times, and the means over it."""
    spans = [(each.start, each.end) for each in periods]
    blank = UserTable(together.path, (), tuple(range(2, len(spans) + 2)), ((),) * len(spans), ((),) * len(spans))
    table = with_means(blank, together.series, spans)
    kinds = {column.quantity for column in table.columns}
    if together.clock in {"own", "runs"} or not kinds & {"utilization", "operations", "volume"}:
        return table
    times = tuple(Heading(name, name, "", "", Fraction(1)) for name in ("start", "end"))
    texts = tuple(
        (*(f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S}" for moment in span), *row)
        for span, row in zip(spans, table.texts, strict=True)
    )
    readings = tuple((None, None, *row) for row in table.readings)
    return UserTable(table.path, (*times, *table.columns), table.lines, texts, readings)
