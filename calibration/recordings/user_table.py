"""A user's table of measurements: a CSV file, one row a measured run.

The header names quantity, station and unit (`calibration.recordings.header`);
any subset of columns will do.
Print rounding is taken from the text of each cell.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike, fspath

from calibration.recordings.header import OF_ONE, Heading, read_header
from calibration.recordings.number_style import decimal_comma, plain
from qmodel.documents.syntax import decode, read_bytes
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

#: Most rows of a table: a row is a run, not a sample of a monitor.
ROW_LIMIT = 2_000

#: Largest file. [bytes]
SIZE_LIMIT = 2**20

#: Most columns.
COLUMN_LIMIT = 200

_MISSING = frozenset({"", "-", "na", "n/a", "nan"})
_NUMBER = re.compile(
    r"(?P<number>[+-]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,25})(?:\.(?P<decimals>\d{0,25}))?"
    r"|\.(?P<bare>\d{1,25})))(?:[eE](?P<power>[+-]?\d{1,3}))?\s*(?P<unit>[^\d\s,.;].*)?"
)
_MEASURED = frozenset({"throughput", "response_time", "utilization", "volume", "operations"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One cell: its value and print rounding in base units."""

    text: str
    value: float
    half_unit: float


@dataclass(frozen=True, slots=True)
class UserTable:
    """A table of measured runs."""

    #: The file, as it was given.
    path: str
    columns: tuple[Heading, ...]
    #: Line of each row in the file, counted from 1.
    lines: tuple[int, ...]
    #: Cells as they stand in the file.
    texts: tuple[tuple[str, ...], ...]
    #: Cells as numbers; None for words and where nothing was measured.
    readings: tuple[tuple[Reading | None, ...], ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows: their configurations or starts if distinct, else their lines."""
        for labels in (self.words("configuration"), self.words("start")):
            if all(labels) and len(set(labels)) == len(labels):
                return tuple(label or "" for label in labels)
        return tuple(f"line {line}" for line in self.lines)

    def words(self, quantity: str) -> tuple[str | None, ...]:
        """Cells of a column of words, None where it is empty or absent."""
        for index, column in enumerate(self.columns):
            if column.quantity == quantity:
                return tuple(line[index].strip() or None for line in self.texts)
        return (None,) * len(self.texts)

    def values(self, quantity: str, of: str = "") -> tuple[float | None, ...]:
        """Numbers of a column in base units, None where it is empty or absent."""
        for index, column in enumerate(self.columns):
            if (column.quantity, column.of) == (quantity, of):
                cells = (line[index] for line in self.readings)
                return tuple(cell.value if cell else None for cell in cells)
        return (None,) * len(self.texts)

    def of_configuration(self, name: str | None) -> "UserTable":
        """The rows of one configuration; all of them if none is named, or none has the name."""
        kept = [i for i, label in enumerate(self.words("configuration")) if name and label == name]
        return self.part(kept) if kept else self

    def part(self, kept: Sequence[int]) -> "UserTable":
        """Some of its rows, by their places."""
        lines, texts = tuple(self.lines[i] for i in kept), tuple(self.texts[i] for i in kept)
        readings = tuple(self.readings[i] for i in kept)
        return replace(self, lines=lines, texts=texts, readings=readings)

    def pool_sizes(self, name: str) -> tuple[float, ...]:
        """Size of a pool in each row, of a row that does not say as elsewhere; () if unknown."""
        sizes = self.values("pool", name)
        known = next(filter(None, sizes), None)
        return () if known is None else tuple(size or known for size in sizes)


def load_user_table(
    path: str | PathLike[str], taken: Mapping[str, Heading] | None = None
) -> UserTable:
    r"""Read a table of measured runs.

    Parameters
    ----------
    path : path-like
        A CSV file in UTF-8; "-" reads standard input. At most 2,000 rows. Between columns stand
        commas, semicolons, tabs or bars; but for commas, numbers may have decimal commas.
    taken : dict of str to Heading, optional
        What columns are that are not known by their names.

    Returns
    -------
    UserTable
        Its cells in base units, each with its print rounding.

    Raises
    ------
    FileError
        One line with file, line, column and what would be right.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "runs.csv"
    >>> _ = file.write_text("users,cpu,response_time [ms]\n10,57,33\n")
    >>> load_user_table(file).values("utilization", "cpu")
    (0.57,)
    """
    shown = str(fspath(path))
    content = read_bytes(
        shown, SIZE_LIMIT, f"a table (at most {ROW_LIMIT:,} rows, one a measured run)"
    )
    return parse_user_table(decode(content, shown), shown, taken)


def parse_user_table(
    text: str, path: str = "-", taken: Mapping[str, Heading] | None = None
) -> UserTable:
    r"""The table that a text holds; see `load_user_table`."""
    separator = _separator(text)
    lines = _lines(text, path, separator)
    if not lines:
        raise FileError(path, "empty table; a header and a row are needed")
    if separator != ",":
        lines = _with_points(lines, path)
    first, header = lines[0]
    columns = read_header(header, path, first, taken, separator)
    if len(lines) == 1:
        raise FileError(path, "no rows behind the header; a load needs one", line=first)
    kinds = {column.quantity for column in columns}
    if not kinds & _MEASURED and not {"start", "end"} <= kinds:
        problem = "no measured column; at least one of throughput, response_time, "
        problem += "utilization:STATION, volume:STATION or operations:STATION is needed"
        raise FileError(path, problem, line=first)
    texts, readings = [], []
    for line, cells in lines[1:]:
        if len(cells) != len(columns):
            problem = f"{len(cells)} cells, expected {len(columns)} as in the header"
            raise FileError(path, problem, line=line, column=min(len(cells), len(columns)) + 1)
        found = [
            _reading(cell, column, path, line, place)
            for place, (cell, column) in enumerate(zip(cells, columns, strict=True), 1)
        ]
        _check_utilizations(found, columns, path, line)
        texts.append(tuple(cells))
        readings.append(tuple(found))
    for place, (heading, column) in enumerate(zip(header, columns, strict=True)):
        used = [abs((column.unit == "% idle") - e.value) for e in (r[place] for r in readings) if e]
        said = re.search(r"[\[(]", heading) or any("%" in row[place] for row in texts)
        implied = not said and heading.strip() not in (taken or {}) and column.unit[:1] == "%"
        if implied and column.of.endswith("cpu") and 0.0 < max(used, default=0.0) <= 0.01:
            problem = f"{heading} is {100.0 * max(used):.3g} at most; a share, or percent? write "
            problem += f"utilization:{column.of} [1] or utilization:{column.of} [%]"
            raise FileError(path, problem, line=first, column=place + 1)
    table = UserTable(
        path, columns, tuple(line for line, _ in lines[1:]), tuple(texts), tuple(readings)
    )
    _check_pools(table, first)
    busy = {column.of for column in columns if column.quantity == "utilization"}
    for place, column in enumerate(columns, 1):
        if busy and column.quantity == "servers" and not any(column.of == c.of for c in columns
                                                             if c is not column):  # fmt: skip
            problem = f"{column.text}: nothing is measured at {show_text(column.of)}; there is "
            raise FileError(path, problem + ", ".join(sorted(busy)), line=first, column=place)
    return table


def _check_pools(table: UserTable, header: int) -> None:
    """Refuse the use of a pool of no known size, and more places in use than there are."""
    for i, column in enumerate(table.columns):
        if column.quantity != "pool_use":
            continue
        sizes = table.pool_sizes(column.of)
        if not sizes:
            problem = f"{column.text}: no column has the size of that pool; add pool:{column.of}"
            raise FileError(table.path, problem, line=header, column=i + 1)
        for line, row, size in zip(table.lines, table.readings, sizes, strict=True):
            cell, most = row[i], 1.0 if column.unit == "%" else size
            if cell is not None and cell.value - cell.half_unit > most:
                problem = f"{column.text} = {cell.text} of a pool of {size:g}: more than there are"
                raise FileError(table.path, problem, line=line, column=i + 1)


def _lines(text: str, path: str, separator: str) -> list[tuple[int, list[str]]]:
    """Rows that are neither empty nor a comment, with the line on which each begins."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True
    )
    found: list[tuple[int, list[str]]] = []
    start = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("#"):
                found.append((start, cells))
            if len(cells) > COLUMN_LIMIT:
                problem = f"{len(cells)} columns, at most {COLUMN_LIMIT} may stand in a table"
                raise FileError(path, problem, line=start)
            if len(found) > ROW_LIMIT + 1:
                problem = f"more than {ROW_LIMIT:,} rows; a row is a measured run, so average the "
                problem += "samples of a monitor over each run first"
                raise FileError(path, problem, line=start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise FileError(path, f"not CSV: {error}", line=start) from None
    filled = [sum(bool(cell.strip()) for cell in cells) for _, cells in found[:9]]
    titles = next((i for i, count in enumerate(filled) if count > 1), 0)
    return found[titles:]


def _separator(text: str) -> str:
    """What stands between columns: what the header has most of."""
    lines = (s for line in text.splitlines() if (s := line.strip()) and s[0] != "#")
    header = next((line for line in lines if re.search(r"[,;\t|]", line)), "")
    return max(",;\t|", key=header.count)


def _with_points(lines: list[tuple[int, list[str]]], path: str) -> list[tuple[int, list[str]]]:
    """Rows behind the header with decimal points and without marks between thousands."""
    try:
        commas = decimal_comma(cell for _, cells in lines[1:] for cell in cells)
    except ValueError as error:
        number = str(error)
        none, decimal = re.sub("[.,]", "", number), number[::-1].replace(".", ",", 1)[::-1]
        point = number.replace(",", ".") if "," in number else decimal
        problem = f"is {number} more than a thousand, or a decimal? write {none} or {point}"
        at = (n for n, cells in lines[1:] if number in (c.strip().rstrip("% ") for c in cells))
        raise FileError(path, problem, line=next(at, None)) from None
    numbers = re.compile(r"[-+]?\d[\d.,'\u2019\s]*\s*\D{0,4}")
    return [
        lines[0],
        *(
            (line, [plain(c, commas=commas) if numbers.fullmatch(c.strip()) else c for c in cells])
            for line, cells in lines[1:]
        ),
    ]


def _reading(cell: str, column: Heading, path: str, line: int, place: int) -> Reading | None:
    text = cell.strip()
    if column.is_text or text.lower() in _MISSING:
        return None

    def wrong(problem: str) -> FileError:
        return FileError(path, problem, key=column.text, line=line, column=place)

    found = _NUMBER.fullmatch(text)
    if not found:
        decimal = re.fullmatch(r"[+-]?\d+,\d+", text)
        hint = f"; write {text.replace(',', '.')}" if decimal else ""
        raise wrong(f"expected a number, got text {show_text(text)}{hint}")
    unit = (found["unit"] or "").strip()
    if unit == "m" and column.unit == "cores":  # as kubectl top prints
        column = replace(column, factor=Fraction(1, 1000))
    elif unit and unit != column.unit and not (unit == "%" and column.unit[:1] == "%"):
        raise wrong(f"expected a number in {column.unit or 'no unit'}, got {show_text(text)}")
    power = int(found["power"] or 0)
    exact = Fraction(found["number"].replace(",", "").rstrip(".") or "0") * Fraction(10) ** power
    if exact < 0:
        raise wrong(f"must not be negative, got {text}")
    if column.is_count and (exact < 1 or exact.denominator != 1):
        raise wrong(f"must be a whole number from 1 on, got {text}")
    places = len(found["decimals"] or found["bare"] or "")
    try:
        value = float(exact * column.factor)
        half = float(Fraction(10) ** (power - places) / 2 * column.factor)
    except OverflowError:
        raise wrong(f"must be finite, got {text}") from None
    return Reading(text, value, half)


def _check_utilizations(
    found: list[Reading | None], columns: tuple[Heading, ...], path: str, line: int
) -> None:
    """Make all of them parts of all servers; refuse what no server can be, and ask what it is."""
    servers = {
        column.of: round(cell.value)
        for cell, column in zip(found, columns, strict=True)
        if cell is not None and column.quantity == "servers"
    }
    for place, column in enumerate(columns, 1):
        cell = found[place - 1]
        if cell is None or column.quantity not in {"utilization", "share"}:
            continue
        if column.unit == "% idle":
            if cell.value > 1.0:
                problem = f"{column.text} = {cell.text}: idle is at most 100 %"
                raise FileError(path, problem, line=line, column=place)
            cell = found[place - 1] = replace(cell, value=1.0 - cell.value)
        elif column.unit in OF_ONE:
            if column.of not in servers:
                problem = (
                    f"{column.text} counts busy servers; add servers:{column.of}, their number"
                )
                raise FileError(path, problem, line=line, column=place)
            count = servers[column.of]
            cell = replace(cell, value=cell.value / count, half_unit=cell.half_unit / count)
            found[place - 1] = cell
        if cell.value - cell.half_unit <= 1.0:
            continue
        shown = f"{cell.value * 100.0:.6g} %"
        if column.quantity == "share":
            problem = f"a share is at most 100 %, got {shown}"
            raise FileError(path, problem, key=column.text, line=line, column=place)
        count = servers.get(column.of, 1)
        kind = "CPU" if column.of in {"cpu", "processor"} else "server"
        of_all = (
            f" (if of one, write {column.of} [% of one]: {cell.value / count * 100.0:.6g} % of all)"
            if 1 < cell.value <= count
            else ""
        )
        problem = (
            f"{column.text} = {shown}: utilization above 100 % for {count} "
            f"{kind}{'' if count == 1 else 's'}; percent of one {kind} or of all?{of_all}"
        )
        raise FileError(path, problem, line=line, column=place)
