"""Servers of today, recorded at many loads and after a change, a file each; see THEORY.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from calibration.printed_tables.card import read_toml
from calibration.printed_tables.table import MeasuredTable, load_table
from calibration.recordings.user_table import UserTable, load_user_table, parse_user_table
from qmodel.errors import InvalidInput

#: Where they are, later recordings in folders of their own, and what those are called: the second,
#: and one by which nothing was chosen.
LIVE = Path(__file__).parents[1] / "live"
UNSEEN = "third"
AGAIN = ("again", UNSEEN)

#: Runs up to this part of the saturation load are fitted: a quarter, and a little for its error.
QUARTER = 0.27

#: Processors of the recording that is a table of its own.
PROCESSORS = 2


@dataclass(frozen=True, slots=True)
class Variant:
    """A system as it was recorded, at first or after a change that a prediction is told."""

    name: str
    says: str
    change: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Level:
    """The mean of all runs of a variant with so many users.

    Parameters
    ----------
    users, runs : int
        Users, and how many runs.
    think_time, throughput, response_time, utilization : float
        [s], [1/s], [s]; of the processor. [1]
    """

    users: int
    runs: int
    think_time: float
    throughput: float
    response_time: float
    utilization: float
    #: Relative standard error of the mean of each, as the runs differ. [1]
    errors: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class LiveRecording:
    """A recorded system; the first of its variants is calibrated."""

    name: str
    title: str
    table: UserTable
    variants: tuple[Variant, ...]
    #: Limits that an administrator reads off the configuration, as changes.
    known: Mapping[str, float]
    #: Why a prediction is known to fail, by variant.
    causes: Mapping[str, str]

    def levels(self, variant: Variant) -> tuple[Level, ...]:
        """The levels of a variant, fewest users first."""
        rows: dict[int, list[tuple[float, ...]]] = {}
        table = self.table
        columns = (
            table.values("think_time"), table.values("throughput"),
            table.values("response_time"), table.values("utilization", "cpu"),
        )  # fmt: skip
        users = table.values("population")
        for i, label in enumerate(table.words("configuration")):
            if label == variant.name:
                values = tuple(column[i] or 0.0 for column in columns)
                rows.setdefault(round(users[i] or 0.0), []).append(values)
        return tuple(_level(n, some) for n, some in sorted(rows.items()))

    @property
    def system(self) -> str:
        """The name of its system, which may be recorded more than once."""
        name, _, last = self.name.rpartition("_")
        return name if last in AGAIN else self.name

    @property
    def saturation(self) -> float:
        """X_max (Z + R(1)), by all levels of the first variant. [users]"""
        levels = self.levels(self.variants[0])
        least = min(each.response_time for each in levels)
        return max(each.throughput for each in levels) * (levels[0].think_time + least)

    @property
    def fitted(self) -> UserTable:
        """The runs of the first variant up to a quarter of saturation."""
        most, first = QUARTER * self.saturation, self.variants[0].name
        users = self.table.values("population")
        labels = self.table.words("configuration")
        return self.table.part(
            [i for i, n in enumerate(users) if labels[i] == first and (n or 0.0) <= most]
        )


def recordings(folder: Path | None = None) -> tuple[LiveRecording, ...]:
    """All recorded systems, those recorded again, the earlier one of PostgreSQL; or of a folder.

    InvalidInput if the folder has none.
    """
    found = tuple(_recording(path) for path in sorted((folder or LIVE).glob("*.toml")))
    if folder is None:
        later = (
            replace(each, name=f"{each.name}_{again}")
            for again in AGAIN
            for each in recordings(LIVE / again)
        )
        return (*found, *later, _earlier())
    if not found:
        raise InvalidInput(f"{folder}: no recordings; a system is NAME.toml beside NAME.csv")
    return found


def _level(users: int, runs: list[tuple[float, ...]]) -> Level:
    think, rate, time, busy = (fmean(each) for each in zip(*runs, strict=True))
    return Level(users, len(runs), think, rate, time, busy, _errors(runs))


def _errors(runs: list[tuple[float, ...]]) -> dict[str, float]:
    columns = list(zip(*runs, strict=True))[1:]
    names = ("throughput", "response_time", "utilization")
    if len(runs) < 2 or not all(map(all, columns)):
        return dict.fromkeys(names, 0.0)
    return {
        name: stdev(values) / fmean(values) / sqrt(len(values))
        for name, values in zip(names, columns, strict=True)
    }


def _recording(path: Path) -> LiveRecording:
    card = read_toml(path)
    return LiveRecording(
        path.stem, card["title"], load_user_table(path.with_suffix(".csv")),
        tuple(Variant(v["name"], v["says"], v.get("change", {})) for v in card["variant"]),
        card.get("known", {}), card.get("causes", {}),
    )  # fmt: skip


def as_user_table(table: MeasuredTable, rows: Sequence[str], label: str = "") -> UserTable:
    """Rows of a table of ours, each a configuration of its own unless ``label`` is that of all."""
    lines = ["configuration,class,users,think_time [ms],throughput [1/s],response_time [ms],"
             "cpu [%],servers:cpu"]  # fmt: skip
    for row in rows:
        cells = [table.cell(row, each).text for each in
                 ("users", "think_time", "throughput", "response_time", "cpu")]  # fmt: skip
        lines.append(",".join([label or row, "queries", *cells, f"{PROCESSORS}"]))
    return parse_user_table("\n".join(lines) + "\n", table.name)


def _earlier() -> LiveRecording:
    table, label = load_table("postgresql_live/levels"), "two processors"
    return LiveRecording(
        "postgresql_live", "PostgreSQL, queries of the processor alone",
        as_user_table(table, table.rows, label), (Variant(label, label, {}),), {}, {},
    )  # fmt: skip
