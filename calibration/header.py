"""The header of a user's table: quantity, station and unit of each column.

``utilization:cpu [%]`` is a quantity, the station it was measured at, and a unit. Units are a
closed list, so nothing a file holds is ever evaluated. A kilobyte that moves is 1000 bytes, a
small b a bit, a capital B a byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from qmodel.errors import FileError
from qmodel.formats.wording import did_you_mean, show_text

_HEADING = re.compile(
    r"(?P<name>[^:\[\]()]+?)\s*(?::\s*(?P<of>[^:\[\]()]+?)\s*)?"
    r"(?:\[\s*(?P<unit>[^\[\]]*?)\s*\]|\(\s*(?P<also>[^()]*?)\s*\))?"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a column may hold.

    Parameters
    ----------
    name : str
        As headers write it.
    dimension : str
        A key of `UNITS`, or "text" or "count".
    of : str
        What stands behind the colon: "station", "class", or nothing.
    aliases : tuple of str
        Other names for it.
    """

    name: str
    dimension: str
    of: str = ""
    aliases: tuple[str, ...] = ()


QUANTITIES = (
    Quantity("configuration", "text", aliases=("config", "run", "label", "case")),
    Quantity("class", "text", aliases=("task", "workload")),
    Quantity("population", "count", aliases=("users", "clients", "workstations", "customers", "n")),
    Quantity("think_time", "time"),
    Quantity("throughput", "rate", aliases=("transactions",)),
    Quantity("response_time", "time", aliases=("response",)),
    Quantity("utilization", "fraction", of="station", aliases=("utilisation", "util")),
    Quantity("servers", "count", of="station"),
    Quantity("volume", "data rate", of="station"),
    Quantity("operations", "rate", of="station", aliases=("ops", "ios")),
    Quantity("capacity", "data rate", of="station", aliases=("limit",)),
    Quantity("share", "fraction", of="class"),
)

#: Names that are a whole heading: a monitor's column for the processor is its utilization in %.
SHORT = {"cpu": ("utilization", "cpu", "%"), "processor": ("utilization", "cpu", "%")}

_MINUTE, _HOUR = Fraction(60), Fraction(3600)

#: Units by dimension; the first of each is the one to suggest, the value its size in base units.
UNITS: dict[str, dict[str, Fraction]] = {
    "time": {
        **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Fraction(1)),
        **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), Fraction(1, 1000)),
        **dict.fromkeys(("us", "µs", "microseconds"), Fraction(1, 10**6)),
        **dict.fromkeys(("min", "mins", "minute", "minutes"), _MINUTE),
        **dict.fromkeys(("h", "hr", "hour", "hours"), _HOUR),
    },
    "rate": {
        **dict.fromkeys(
            ("1/s", "/s", "per s", "per second", "/second", "tps", "iops"), 1 / _MINUTE * 60
        ),
        **dict.fromkeys(("1/min", "/min", "per min", "per minute", "/minute", "tpm"), 1 / _MINUTE),
        **dict.fromkeys(("1/h", "/h", "per h", "per hour", "/hour"), 1 / _HOUR),
    },
    "fraction": {
        **dict.fromkeys(("%", "percent", "per cent"), Fraction(1, 100)),
        **dict.fromkeys(("1", "fraction"), Fraction(1)),
    },
    "data rate": {
        **{f"{prefix}B/s": Fraction(10**power) for prefix, power in zip("KMG", (3, 6, 9))},
        **{f"{prefix}b/s": Fraction(10**power, 8) for prefix, power in zip("KMG", (3, 6, 9))},
        **{f"{prefix}Bps": Fraction(10**power) for prefix, power in zip("kKMG", (3, 3, 6, 9))},
        **{f"{prefix}bps": Fraction(10**power, 8) for prefix, power in zip("kKMG", (3, 3, 6, 9))},
        **{f"{prefix}bit/s": Fraction(10**power, 8) for prefix, power in zip("kKMG", (3, 3, 6, 9))},
        **{f"{prefix}iB/s": Fraction(1024**power) for prefix, power in zip("KMG", (1, 2, 3))},
        **dict.fromkeys(("kB/s",), Fraction(1000)),
        **dict.fromkeys(("kb/s",), Fraction(1000, 8)),
        **dict.fromkeys(("B/s", "Bps", "bytes/s"), Fraction(1)),
        **dict.fromkeys(("b/s", "bps", "bit/s"), Fraction(1, 8)),
    },
}
