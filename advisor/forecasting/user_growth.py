"""How the number of users grows: at a given rate, or one fitted to past months; see THEORY.md."""

import csv
import re
from dataclasses import dataclass
from math import exp, isfinite, log
from os import PathLike
from statistics import linear_regression
from typing import TYPE_CHECKING, Any

from calibration.estimation.interval import Range
from qmodel.documents.wording import show_text
from qmodel.errors import FileError, InvalidInput

if TYPE_CHECKING:
    import numpy as np

#: Fewest months that tell a rate and its uncertainty.
LEAST_MONTHS = 4
_RATE = re.compile(
    r"(?P<mid>[+-]?\d{1,4}(?:\.\d{1,6})?)\s*%?\s*"
    r"(?:(?:±|\+-|\+/-)\s*(?P<spread>\d{1,4}(?:\.\d{1,6})?)\s*%?)?\s*"
    r"(?:/|per\s+|a\s+)\s*(?P<time>month|year)"
)
_MONTH = re.compile(r"(\d{4})-(\d{1,2})(?:-\d{1,2})?")


@dataclass(frozen=True, slots=True)
class UserGrowth:
    """Growth of the logarithm of the number of users, a month."""

    #: Mean of it. [1/month]
    slope: float
    #: Its standard error. [1/month]
    slope_error: float
    #: Where it comes from.
    source: str
    #: Logarithm of the users in the middle of the months fitted; None for a stated rate, which
    #: starts from the users of the configuration.
    level: float | None = None
    #: Its standard error.
    level_error: float = 0.0
    #: How many months before the last one that middle lies. [months]
    middle: float = 0.0
    #: Standard deviation of single months about the line.
    scatter: float = 0.0
    #: Degrees of freedom of the errors; 0 where they are stated.
    degrees: int = 0

    @property
    def per_month(self) -> Range:
        """Growth a month, with its 90 % interval. [1]"""
        quantile = 1.6448536269514722
        if self.degrees:
            from scipy.special import stdtrit

            quantile = float(stdtrit(self.degrees, 0.95))
        wide = self.slope_error * quantile
        low, high = self.slope - wide, self.slope + wide
        return Range(exp(low) - 1.0, exp(self.slope) - 1.0, exp(high) - 1.0)

    def draw(self, users: float, count: int, random: "np.random.Generator") -> tuple[Any, Any]:
        """Logarithm of the users now and growth a month, in many worlds that may be."""
        import numpy as np

        wide = np.ones(count)
        if self.degrees:
            wide = np.sqrt(self.degrees / random.chisquare(self.degrees, count))
        slope = self.slope + self.slope_error * wide * random.standard_normal(count)
        if self.level is None:
            return np.full(count, log(users)), slope
        level = self.level + self.level_error * wide * random.standard_normal(count)
        month = self.scatter * wide * random.standard_normal(count)
        return level + slope * self.middle + month, slope


def stated_growth(text: str) -> UserGrowth:
    """Growth in words: ``3%/month``, ``40 %/year``, or with its deviation ``3 ± 1 %/month``.

    Examples
    --------
    >>> round(stated_growth("3%/month").per_month.mid, 4)
    0.03
    >>> round(stated_growth("3 +- 1 %/month").per_month.high, 4)
    0.0466
    """
    found = _RATE.fullmatch(text.strip())
    if not found or "%" not in text:
        raise InvalidInput(
            f"--growth: expected a rate such as 3%/month, 40%/year or 3+-1%/month; got "
            f"{show_text(text)}"
        )
    months = 12.0 if found["time"] == "year" else 1.0
    mid, spread = float(found["mid"]) / 100.0, float(found["spread"] or 0.0) / 100.0
    if mid <= -1.0:
        raise InvalidInput(f"--growth: must be above -100 %, got {show_text(text)}")
    return UserGrowth(
        log(1.0 + mid) / months, spread / (1.0 + mid) / months, f"as stated: {text.strip()}"
    )


def fitted_growth(path: str | PathLike[str]) -> UserGrowth:
    """Growth fitted to a CSV of past months with the columns ``month`` and ``users``.

    Months are ``2025-03`` or plain numbers, in any order; growth starts from the last one.

    Raises
    ------
    qmodel.FileError
        One line with file, line and column.
    """
    months, users = _history(str(path))
    last = max(months)
    at = [month - last for month in months]
    logs = [log(n) for n in users]
    n = len(at)
    middle = sum(at) / n
    level = sum(logs) / n
    slope = linear_regression(at, logs).slope
    squares = spread = 0.0
    for x, y in zip(at, logs, strict=True):
        squares += (y - level - slope * (x - middle)) ** 2
        spread += (x - middle) ** 2
    scatter = (squares / (n - 2)) ** 0.5
    return UserGrowth(
        slope, scatter / spread**0.5, f"fitted to {n} months in {path}", level, scatter / n**0.5,
        -middle, scatter, n - 2,
    )  # fmt: skip


def _history(path: str) -> tuple[list[float], list[float]]:
    from qmodel.documents.syntax import decode, read_bytes

    rows = list(csv.reader(decode(read_bytes(path), path).splitlines()))
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    for name in ("month", "users"):
        if header.count(name) != 1:
            raise FileError(
                path,
                f'expected one column "{name}"; there is {", ".join(header) or "none"}',
                line=1,
            )
    months: dict[float, float] = {}
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            raise FileError(path, f"has {len(row)} cells, expected {len(header)}", line=line)
        month = _month(path, line, row[header.index("month")].strip())
        if month in months:
            raise FileError(path, "this month is there twice; keep one", key="month", line=line)
        months[month] = _users(path, line, row[header.index("users")].strip())
    if len(months) < LEAST_MONTHS:
        raise FileError(path, f"has {len(months)} months, at least {LEAST_MONTHS} are needed")
    return list(months), list(months.values())


def _month(path: str, line: int, text: str) -> float:
    found = _MONTH.fullmatch(text)
    if found and 1 <= int(found[2]) <= 12:
        return float(int(found[1]) * 12 + int(found[2]) - 1)
    if re.fullmatch(r"-?\d{1,6}", text):
        return float(text)
    raise FileError(
        path,
        f"expected a month such as 2025-03 or a whole number, got {show_text(text)}",
        key="month",
        line=line,
    )


def _users(path: str, line: int, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or not 0.0 < number <= 1e12:
        raise FileError(
            path,
            f"expected a number of users above 0, got {show_text(text)}",
            key="users",
            line=line,
        )
    return number
