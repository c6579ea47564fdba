"""The noise of a run, from runs that were made again under the same conditions."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from math import sqrt

from calibration.audits.noise import Noise
from calibration.recordings.user_table import UserTable
from qmodel.errors import InvalidInput

#: Fewer differences than this say little of a standard deviation: with three, it is off by 40 %.
LEAST_DIFFERENCES = 3
#: What was printed alike each time has no noise that is known. [1]
LEAST_SQUARE = 1e-12

#: Columns that a user sets rather than measures.
_SET = frozenset({"population", "think_time", "servers", "share", "pool"})

#: Think times that were measured, and differ by less than this factor, are of the same setting.
_ALIKE = 1.1

#: Quantities that have a noise.
MEASURED = ("response_time", "throughput", "utilization", "volume", "operations")

#: Quantity, station or "", values.
Series = tuple[str, str, Sequence[float | None]]


def of_replicates(table: UserTable) -> Noise:
    """Noise of one run of a table in which the same users were measured more than once.

    Rows are repetitions of one another if class, shares, population, think time (to 10 %), servers
    and pools agree, and the configuration unless that is the name of a run: different in each row.
    A row without a population, whose load was not set, repeats none.

    Raises
    ------
    qmodel.InvalidInput
        If hardly anything was measured again.
    """
    conditions: list[tuple[Hashable, ...]] = [()] * len(table.lines)
    loaded: set[int] = set()
    for column in table.columns:
        if column.quantity in _SET:
            values = table.values(column.quantity, column.of)
            if column.quantity == "population":
                loaded |= {i for i, value in enumerate(values) if value is not None}
            if column.quantity == "think_time":
                values = _settings(values)
            conditions = [(*c, value) for c, value in zip(conditions, values, strict=True)]
    conditions = [(*c, kind) for c, kind in zip(conditions, table.words("class"), strict=True)]
    names = table.words("configuration")
    if len(set(names)) < len(names):
        conditions = [(*c, name) for c, name in zip(conditions, names, strict=True)]
    conditions = [c if i in loaded else (*c, "row", i) for i, c in enumerate(conditions)]
    return noise_within(
        conditions,
        [
            (column.quantity, column.of, table.values(column.quantity, column.of))
            for column in table.columns
            if column.quantity in MEASURED
        ],
    )


def _settings(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Think times, those alike as the shortest of them."""
    of: dict[float | None, float] = {}
    least = 0.0
    for value in sorted({each for each in values if each is not None}):
        if value > _ALIKE * least:
            least = value
        of[value] = least
    return tuple(of.get(value) for value in values)


def noise_within(conditions: Sequence[Hashable], measured: Iterable[Series]) -> Noise:
    """Relative standard deviation of each quantity among runs of the same conditions, pooled.

    A quantity that was not measured again is taken to be as noisy as the noisiest that was, and a
    station of which little was as the others. InvalidInput if hardly anything was measured again.
    """
    squares: dict[str, float] = defaultdict(float)
    differences: dict[str, int] = defaultdict(int)
    for quantity, station, values in measured:
        groups = defaultdict(list)
        for condition, value in zip(conditions, values, strict=True):
            if value:
                groups[condition].append(value)
        for each in groups.values():
            mean = sum(each) / len(each)
            for name in (quantity, *([f"{quantity}:{station}"] if station else [])):
                squares[name] += sum((value / mean - 1.0) ** 2 for value in each)
                differences[name] += len(each) - 1
    found = {
        name: sqrt(squares[name] / count)
        for name, count in differences.items()
        if count >= LEAST_DIFFERENCES and squares[name] > LEAST_SQUARE
    }
    if not found:
        raise InvalidInput(
            "noise from repeated runs needs a quantity that was measured again under the same "
            f"conditions at least {LEAST_DIFFERENCES} times"
        )
    largest = max(found.values())
    stations = tuple((name, value) for name, value in found.items() if ":" in name)
    return Noise(*[found.get(quantity, largest) for quantity in MEASURED], at=stations)
